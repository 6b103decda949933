using System.Numerics;

namespace LatencyTuner.Core.Capture;

/// <summary>A pool of record arrays by size; connections reuse them.</summary>
internal sealed class RecordPool
{
    private const int Shortest = 8;

    private readonly Stack<PacketRecord[]>?[] _free = new Stack<PacketRecord[]>?[32];

    /// <summary>Returns an array twice as long with the same records and puts the old one back into the pool.</summary>
    public PacketRecord[] Larger(PacketRecord[] old, int count)
    {
        PacketRecord[] larger = Take(Math.Max(Shortest, old.Length * 2));
        Array.Copy(old, larger, count);
        Return(old);
        return larger;
    }

    /// <summary>Returns an array of fitting size with a range of the records, and puts the old one back into the pool unless it is the same.</summary>
    public PacketRecord[] Shorter(PacketRecord[] old, int from, int count)
    {
        PacketRecord[] shorter = count == 0 ? [] : old.Length <= Math.Max(Shortest, count * 2) ? old
            : Take(Math.Max(Shortest, (int)BitOperations.RoundUpToPowerOf2((uint)count)));
        Array.Copy(old, from, shorter, 0, count);
        if (shorter != old)
        {
            Return(old);
        }

        return shorter;
    }

    private PacketRecord[] Take(int length) =>
        _free[BitOperations.Log2((uint)length)]?.TryPop(out PacketRecord[]? free) == true ? free : new PacketRecord[length];

    private void Return(PacketRecord[] array)
    {
        if (array.Length > 0)
        {
            (_free[BitOperations.Log2((uint)array.Length)] ??= []).Push(array);
        }
    }
}
