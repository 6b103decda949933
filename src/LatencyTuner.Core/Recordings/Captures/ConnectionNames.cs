using System.Collections;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Connections by name, as reports and findings call them.</summary>
internal static class ConnectionNames
{
    /// <summary>As many are named of a finding.</summary>
    public const int Most = 20;

    /// <summary>The name of a connection: the client's end, the server's end.</summary>
    public static string Of(ConnectionFacts c) =>
        c.Client.IsV4 ? $"{c.Client}:{c.ClientPort} > {c.Server}:{c.ServerPort}" : $"[{c.Client}]:{c.ClientPort} > [{c.Server}]:{c.ServerPort}";

    /// <summary>The names of the first few.</summary>
    /// <remarks>Made when they are asked for: most findings of a large capture are counted and not listed.</remarks>
    public static IReadOnlyList<string> Of(IEnumerable<ConnectionFacts> connections) => new NamesLater(connections);

    private sealed class NamesLater(IEnumerable<ConnectionFacts> connections) : IReadOnlyList<string>
    {
        private IReadOnlyList<string>? _names;

        public int Count => Names.Count;

        private IReadOnlyList<string> Names => _names ??= [.. connections.DistinctBy(c => c.Number).OrderBy(c => c.Number).Take(Most).Select(Of)];

        public string this[int index] => Names[index];

        public IEnumerator<string> GetEnumerator() => Names.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
