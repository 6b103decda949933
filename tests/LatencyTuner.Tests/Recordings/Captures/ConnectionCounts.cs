using System.Globalization;
using System.IO.Compression;
using System.Net;
using LatencyTuner.Core.Capture;
using LatencyTuner.Tests.Capture;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Packets, bytes and shortest round trips of every connection against tcptrace's.</summary>
public sealed class ConnectionCounts
{
    // What differs, connection by connection and field by field: theirs and ours. Nothing else may.
    private static readonly Dictionary<string, (string Why, string[] Differences)> Documented = new()
    {
        ["d01_modbus"] =
            ("tcptrace begins a new connection when one that a FIN half closed goes on after four minutes; the ports and the sequence numbers go on too",
            ["10.0.0.3:502 10.0.0.57:2578: 2 connections, 1 here"]),
        ["d02_filecontainer-smb"] = ("the clock of the file is coarse, and a least round trip of 0 is to tcptrace one that it does not have yet",
            ["192.168.202.115:3049 192.168.24.100:445 RTT_min_a2b 140.0 0.0"]),
        ["d03_gnutella"] = ("the same",
        [
            "10.0.2.15:50297 14.200.255.229:45710 RTT_min_a2b 0.2 0.0", "10.0.2.15:50297 14.200.255.229:45710 RTT_min_b2a 0.2 0.0",
            "10.0.2.15:50314 80.7.252.192:6888 RTT_min_b2a 0.3 0.0",
        ]),
        ["d07_vlan-collisions"] = ("every packet is there three times, with no VLAN tag, with one and with two; tcptrace does not read the last",
        [
            "141.142.228.5:59856 192.150.187.43:80 total_packets_a2b 14 21", "141.142.228.5:59856 192.150.187.43:80 total_packets_b2a 14 21",
            "141.142.228.5:59856 192.150.187.43:80 actual_data_bytes_a2b 272 408", "141.142.228.5:59856 192.150.187.43:80 actual_data_bytes_b2a 10014 15021",
        ]),
        ["d33_socks5-http-302-frag"] = ("tcptrace does not put fragments together",
            ["10.0.0.1:1637 10.0.0.2:21477 actual_data_bytes_a2b 11 419", "10.0.0.1:1637 10.0.0.2:21477 actual_data_bytes_b2a 10 942"]),
        ["d37_reassembly"] = ("tcptrace counts 64 bytes more than the packets hold by their IP lengths; tshark agrees with us",
            ["128.3.97.175:80 63.193.213.194:2564 actual_data_bytes_a2b 34434 34370"]),
    };

    public static TheoryData<string> Captures => [.. RoundTrips.Captures.Select(c => c.Data).Where(n => !IsReal(n)), .. RealOnes()];

    [Theory]
    [MemberData(nameof(Captures))]
    public void EqualTcptraces(string name)
    {
        string path = IsReal(name) ? FileOf(name) : Samples.Truth(name + ".pcap");
        string table = Path.Combine(Path.GetDirectoryName(path)!, "reference", name + ".tcptrace.tsv.gz");
        Assert.SkipUnless(File.Exists(table), "tcptrace could not read this file.");
        List<Dictionary<string, string>> rows = Read(table);
        Assert.SkipWhen(rows.Count == 0, "tcptrace could not read this file.");
        (List<(TcpConnection Connection, List<PacketRecord> Records)> connections, _) = Samples.Follow(path);

        List<string> differences = [];
        foreach (IGrouping<string, Dictionary<string, string>> group in rows.GroupBy(Ends))
        {
            TcpConnection[] same = [.. connections.Select(c => c.Connection).Where(c => Ends(c) == group.Key).OrderBy(c => c.Number)];
            Dictionary<string, string>[] theirs = [.. group];
            if (same.Length != theirs.Length)
            {
                differences.Add($"{group.Key}: {theirs.Length} connections, {same.Length} here");
            }

            for (int i = 0; i < same.Length; i++)
            {
                // Where tcptrace cuts one in two, the sums are those of the whole.
                differences.AddRange(Compare(same[i], same.Length < theirs.Length ? theirs : [theirs[i]]).Select(d => $"{group.Key} {d}"));
            }
        }

        HashSet<string> known = [.. rows.Select(Ends)];
        differences.AddRange(connections.Select(c => Ends(c.Connection)).Where(e => !known.Contains(e)).Select(e => $"{e}: only here"));
        string found = string.Join("\n", differences);
        Assert.True(string.Join("\n", Documented.GetValueOrDefault(name).Differences ?? []) == found, found);
    }

    private static bool IsReal(string name) => name.StartsWith('d') && (char.IsDigit(name[1]) || name[1] == 'x');

    /// <summary>Every capture that tcptrace could read.</summary>
    private static IEnumerable<string> RealOnes()
    {
        string folder = Path.Combine(CatalogueEntries.Shared(), "samples", "pcap", "reference");
        return Directory.Exists(folder)
            ? Directory.GetFiles(folder, "*.tcptrace.tsv.gz").Where(f => Read(f).Count > 0).Select(f => Path.GetFileName(f)[..^".tcptrace.tsv.gz".Length])
                .Order(StringComparer.Ordinal)
            : ["d01_modbus"];
    }

    private static string FileOf(string name)
    {
        string folder = Path.GetDirectoryName(Samples.Pcap("REFERENCE.md"))!;
        return new[] { ".pcap", ".pcapng", ".pcap.gz" }.Select(e => Path.Combine(folder, name + e)).First(File.Exists);
    }

    private static IEnumerable<string> Compare(TcpConnection c, Dictionary<string, string>[] rows)
    {
        Dictionary<string, string> row = rows[0];
        bool forward = Address(row["host_a"]) == c.ClientAddress.ToString() && c.ClientPort.ToString(CultureInfo.InvariantCulture) == row["port_a"];
        (FlowState a, FlowState b) = forward ? (c.FromClient, c.FromServer) : (c.FromServer, c.FromClient);
        foreach ((string field, long ours) in new[] {
            ("total_packets_a2b", a.Packets), ("total_packets_b2a", b.Packets), ("actual_data_bytes_a2b", a.Bytes), ("actual_data_bytes_b2a", b.Bytes) })
        {
            long theirs = Sum(rows, field);
            if (theirs != ours)
            {
                yield return $"{field} {theirs} {ours}";
            }
        }

        foreach ((string direction, FlowState answering) in new[] { ("a2b", b), ("b2a", a) })
        {
            double theirs = double.Parse(row[$"RTT_min_{direction}"], CultureInfo.InvariantCulture);
            double ours = answering.BaseNs == FlowState.Unknown ? -1 : answering.BaseNs / 1e6;
            if (Number(row[$"RTT_samples_{direction}"]) > 0 && Math.Abs(theirs - ours) > 0.11)
            {
                yield return $"RTT_min_{direction} {theirs:0.0} {ours:0.0}";
            }
        }
    }

    private static long Sum(Dictionary<string, string>[] rows, string field) => rows.Sum(r => Number(r[field]));

    private static string Address(string text) => IPAddress.Parse(text).ToString();

    private static long Number(string field) => long.Parse(field, CultureInfo.InvariantCulture);

    private static string Ends(TcpConnection c) =>
        string.Join(' ', new[] { $"{c.ClientAddress}:{c.ClientPort}", $"{c.ServerAddress}:{c.ServerPort}" }.Order(StringComparer.Ordinal));

    private static string Ends(Dictionary<string, string> row) =>
        string.Join(' ', new[] { $"{Address(row["host_a"])}:{row["port_a"]}", $"{Address(row["host_b"])}:{row["port_b"]}" }.Order(StringComparer.Ordinal));

    private static List<Dictionary<string, string>> Read(string path)
    {
        using StreamReader reader = new(new GZipStream(File.OpenRead(path), CompressionMode.Decompress));
        List<Dictionary<string, string>> rows = [];
        string[]? header = null;
        while (reader.ReadLine() is { } line)
        {
            if (line.StartsWith('#') || line.Trim().Length == 0)
            {
                continue;
            }

            string[] fields = [.. line.Split('\t').Select(f => f.Trim())];
            if (header is null)
            {
                header = fields;
                continue;
            }

            rows.Add(header.Zip(fields).Where(p => p.First.Length > 0).GroupBy(p => p.First).ToDictionary(g => g.Key, g => g.First().Second));
        }

        return rows;
    }
}
