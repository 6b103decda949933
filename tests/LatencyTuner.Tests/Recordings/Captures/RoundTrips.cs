using LatencyTuner.Core.Capture;
using LatencyTuner.Tests.Capture;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>The round trip of every ACK against tshark's ack_rtt, which measures from the last segment covered.</summary>
public sealed class RoundTrips
{
    // Where tshark has a value and we have none, frame by frame. It never is the other way round.
    private static readonly Dictionary<string, (string Why, int Frames)[]> Documented = new()
    {
        // A repeated ACK answers a needless retransmission (D-SACK): nothing new is acknowledged, tshark times the copy.
        ["loss_rto_tail.client"] = [("repeats an ACK", 3)],
        ["loss_rto_tail.server"] = [("repeats an ACK", 1)],
        ["rwnd_limited_slow_reader.server"] = [("repeats an ACK", 2)],
        ["think_server_wwr_nodelay.server"] = [("repeats an ACK", 1)],
        ["d04_smb3_multichannel"] = [("repeats an ACK", 24)],
        ["d31_one_tcp_stream_max_seq"] = [("repeats an ACK", 1)],
        ["d32_wireshark-smb-on-windows10"] = [("repeats an ACK", 3)],
        // The same packet captured twice counts once here.
        ["d24_wireshark-retrans"] = [("repeats an ACK", 4), ("captured twice", 3)],
        // The bytes were sent again in other pieces; an ACK at the end of such a piece is ambiguous (Karn).
        ["d37_reassembly"] = [("sent again in other pieces", 8)],
    };

    public static TheoryData<string> Captures => [.. Truth(), .. RealOnes()];

    [Theory]
    [MemberData(nameof(Captures))]
    public void EqualTsharks(string name)
    {
        string path = name.StartsWith('d') && char.IsDigit(name[1]) || name.StartsWith("dx", StringComparison.Ordinal) ? Samples.Pcap(name + ".pcap")
            : Samples.Truth(name + ".pcap");
        TsharkRows rows = TsharkRows.Read(Path.Combine(Path.GetDirectoryName(path)!, "reference", name + ".tshark.tsv.gz"));
        (List<(TcpConnection Connection, List<PacketRecord> Records)> connections, Samples.ConnectionTotals totals) = Samples.Follow(path);
        Dictionary<long, PacketRecord> ours = connections.SelectMany(c => c.Records).ToDictionary(r => (long)r.Frame);
        List<string> onlyTheirs = [];
        int same = 0;

        foreach ((long frame, string[] row) in rows.Rows)
        {
            long? theirs = rows.RoundTripNs(row);
            bool kept = ours.TryGetValue(frame, out PacketRecord record);
            bool timed = kept && record.Has(PacketTraits.Advancing) && record.Has(PacketTraits.ExactEnd);
            if (timed)
            {
                if (theirs is null)
                {
                    // tshark lets a SYN that was captured after its SYN/ACK begin another connection.
                    Assert.Equal(("d29_handshake-reorder", 3L), (name, frame));
                    continue;
                }

                Assert.InRange(record.SinceLastNs, theirs.Value - totals.ClockStepNs, theirs.Value + totals.ClockStepNs);
                same++;
            }
            else if (theirs is not null)
            {
                onlyTheirs.Add(!kept ? "captured twice" : record.Has(PacketTraits.Advancing) ? "sent again in other pieces" : "repeats an ACK");
            }
        }

        Assert.Equal(rows.Rows.Count, totals.Segments);
        Assert.True(same > 0 || totals.Connections < 3);
        (string, int)[] found = [.. onlyTheirs.GroupBy(w => w).Select(g => (g.Key, g.Count()))];
        Assert.Equal(Documented.GetValueOrDefault(name, []), found);
    }

    private static IEnumerable<string> Truth() => Names("truth");

    private static string[] RealOnes() =>
    [
        "d01_modbus", "d04_smb3_multichannel", "d06_http_ipv6", "d14_get-to-ssh-server", "d15_nanosecs_big_endian", "d16_pptp", "d19_timestamp", "d21_mptcp-v0",
        "d24_wireshark-retrans", "d29_handshake-reorder", "d30_tcp-fast-open", "d31_one_tcp_stream_max_seq", "d32_wireshark-smb-on-windows10", "d34_smb2-peter",
        "d35_fix", "d37_reassembly", "d38_one-sided-2745", "dx_be_nano", "dx_mod_kuznetsov", "dx_seqwrap", "dx_trunc_data", "dx_trunc_header",
    ];

    private static IEnumerable<string> Names(string folder)
    {
        string path = Path.Combine(CatalogueEntries.Shared(), folder);
        return Directory.Exists(path) ? Directory.GetFiles(path, "*.pcap").Select(f => Path.GetFileNameWithoutExtension(f)!).Order(StringComparer.Ordinal)
            : ["loss_random.client"];
    }
}
