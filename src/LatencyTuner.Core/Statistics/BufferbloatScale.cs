namespace LatencyTuner.Core.Statistics;

/// <summary>
/// The letters of the DSLReports speed test (https://www.dslreports.com/faq/17930), which others have taken over: by the round-trip time
/// that a fully used connection adds. That test grades the mean of what up- and download add on average; here the letter is that of
/// whatever added time it is given.
/// </summary>
internal static class BufferbloatScale
{
    private static readonly (string Letter, double BelowMs)[] Grades = [("A+", 5), ("A", 30), ("B", 60), ("C", 200), ("D", 400)];

    /// <summary>Name and thresholds in one line.</summary>
    public const string Text = "DSLReports: A+ below 5 ms, A below 30, B below 60, C below 200, D below 400, F from 400 ms";

    /// <summary>The letter of an added time.</summary>
    /// <param name="addedMs">Milliseconds; below 0 counts as nothing added.</param>
    public static string Of(double addedMs)
    {
        foreach ((string letter, double below) in Grades)
        {
            if (addedMs < below)
            {
                return letter;
            }
        }
        return "F";
    }
}
