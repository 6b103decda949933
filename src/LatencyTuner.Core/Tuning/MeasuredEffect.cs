namespace LatencyTuner.Core.Tuning;

/// <summary>Whether a change helped, according to a repetition of the measurement that showed the fault.</summary>
/// <param name="Verdict"><c>better</c>, <c>same</c>, <c>worse</c> or <c>cannot-tell</c>.</param>
/// <param name="Text">The verdict in a sentence; for <c>cannot-tell</c> the reason, and what would decide it.</param>
public sealed record MeasuredEffect(string Verdict, string Text)
{
    /// <summary>The effect for which no verdict is possible.</summary>
    /// <param name="because">The reason, and what would decide it: a sentence.</param>
    public static MeasuredEffect CannotTell(string because) => new("cannot-tell", because);
}
