namespace LatencyTuner.Tests;

/// <summary>The checkout that the tests were built from.</summary>
internal static class Repository
{
    /// <summary>The folder of LatencyTuner.sln.</summary>
    internal static readonly string Root = Find();

    /// <summary>True when expected texts that are generated are to be written instead of compared: LATENCYTUNER_UPDATE=1.</summary>
    internal static bool Updates => Environment.GetEnvironmentVariable("LATENCYTUNER_UPDATE") == "1";

    /// <summary>How often something random is tried: all of it where time does not count (LATENCYTUNER_LONG=1, as in .ci/long), else an eighth.</summary>
    internal static int Times(int all) => Environment.GetEnvironmentVariable("LATENCYTUNER_LONG") == "1" ? all : all / 8;

    /// <summary>From one place of damage to the next where all are tried if time does not count: 1, else 7, which meets every kind of place.</summary>
    internal static int Stride => Times(8) == 8 ? 1 : 7;

    private static string Find()
    {
        DirectoryInfo? at = new(AppContext.BaseDirectory);
        while (at is not null && !File.Exists(Path.Combine(at.FullName, "LatencyTuner.sln")))
        {
            at = at.Parent;
        }

        return at?.FullName ?? throw new InvalidOperationException("LatencyTuner.sln is in no folder above the tests.");
    }
}
