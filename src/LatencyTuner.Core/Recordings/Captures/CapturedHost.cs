using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>What all connections of one host show about its ACKs.</summary>
internal sealed class CapturedHost(IpAddressValue address)
{
    /// <summary>The coarse tick of older systems, nanoseconds.</summary>
    public const long TickNs = 100_000_000;

    /// <summary>The tick of older kernels, which end a timer at its next tick, nanoseconds.</summary>
    public const long FineTickNs = 10_000_000;

    // The most delays that are kept of a host: beyond this every other delay is dropped, then every other of the rest.
    private const int MostKept = 2048;

    private readonly List<long> _delays = [];
    private readonly List<(long TimeNs, long Connection)> _stretched = [];
    private int _every = 1;
    private PhaseSum _coarse;
    private PhaseSum _fine;

    public IpAddressValue Address { get; } = address;

    /// <summary>Number of ACKs by <see cref="AckClass"/>.</summary>
    public long[] Acks { get; } = new long[(int)AckClass.MaybeStretched + 1];
    public long AcksAbove100Ms { get; set; }
    public long Connections { get; set; }

    /// <summary>Smallest typical deviation of its answers in any part, nanoseconds; a median would need to keep the deviations of all parts.</summary>
    public long JitterNs { get; set; } = long.MaxValue;

    /// <summary>Number of late pure ACKs.</summary>
    public long LateCount { get; private set; }

    /// <summary>Number of pure ACKs that were as late, but that the host's application sent by reading: its own data follows at once.</summary>
    public long AnsweredLate { get; set; }

    /// <summary>Longest delay of a late pure ACK, nanoseconds.</summary>
    public long LongestLateNs { get; private set; }

    /// <summary>How strongly the times of the late ACKs keep to one phase of a tick of 100 ms: 0 not at all, 1 exactly.</summary>
    public double TickPhase => _coarse.Strength(LateCount);

    /// <summary>The same of a tick of 10 ms.</summary>
    public double FineTickPhase => _fine.Strength(LateCount);

    /// <summary>Adds a late ACK.</summary>
    /// <param name="atNs">When it passed the tap, nanoseconds since 1970.</param>
    /// <param name="delayNs">Its delay beyond the path's own time, nanoseconds.</param>
    public void AddLate(long atNs, long delayNs)
    {
        _coarse.Add(atNs, TickNs);
        _fine.Add(atNs, FineTickNs);
        Keep(delayNs);
    }

    /// <summary>Adds what was kept apart of the same host.</summary>
    public void Add(CapturedHost apart)
    {
        for (int i = 0; i < Acks.Length; i++)
        {
            Acks[i] += apart.Acks[i];
        }

        AcksAbove100Ms += apart.AcksAbove100Ms;
        AnsweredLate += apart.AnsweredLate;
        Connections += apart.Connections;
        JitterNs = Math.Min(JitterNs, apart.JitterNs);
        _coarse.Add(apart._coarse);
        _fine.Add(apart._fine);
        foreach (long delay in apart._delays)
        {
            Keep(delay);
        }

        LateCount += apart.LateCount - apart._delays.Count;
        _stretched.AddRange(apart._stretched);
    }

    private void Keep(long delayNs)
    {
        LongestLateNs = Math.Max(LongestLateNs, delayNs);
        if (LateCount++ % _every != 0)
        {
            return;
        }

        if (_delays.Count == MostKept)
        {
            for (int i = 0; i < MostKept / 2; i++)
            {
                _delays[i] = _delays[i * 2];
            }

            _delays.RemoveRange(MostKept / 2, MostKept / 2);
            _every *= 2;
        }

        _delays.Add(delayNs);
    }

    /// <summary>Adds an ACK of several segments that was held back.</summary>
    /// <param name="atNs">When it passed the tap, nanoseconds since 1970.</param>
    /// <param name="connection">Number of its connection.</param>
    /// <param name="beside">True when the tap is beside this host, so that the path cannot have held it.</param>
    public void AddStretched(long atNs, long connection, bool beside)
    {
        if (!beside && _stretched.Count < MostKept)
        {
            _stretched.Add((atNs, connection));
        }
    }

    /// <summary>
    /// True when a good part of the ACKs that were held back came at the same time as one of another connection: something on the path may have gathered
    /// them (a wireless link, a cable modem).
    /// </summary>
    public bool StretchedTogether()
    {
        const long TogetherNs = 1_000_000;
        const double Part = 0.3;
        (long TimeNs, long Connection)[] sorted = [.. _stretched.Order()];
        int together = 0;
        for (int i = 0; i < sorted.Length; i++)
        {
            together += Near(i - 1) || Near(i + 1) ? 1 : 0;
            bool Near(int other) => other >= 0 && other < sorted.Length && sorted[other].Connection != sorted[i].Connection
                && Math.Abs(sorted[other].TimeNs - sorted[i].TimeNs) <= TogetherNs;
        }

        return together > 0 && together >= Part * sorted.Length;
    }

    /// <summary>The median delay of late pure ACKs beyond the path's own time, nanoseconds; null when there was none.</summary>
    public long? LateMedianNs() => _delays.Count == 0 ? null : Selection.Median([.. _delays]);

    /// <summary>Puts the delays of late pure ACKs beyond the path's own time into a histogram, nanoseconds.</summary>
    /// <param name="histogram">The histogram, whose content is replaced: one for many hosts, because each is large.</param>
    public void LateDelays(LatencyHistogram histogram)
    {
        histogram.Reset();
        foreach (long delay in _delays)
        {
            histogram.Record(delay);
        }
    }

    /// <summary>The sum of the phases of some times in a tick, as unit vectors.</summary>
    private struct PhaseSum
    {
        private double _cosines;
        private double _sines;

        public void Add(long atNs, long tickNs)
        {
            double phase = atNs % tickNs * (2 * Math.PI / tickNs);
            (_cosines, _sines) = (_cosines + Math.Cos(phase), _sines + Math.Sin(phase));
        }

        public void Add(in PhaseSum other) => (_cosines, _sines) = (_cosines + other._cosines, _sines + other._sines);

        public readonly double Strength(long count) => count == 0 ? 0 : Math.Sqrt((_cosines * _cosines) + (_sines * _sines)) / count;
    }
}
