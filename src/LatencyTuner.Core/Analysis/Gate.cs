using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Analysis;

/// <summary>What the user lets pass, and how the work ended: together with the findings it decides the exit code.</summary>
public sealed record Gate
{
    /// <summary>Lets everything pass; for documents that were judged when they were made.</summary>
    public static readonly Gate Open = new();

    /// <summary>Severity from which a finding ends with <see cref="ExitCode.Finding"/>; null for never.</summary>
    public Severity? FailOn { get; init; }

    /// <summary>True when "cannot tell" ends with <see cref="ExitCode.Done"/>.</summary>
    public bool AllowInconclusive { get; init; }

    /// <summary>True when the user cancelled the work.</summary>
    public bool Cancelled { get; init; }

    /// <summary>Why a measurement ended early, a sentence; null when it did not.</summary>
    public string? Failure { get; init; }

    /// <summary>The exit code for these findings.</summary>
    /// <param name="findings">What was found.</param>
    /// <param name="cannotTell">True when the evidence allows no verdict.</param>
    public ExitCode Judge(IEnumerable<Finding> findings, bool cannotTell = false) =>
        Cancelled ? ExitCode.Cancelled
        : Failure is not null ? ExitCode.Measurement
        : Failing(findings).Count > 0 ? ExitCode.Finding
        : cannotTell && !AllowInconclusive ? ExitCode.CannotTell
        : ExitCode.Done;

    /// <summary>
    /// The finding that a headline must name: the worst that fails the gate, else the worst from a warning up. Null when the headline may say that
    /// nothing was found.
    /// </summary>
    /// <param name="findings">What was found.</param>
    public Finding? Leading(IReadOnlyCollection<Finding> findings) => Failing(findings).WorstFirst().FirstOrDefault()
        ?? findings.Where(f => f.Severity >= Severity.Warning).WorstFirst().FirstOrDefault();

    /// <summary>The findings that fail the gate. Incomplete evidence fails nothing: it makes the verdict "cannot tell".</summary>
    /// <param name="findings">What was found.</param>
    public IReadOnlyList<Finding> Failing(IEnumerable<Finding> findings) =>
        FailOn is { } limit ? [.. findings.Where(f => f.Severity >= limit && f.Cause != Cause.EvidenceIncomplete)] : [];
}
