using System.Numerics;

namespace LatencyTuner.Core.Capture;

/// <summary>Arrays of records by size, used again by one connection after the other.</summary>
internal sealed class RecordPool
{
    private const int Shortest = 8;

    private readonly Stack<PacketRecord[]>?[] _free = new Stack<PacketRecord[]>?[32];

    /// <summary>An array twice as long with the same records; takes the old one back.</summary>
    public PacketRecord[] Larger(PacketRecord[] old, int count)
    {
        PacketRecord[] larger = Take(Math.Max(Shortest, old.Length * 2));
        Array.Copy(old, larger, count);
        Return(old);
        return larger;
    }

    /// <summary>An array that just holds a range of the records; takes the old one back unless it is that.</summary>
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
