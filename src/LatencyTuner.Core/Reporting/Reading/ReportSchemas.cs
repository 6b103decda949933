namespace LatencyTuner.Core.Reporting.Reading;

/// <summary>The published JSON Schemas (draft 2020-12), one for each kind of document, without references to other files.</summary>
internal static class ReportSchemas
{
    /// <summary>The schema of a kind as JSON text that ends in a line feed.</summary>
    /// <param name="kind">A kind of document.</param>
    internal static string Get(string kind)
    {
        using Stream stream = typeof(ReportSchemas).Assembly.GetManifestResourceStream($"schema/{kind}.json")
            ?? throw new InvalidOperationException($"The schema of '{kind}' is not embedded.");
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}
