namespace LatencyTuner.Core.Capture;

/// <summary>
/// Fragmented datagrams that are not complete. Their number, their memory and their waiting time are limited, so that fragments that never
/// complete do no harm.
/// </summary>
internal sealed class FragmentTable
{
    /// <summary>Largest number of incomplete datagrams; the oldest one is dropped for a new one.</summary>
    public const int Most = 256;

    /// <summary>RFC 8200 4.5: a datagram that is not complete after 60 seconds is dropped. Its identification may then be used again.</summary>
    public const long LifetimeNs = 60_000_000_000;

    private readonly List<FragmentedDatagram> _open = [];
    private readonly Stack<FragmentedDatagram> _spare = [];
    private FragmentedDatagram? _complete;
    private long _order;

    /// <summary>Datagrams that were dropped incomplete.</summary>
    public long GivenUp { get; private set; }

    /// <summary>Datagrams that are not complete yet.</summary>
    public int Open => _open.Count;

    /// <summary>Adds one fragment.</summary>
    /// <param name="key">The datagram that the fragment belongs to.</param>
    /// <param name="timeNs">Capture time in nanoseconds since 1970.</param>
    /// <param name="offset">Offset of the fragment in the datagram in bytes.</param>
    /// <param name="length">Length of the fragment in bytes according to the IP header.</param>
    /// <param name="more">False for the last part.</param>
    /// <param name="captured">The captured bytes of the fragment.</param>
    /// <returns>The datagram when this fragment completed it, valid until the next call.</returns>
    public FragmentedDatagram? Add(in FragmentKey key, long timeNs, int offset, int length, bool more, ReadOnlySpan<byte> captured)
    {
        if (_complete is { } done)
        {
            _spare.Push(done);
            _complete = null;
        }

        int at = IndexOf(key);
        if (at >= 0 && Int128.Abs((Int128)timeNs - _open[at].SinceNs) > LifetimeNs)
        {
            GiveUp(at);
            at = -1;
        }

        if (at < 0)
        {
            at = Begin(key, timeNs);
        }

        FragmentedDatagram datagram = _open[at];
        if (!datagram.TryAdd(offset, length, more, captured[..Math.Min(captured.Length, length)]))
        {
            GiveUp(at);
            return null;
        }

        if (!datagram.IsComplete)
        {
            return null;
        }

        RemoveAt(at);
        return _complete = datagram;
    }

    private int IndexOf(in FragmentKey key)
    {
        for (int i = 0; i < _open.Count; i++)
        {
            if (_open[i].Key == key)
            {
                return i;
            }
        }

        return -1;
    }

    private int Begin(in FragmentKey key, long timeNs)
    {
        if (_open.Count == Most)
        {
            int oldest = 0;
            for (int i = 1; i < _open.Count; i++)
            {
                oldest = _open[i].Order < _open[oldest].Order ? i : oldest;
            }

            GiveUp(oldest);
        }

        FragmentedDatagram datagram = _spare.TryPop(out FragmentedDatagram? spare) ? spare : new FragmentedDatagram();
        datagram.Reset(key, timeNs, ++_order);
        _open.Add(datagram);
        return _open.Count - 1;
    }

    private void GiveUp(int at)
    {
        GivenUp++;
        _spare.Push(_open[at]);
        RemoveAt(at);
    }

    private void RemoveAt(int at)
    {
        _open[at] = _open[^1];
        _open.RemoveAt(_open.Count - 1);
    }
}

/// <summary>What the fragments of one datagram have in common (RFC 791, RFC 8200 4.5).</summary>
internal readonly record struct FragmentKey(IpAddressValue Source, IpAddressValue Destination, uint Identification, byte Protocol);
