using System.Collections;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>The names of connections in reports and findings.</summary>
internal static class ConnectionNames
{
    /// <summary>The most connections that a finding names.</summary>
    public const int Most = 20;

    /// <summary>The name of a connection: the address and port of the client, then of the server.</summary>
    public static string Of(ConnectionFacts c) => $"{Endpoint(c.Client, c.ClientPort)} > {Endpoint(c.Server, c.ServerPort)}";

    /// <summary>An address with its port; IPv6 in brackets (RFC 5952 6).</summary>
    public static string Endpoint(IpAddressValue address, int port) => address.IsV4 ? $"{address}:{port}" : $"[{address}]:{port}";

    /// <summary>The names of the first few; those that a filter shows are among them.</summary>
    /// <remarks>Made only when they are read: most findings of a large capture are counted and not listed.</remarks>
    public static IReadOnlyList<string> Of(IEnumerable<ConnectionFacts> connections) => new NamesLater(connections);

    private sealed class NamesLater(IEnumerable<ConnectionFacts> connections) : IReadOnlyList<string>
    {
        private IReadOnlyList<string>? _names;

        public int Count => Names.Count;

        private IReadOnlyList<string> Names => _names ??=
        [
            .. connections.DistinctBy(c => c.Number).OrderByDescending(c => c.IsShown).ThenBy(c => c.Number).Take(Most).OrderBy(c => c.Number).Select(Of),
        ];

        public string this[int index] => Names[index];

        public IEnumerator<string> GetEnumerator() => Names.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
