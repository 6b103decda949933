using LatencyTuner.Core.Measurement.Platform;
using LatencyTuner.Core.Measurement.Scheduling;

namespace LatencyTuner.Core.Measurement.Load;

/// <summary>The load of one phase in one direction.</summary>
public sealed record LoadSide
{
    /// <summary>True: towards the responder.</summary>
    public required bool Up { get; init; }

    /// <summary>Connections that made it.</summary>
    public required int Connections { get; init; }

    /// <summary>Bytes moved in the counted time.</summary>
    public required long Bytes { get; init; }

    /// <summary>The counted time.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Bytes per second in successive tenths of a second of the counted time.</summary>
    public IReadOnlyList<double> BytesPerSecond { get; init; } = [];

    /// <summary>Connections that ended by themselves, and why the first of them did, a phrase.</summary>
    public int Failed { get; init; }

    /// <summary>See <see cref="Failed"/>.</summary>
    public string? Failure { get; init; }

    /// <summary>What the responder's machine did while these connections were open; null when it did not tell.</summary>
    public HostUse? Server { get; init; }

    /// <summary>
    /// The sending end's counters: of the counted time at this end, of the whole connection at the responder's, of those connections whose result came.
    /// </summary>
    internal IReadOnlyList<(KernelCounters Start, KernelCounters End)> Sender { get; init; } = [];

    /// <summary>Time between the two samples of <see cref="Sender"/>.</summary>
    internal TimeSpan SenderElapsed { get; init; }
}
