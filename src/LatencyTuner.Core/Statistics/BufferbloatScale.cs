namespace LatencyTuner.Core.Statistics;

/// <summary>
/// The grades of the DSLReports speed test (https://www.dslreports.com/faq/17930), which other tests use too. They depend on the round-trip time
/// that a fully used connection adds. That test grades the mean of the times that upload and download add; here any added time can be graded.
/// </summary>
internal static class BufferbloatScale
{
    private static readonly (string Letter, double BelowMs)[] Grades = [("A+", 5), ("A", 30), ("B", 60), ("C", 200), ("D", 400)];

    /// <summary>Name and thresholds of the scale in one line.</summary>
    public const string Text = "DSLReports: A+ below 5 ms, A below 30 ms, B below 60 ms, C below 200 ms, D below 400 ms, F from 400 ms";

    /// <summary>The grade of an added time.</summary>
    /// <param name="addedMs">Added time in milliseconds; a negative value counts as 0.</param>
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
