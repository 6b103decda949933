using LatencyTuner.Core.Analysis;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>The loopback experiment beside a remote one. On Windows loopback may hide the stall: its absence there proves nothing.</summary>
public sealed record DiagnosisContext
{
    /// <summary>The cells.</summary>
    public IReadOnlyList<DiagnosisCell> Cells { get; init; } = [];

    /// <summary>The verdict on loopback.</summary>
    public required DiagnosisVerdict Verdict { get; init; }
}
