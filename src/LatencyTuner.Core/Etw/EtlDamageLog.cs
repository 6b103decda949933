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

/// <summary>One place where a trace could not be read.</summary>
/// <param name="Kind">What was wrong.</param>
/// <param name="Offset">Byte of the (unpacked) file; for an event inside a compressed buffer, the byte where that buffer begins.</param>
/// <param name="Detail">What was found and what was expected: one clause without a full stop.</param>
public sealed record EtlDamage(EtlDamageKind Kind, long Offset, string Detail);

/// <summary>What a trace holds that could not be read, or was not read on purpose.</summary>
public enum EtlDamageKind
{
    /// <summary>Nothing is wrong.</summary>
    None,

    /// <summary>A buffer header that cannot be one; reading went on at the next that can.</summary>
    BufferHeader,

    /// <summary>A buffer that says it is longer than it can be, or is cut by the end of the file.</summary>
    BufferLength,

    /// <summary>A buffer in a compression other than XPRESS (plain LZ77); not read.</summary>
    Compression,

    /// <summary>Compressed data that does not decompress to the length it says; what came before the fault was read.</summary>
    CompressedData,

    /// <summary>An event whose size cannot be; the rest of its buffer was not read.</summary>
    EventSize,

    /// <summary>An event with a header form that is not known; skipped by its size.</summary>
    EventForm,

    /// <summary>A message of WPP software tracing, which only its symbols explain; skipped by its size.</summary>
    Message,

    /// <summary>Extended items that do not fit into their event; the event was skipped.</summary>
    ExtendedItems,

    /// <summary>Events later in the file's order than events with a later time, beyond what could be sorted.</summary>
    Order,

    /// <summary>A trace of more buffers than are read.</summary>
    TooManyBuffers,

    /// <summary>The file the trace was packed in is cut or damaged; what came before the fault was read.</summary>
    Packing,

    /// <summary>A log file header that is missing or cut; times are those of a 10 MHz clock and dates are unknown.</summary>
    LogHeader,
}
