namespace LatencyTuner.Core.Reporting;

/// <summary>The published JSON Schemas (draft 2020-12), one per kind of document, each complete in itself.</summary>
public static class ReportSchemas
{
    /// <summary>The kinds that have a schema, in the order in which they are listed for the user.</summary>
    public static IReadOnlyList<string> Kinds { get; } = [
        "measurement", "diagnosis", "sweep", "series", "protocols", "under-load", "check", "comparison", "settings", "snapshot", "snapshot-comparison",
        "selftest", "finding", "plan", "change", "recommendation", "analysis", "profiles"];

    /// <summary>The schema of a kind as JSON text.</summary>
    /// <param name="kind">One of <see cref="Kinds"/>.</param>
    /// <returns>The document, ending in a line feed.</returns>
    /// <exception cref="ExpectedFailureException">There is no such kind (<see cref="ExitCode.Usage"/>).</exception>
    public static string Get(string kind)
    {
        ArgumentNullException.ThrowIfNull(kind);
        if (!Kinds.Contains(kind))
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"'{kind}' is not a kind of document; valid are {string.Join(", ", Kinds)}.");
        }

        using Stream stream = typeof(ReportSchemas).Assembly.GetManifestResourceStream($"schema/{kind}.json")
            ?? throw new InvalidOperationException($"The schema of '{kind}' is not embedded.");
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}
