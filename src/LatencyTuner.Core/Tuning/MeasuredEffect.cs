namespace LatencyTuner.Core.Tuning;

/// <summary>Whether a change helped, from the measurement that showed the fault, made again.</summary>
/// <param name="Verdict"><c>better</c>, <c>same</c>, <c>worse</c> or <c>cannot-tell</c>.</param>
/// <param name="Text">The verdict in a sentence; for <c>cannot-tell</c> why, and what would tell.</param>
public sealed record MeasuredEffect(string Verdict, string Text)
{
    /// <summary>No verdict.</summary>
    /// <param name="because">Why, and what would tell: a sentence.</param>
    public static MeasuredEffect CannotTell(string because) => new("cannot-tell", because);
}
