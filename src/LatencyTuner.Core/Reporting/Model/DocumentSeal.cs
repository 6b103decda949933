using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>What only the program knows of a document: when the command started, which version ran, and how the user called it.</summary>
/// <param name="StartedUtc">When the command started.</param>
/// <param name="Tool">Program and version, for example <c>latencytuner 0.1.0</c>.</param>
/// <param name="Caller">How the user called it, for the command lines of the next steps.</param>
public sealed record DocumentSeal(DateTimeOffset StartedUtc, string Tool, Caller Caller)
{
    /// <summary>The machine, the command line, and what the user says of the run; null where the program gives none.</summary>
    public DocumentOrigin? Origin { get; init; }

    /// <summary>A next step as it is printed.</summary>
    /// <param name="step">The step.</param>
    internal string? InWords(NextStep step) => step.InWords(Caller);
}
