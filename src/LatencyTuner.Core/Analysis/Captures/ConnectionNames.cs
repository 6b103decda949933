namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Connections by name, as reports and findings call them.</summary>
internal static class ConnectionNames
{
    private const int MostNamed = 20;

    /// <summary>The name of a connection: the client's end, the server's end.</summary>
    public static string Of(ConnectionFacts c) =>
        c.Client.IsV4 ? $"{c.Client}:{c.ClientPort} > {c.Server}:{c.ServerPort}" : $"[{c.Client}]:{c.ClientPort} > [{c.Server}]:{c.ServerPort}";

    /// <summary>The names of the first few.</summary>
    public static IReadOnlyList<string> Of(IEnumerable<ConnectionFacts> connections) => [.. connections.DistinctBy(c => c.Number).OrderBy(c => c.Number).Take(MostNamed).Select(Of)];
}
