using System.Globalization;

namespace LatencyTuner.Core.Etw;

/// <summary>Counts damages and keeps the places of the first ones; used by several threads.</summary>
internal sealed class EtlDamageLog
{
    /// <summary>Places that are kept of each kind.</summary>
    internal const int MostLocated = 5;

    private static readonly int Kinds = Enum.GetValues<EtlDamageKind>().Length;

    private readonly long[] _counts = new long[Kinds];
    private readonly List<EtlDamage> _located = [];

    internal long Of(EtlDamageKind kind)
    {
        lock (_located)
        {
            return _counts[(int)kind];
        }
    }

    internal IReadOnlyList<EtlDamage> Located()
    {
        lock (_located)
        {
            return [.. _located];
        }
    }

    /// <summary>Counts a damage.</summary>
    /// <param name="kind">What was wrong.</param>
    /// <param name="offset">Byte of the file.</param>
    /// <param name="detail">One clause; <c>#</c> stands for the number found.</param>
    /// <param name="found">The number found.</param>
    internal void Add(EtlDamageKind kind, long offset, string detail, long found = 0)
    {
        lock (_located)
        {
            if (++_counts[(int)kind] <= MostLocated)
            {
                _located.Add(new EtlDamage(kind, offset, detail.Replace("#", found.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal)));
            }
        }
    }
}
