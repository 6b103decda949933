using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Reporting.Packing;

/// <summary>What a pack is to hold.</summary>
public sealed record PackOptions
{
    /// <summary>Random bytes for the masks of addresses; null to mask nothing. They are not kept.</summary>
    public byte[]? MaskKey { get; init; }

    /// <summary>More names to mask.</summary>
    public IReadOnlyList<string> MaskNames { get; init; } = [];

    /// <summary>True to leave in packets what applications sent; not together with a mask.</summary>
    public bool KeepPayload { get; init; }

    /// <summary>The program that makes the pack, and its system.</summary>
    public ToolIdentity? MadeBy { get; init; }
}
