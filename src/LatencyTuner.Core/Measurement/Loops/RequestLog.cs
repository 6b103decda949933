using System.Buffers.Binary;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>
/// Single requests of one connection: all of them while there is room, afterwards a uniform sample of all requests (Vitter's algorithm R), so that
/// memory does not grow with the run. Used by the measuring thread, whose scheduling waits it reads; adding allocates nothing.
/// </summary>
internal sealed class RequestLog(int capacity, int seed, TimeProvider time, ISocketPlatform platform)
{
    /// <summary>
    /// Least time between two readings of the waits, nanoseconds: a reading costs about a microsecond, and a faster request had no long wait.
    /// </summary>
    internal const long LookEveryNs = 200_000;

    private readonly RequestRow[] _rows = new RequestRow[capacity];
    private readonly Random _random = new(seed);
    private readonly long _lookEvery = (long)(LookEveryNs * (time.TimestampFrequency / 1e9));
    private long _nextLook = long.MinValue;
    private long _run = -1;
    private long _pauses;
    private long _serverRun = -1;
    private long _serverStall = -1;
    private bool _isPending;
    private RequestRow _pending;

    /// <summary>Requests offered, kept or not.</summary>
    internal long Seen { get; private set; }

    /// <summary>Adds an answered request; between two requests, so that its cost is not part of any latency.</summary>
    internal void Add(long planned, long sent, long received, long residenceNs, ReadOnlySpan<byte> stamp)
    {
        (long run, long stall) = Waits(stamp);
        if (_isPending)
        {
            // This reply carries the waits that the serving thread noted after the pending reply.
            Keep(_pending with { ServerWaitNs = Since(_serverRun, run), ServerStallNs = Since(_serverStall, stall) });
        }

        (_serverRun, _serverStall) = (run, stall);
        _pending = new RequestRow(planned, sent, received, residenceNs, Look(received));
        _isPending = true;
    }

    /// <summary>The rows by their planned time; only after the thread has ended.</summary>
    internal RequestRow[] Rows()
    {
        if (_isPending)
        {
            _isPending = false;
            Keep(_pending);
        }

        RequestRow[] rows = _rows[..(int)Math.Min(Seen, _rows.Length)];
        Array.Sort(rows, (a, b) => a.Planned.CompareTo(b.Planned));
        return rows;
    }

    private static (long Run, long Stall) Waits(ReadOnlySpan<byte> stamp) =>
        stamp.Length >= Wire.WaitsHeaderSize && BinaryPrimitives.ReadUInt32LittleEndian(stamp[Wire.ReplyHeaderSize..]) == Wire.WaitsMagic
            ? (BinaryPrimitives.ReadInt64LittleEndian(stamp[(Wire.ReplyHeaderSize + 8)..]),
                BinaryPrimitives.ReadInt64LittleEndian(stamp[(Wire.ReplyHeaderSize + 16)..]))
            : (-1, -1);

    private static long Since(long before, long after) => before >= 0 && after >= before ? after - before : -1;

    private long Look(long now)
    {
        if (now < _nextLook)
        {
            return _run < 0 ? -1 : 0;
        }

        _nextLook = now + _lookEvery;
        long run = platform.ReadRunDelayNs() ?? -1;
        long pauses = (long)GC.GetTotalPauseDuration().TotalNanoseconds;
        long waited = Since(_run, run) is >= 0 and var ready ? ready + pauses - _pauses : -1;
        (_run, _pauses) = (run, pauses);
        return waited;
    }

    private void Keep(RequestRow row)
    {
        long place = Seen < _rows.Length ? Seen : _random.NextInt64(Seen + 1);
        if (place < _rows.Length)
        {
            _rows[place] = row;
        }

        Seen++;
    }
}

/// <summary>One answered request of a log; times are timestamps of the run's clock.</summary>
/// <param name="Planned">The planned send time; in a closed loop the actual one.</param>
/// <param name="Sent">When it was sent.</param>
/// <param name="Received">When its reply was complete.</param>
/// <param name="ResidenceNs">Residence time at the server, nanoseconds, as the server reports it.</param>
/// <param name="ClientWaitNs">
/// How long the measuring thread was ready to run without running, or paused by a garbage collection, since the last reading, which may
/// be up to <see cref="RequestLog.LookEveryNs"/> before the request; nanoseconds, -1 when unknown.
/// </param>
/// <param name="ServerWaitNs">The same for the serving thread, nanoseconds, as the next reply of the server reports it; -1 when unknown.</param>
/// <param name="ServerStallNs">Stall time of the server's machine during the request, nanoseconds, as the server reports it; -1 when unknown.</param>
internal readonly record struct RequestRow(
    long Planned, long Sent, long Received, long ResidenceNs, long ClientWaitNs = -1, long ServerWaitNs = -1, long ServerStallNs = -1);
