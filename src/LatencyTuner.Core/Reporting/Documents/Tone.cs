namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>What a word or figure means to the reader; writers turn it into colour.</summary>
public enum Tone
{
    /// <summary>A fact.</summary>
    Neutral,

    /// <summary>As it should be.</summary>
    Good,

    /// <summary>Needs action.</summary>
    Bad,

    /// <summary>Cannot be told.</summary>
    Unsure,
}
