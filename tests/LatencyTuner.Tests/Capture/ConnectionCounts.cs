using System.Globalization;
using System.IO.Compression;
using System.Net;
using LatencyTuner.Core.Capture;
using Xunit;

namespace LatencyTuner.Tests.Capture;

/// <summary>Packets, bytes and shortest round trips of every connection against tcptrace's.</summary>
public sealed class ConnectionCounts
{
    public static TheoryData<string> Captures => RoundTrips.Captures;

    [Theory]
    [MemberData(nameof(Captures))]
    public void EqualTcptraces(string name)
    {
        bool real = name.StartsWith('d') && (char.IsDigit(name[1]) || name[1] == 'x');
        string path = real ? Samples.Pcap(name + ".pcap") : Samples.Truth(name + ".pcap");
        string table = Path.Combine(Path.GetDirectoryName(path)!, "reference", name + ".tcptrace.tsv.gz");
        Assert.SkipUnless(File.Exists(table), "tcptrace could not read this file.");
        List<Dictionary<string, string>> rows = Read(table);
        Assert.SkipWhen(rows.Count == 0, "tcptrace could not read this file.");
        (List<(TcpConnection Connection, List<PacketRecord> Records)> connections, _) = Samples.Follow(path);

        // tcptrace begins a new connection when one that a FIN half closed goes on after four minutes; the ports and the sequence numbers go on too.
        int splits = name == "d01_modbus" ? 1 : 0;
        Assert.Equal(rows.Count - splits, connections.Count);
        foreach (IGrouping<string, Dictionary<string, string>> group in rows.GroupBy(Ends))
        {
            TcpConnection[] same = [.. connections.Select(c => c.Connection).Where(c => Ends(c) == group.Key).OrderBy(c => c.Number)];
            Dictionary<string, string>[] theirs = [.. group];
            for (int i = 0; i < same.Length; i++)
            {
                Compare(same[i], same.Length < theirs.Length ? theirs : [theirs[i]], bytes: name != "d37_reassembly");
            }
        }
    }

    private static void Compare(TcpConnection c, Dictionary<string, string>[] rows, bool bytes)
    {
        Dictionary<string, string> row = rows[0];
        bool forward = Address(row["host_a"]) == c.ClientAddress.ToString() && c.ClientPort.ToString(CultureInfo.InvariantCulture) == row["port_a"];
        ref FlowState a = ref c.Flow(forward ? 0 : 1);
        ref FlowState b = ref c.Flow(forward ? 1 : 0);
        Assert.Equal((Sum(rows, "total_packets_a2b"), Sum(rows, "total_packets_b2a")), (a.Packets, b.Packets));
        if (bytes)
        {
            // tcptrace counts 64 bytes more than the packets of d37 hold by their IP lengths (tshark agrees with us).
            Assert.Equal((Sum(rows, "actual_data_bytes_a2b"), Sum(rows, "actual_data_bytes_b2a")), (a.Bytes, b.Bytes));
        }

        RoundTrip(row, "a2b", in b);
        RoundTrip(row, "b2a", in a);
    }

    private static long Sum(Dictionary<string, string>[] rows, string field) => rows.Sum(r => Number(r[field]));

    private static string Address(string text) => IPAddress.Parse(text).ToString();

    private static void RoundTrip(Dictionary<string, string> row, string direction, in FlowState answering)
    {
        if (Number(row[$"RTT_samples_{direction}"]) > 0)
        {
            double theirs = double.Parse(row[$"RTT_min_{direction}"], CultureInfo.InvariantCulture);
            Assert.InRange(answering.BaseNs / 1e6, theirs - 0.11, theirs + 0.11);
        }
    }

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
