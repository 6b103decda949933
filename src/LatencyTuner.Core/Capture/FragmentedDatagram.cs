using System.Numerics;

namespace LatencyTuner.Core.Capture;

/// <summary>
/// Which parts of a datagram have arrived, in units of eight bytes, and its first bytes, which hold the TCP header. The payload is not kept.
/// </summary>
internal sealed class FragmentedDatagram
{
    /// <summary>Number of first bytes that are kept: IPv6 extension headers and a TCP header with all options.</summary>
    public const int Kept = 256;

    private const int Unit = 8;
    private const int Largest = 1 << 16;
    private const int WordBits = 64;

    private readonly ulong[] _come = new ulong[Largest / Unit / WordBits];
    private readonly byte[] _begin = new byte[Kept];
    private readonly ulong[] _captured = new ulong[Kept / WordBits];
    private int _units;
    private int _length;

    public FragmentKey Key { get; private set; }

    /// <summary>Capture time of the fragment that arrived first, in nanoseconds since 1970.</summary>
    public long SinceNs { get; private set; }

    /// <summary>Rank among all datagrams by their first fragments.</summary>
    public long Order { get; private set; }

    /// <summary>Length of the whole datagram in bytes; 0 until its last part has arrived.</summary>
    public int Length => _length;

    /// <summary>True when every part has arrived.</summary>
    public bool IsComplete => _length > 0 && _units == (_length + Unit - 1) / Unit;

    /// <summary>The first bytes, up to the first one that was not captured.</summary>
    public ReadOnlySpan<byte> Begin
    {
        get
        {
            int count = 0;
            foreach (ulong word in _captured)
            {
                int ones = BitOperations.TrailingZeroCount(~word);
                count += ones;
                if (ones < WordBits)
                {
                    break;
                }
            }

            return _begin.AsSpan(0, Math.Min(count, _length));
        }
    }

    /// <summary>Clears the state and starts another datagram.</summary>
    public void Reset(in FragmentKey key, long timeNs, long order)
    {
        Key = key;
        SinceNs = timeNs;
        Order = order;
        _units = 0;
        _length = 0;
        Array.Clear(_come);
        Array.Clear(_captured);
    }

    /// <summary>Adds one fragment.</summary>
    /// <param name="offset">Offset of the fragment in the datagram in bytes, a multiple of eight.</param>
    /// <param name="length">Length of the fragment in bytes according to the IP header.</param>
    /// <param name="more">False for the last part.</param>
    /// <param name="captured">The captured bytes of the fragment, at most <paramref name="length"/>.</param>
    /// <returns>False when the fragment contradicts the earlier ones.</returns>
    public bool TryAdd(int offset, int length, bool more, ReadOnlySpan<byte> captured)
    {
        int end = offset + length;
        if (length == 0 || end > Largest || (more && length % Unit != 0) || (_length > 0 && (more ? end > _length : end != _length)))
        {
            return false;
        }

        if (!more)
        {
            _length = end;
        }

        Mark(offset / Unit, (end + Unit - 1) / Unit);
        int count = Math.Min(captured.Length, Kept - Math.Min(offset, Kept));
        for (int i = 0; i < count; i++)
        {
            _begin[offset + i] = captured[i];
            _captured[(offset + i) / WordBits] |= 1UL << ((offset + i) % WordBits);
        }

        return true;
    }

    private void Mark(int from, int to)
    {
        for (int word = from / WordBits; word * WordBits < to; word++)
        {
            int first = Math.Max(from - (word * WordBits), 0);
            int last = Math.Min(to - (word * WordBits), WordBits);
            ulong mask = (last == WordBits ? ulong.MaxValue : (1UL << last) - 1) & (ulong.MaxValue << first);
            _units += BitOperations.PopCount(mask & ~_come[word]);
            _come[word] |= mask;
        }
    }
}
