namespace LatencyTuner.Commands;

/// <summary>What a candidate is; a shell may show it.</summary>
internal enum CandidateKind
{
    Command,
    Option,
    Value,
}

/// <summary>A word that may stand at the cursor.</summary>
/// <param name="Text">The whole word.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Tooltip">What it means.</param>
internal sealed record CompletionCandidate(string Text, CandidateKind Kind, string Tooltip);
