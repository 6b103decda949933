using System.Globalization;

namespace LatencyTuner.Core.Etw;

/// <summary>Counts damaged places and keeps the first of them. Thread-safe.</summary>
internal sealed class EtlDamageLog
{
    /// <summary>Number of places that are kept for each kind.</summary>
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

    /// <summary>Counts a damaged place.</summary>
    /// <param name="kind">The kind of damage.</param>
    /// <param name="offset">Offset in the file, in bytes.</param>
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

/// <summary>One place where a trace could not be read.</summary>
/// <param name="Kind">The kind of damage.</param>
/// <param name="Offset">Offset in the (unpacked) file, in bytes; for an event in a compressed buffer, the offset of the buffer.</param>
/// <param name="Detail">What was found and what was expected: one clause without a full stop.</param>
public sealed record EtlDamage(EtlDamageKind Kind, long Offset, string Detail);

/// <summary>What could not be read in a trace, or was skipped on purpose.</summary>
public enum EtlDamageKind
{
    /// <summary>Nothing is wrong.</summary>
    None,

    /// <summary>An invalid buffer header; reading continued at the next valid one.</summary>
    BufferHeader,

    /// <summary>A buffer with an impossible length, or cut off by the end of the file.</summary>
    BufferLength,

    /// <summary>A buffer with a compression other than XPRESS (plain LZ77); it was not read.</summary>
    Compression,

    /// <summary>Compressed data that does not decompress to its stated length; the data before the fault was read.</summary>
    CompressedData,

    /// <summary>An event with an impossible size; the rest of its buffer was not read.</summary>
    EventSize,

    /// <summary>An event with an unknown header form; it was skipped.</summary>
    EventForm,

    /// <summary>A message of WPP software tracing, which cannot be decoded without its symbols; it was skipped.</summary>
    Message,

    /// <summary>Extended items that do not fit into their event; the event was skipped.</summary>
    ExtendedItems,

    /// <summary>Events that were delivered after an event with a later time, because the memory limit prevented sorting.</summary>
    Order,

    /// <summary>A trace with more buffers than the limit; the rest was not read.</summary>
    TooManyBuffers,

    /// <summary>The packed file is cut off or damaged; the data before the fault was read.</summary>
    Packing,

    /// <summary>A log file header that is missing or cut off; a 10 MHz clock is assumed and dates are unknown.</summary>
    LogHeader,
}
