using LatencyTuner.Core.Etw;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>Real traces, which are used where they lie.</summary>
internal static class EtlSamples
{
    internal static string Path(string name)
    {
        string path = System.IO.Path.Combine(CatalogueEntries.Shared(), "samples", "etl", name);
        Assert.SkipUnless(File.Exists(path), $"{name} is not on this machine: set LATENCYTUNER_SHARED to the folder with the samples.");
        return path;
    }

    internal static EtlReader Open(string name, EtlReaderOptions? options = null) => EtlReader.Open(Path(name), options);

    /// <summary>How often each event is in a trace, by provider, id or opcode, and version.</summary>
    internal static Dictionary<(Guid Provider, bool Classic, int Number), int> Count(EtlReader reader)
    {
        Dictionary<(Guid, bool, int), int> counts = new();
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            (Guid Provider, bool, int EventNumber) key = (header.Provider, header.Kind != EtwEventKind.Manifest, header.EventNumber);
            counts[key] = counts.GetValueOrDefault(key) + 1;
        });
        return counts;
    }
}
