using System.Globalization;
using LatencyTuner.Core.Capture;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Capture;

/// <summary>Every TCP frame of every sample against tshark: number, time, addresses, ports, and the fields of the header.</summary>
public sealed class SegmentsOfSamples
{
    /// <summary>Every difference there is, frame by frame.</summary>
    private static readonly Dictionary<string, string[]> Documented = new()
    {
        // ICMP "host unreachable": the TCP header it quotes is no segment of its own.
        ["d03_gnutella"] = ["372: only tshark", "587: only tshark", "754: only tshark", "1229: only tshark"],
    };

    public static TheoryData<string> Captures
    {
        get
        {
            string folder = Path.Combine(CatalogueEntries.Shared(), "samples", "pcap");
            return Directory.Exists(folder)
                ? [.. Directory.GetFiles(folder).Select(f => Path.GetFileName(f)!).Where(f => f.Contains(".pcap", StringComparison.Ordinal))
                    .Order(StringComparer.Ordinal)]
                : ["d01_modbus.pcap"];
        }
    }

    [Theory]
    [MemberData(nameof(Captures))]
    public void EqualTsharks(string file)
    {
        string path = Samples.Pcap(file);
        string name = file[..file.IndexOf('.', StringComparison.Ordinal)];
        TsharkRows rows = TsharkRows.Read(Path.Combine(Path.GetDirectoryName(path)!, "reference", name + ".tshark.tsv.gz"));
        List<string> differences = [];
        HashSet<long> seen = [];
        foreach (TcpSegment segment in DecodedCapture.Read(path).Segments)
        {
            seen.Add(segment.FrameNumber);
            if (!rows.Rows.TryGetValue(segment.FrameNumber, out string[]? row))
            {
                differences.Add($"{segment.FrameNumber}: tshark has no row");
                continue;
            }

            string ours = Ours(segment);
            string theirs = Theirs(rows, row);
            if (ours != theirs)
            {
                differences.Add($"{segment.FrameNumber}: {ours} and tshark {theirs}");
            }
        }

        differences.AddRange(rows.Rows.Keys.Where(f => !seen.Contains(f)).Select(f => $"{f}: only tshark"));
        Assert.Equal(string.Join('\n', Documented.GetValueOrDefault(name, [])), string.Join('\n', differences));
    }

    /// <summary>The derived files hold the packets of one capture in other containers and link layers.</summary>
    [Theory]
    [InlineData("dx_be_nano.pcap", 0)]
    [InlineData("dx_dlt_ipv4.pcap", 0)]
    [InlineData("dx_dlt_loop.pcap", 0)]
    [InlineData("dx_dlt_null_be.pcap", 0)]
    [InlineData("dx_dlt_raw12.pcap", 0)]
    [InlineData("dx_two_sections_mixed_endian.pcapng", 1)]
    [InlineData("dx_trunc_data.pcap", 0, 1)]
    [InlineData("dx_trunc_header.pcap", 0, 1)]
    public void DerivedContainers_SameSegments(string file, int numberedBlocks, int cut = 0)
    {
        List<TcpSegment> source = DecodedCapture.Read(Samples.Pcap("dx_mod_kuznetsov.pcap")).Segments;

        DecodedCapture derived = DecodedCapture.Read(Samples.Pcap(file));

        Assert.Equal(cut == 0, derived.Damage is null);
        Assert.InRange(source.Count - derived.Segments.Count, 0, cut);
        for (int i = 0; i < derived.Segments.Count; i++)
        {
            TcpSegment theirs = source[i];
            theirs.FrameNumber += numberedBlocks;
            Assert.Equal(Everything(theirs), Everything(derived.Segments[i]));
        }
    }

    private static string Everything(in TcpSegment s) =>
        $"{s.FrameNumber} {s.IpId} {s.TypeOfService} {s.WindowScale} {s.SackPermitted} {s.OptionsCut} {Ours(s)}";

    private static string Ours(in TcpSegment s) => string.Join(' ',
        Seconds(s.TimeNs), s.Source, s.SourcePort, s.Destination, s.DestinationPort, (byte)s.Flags, s.Sequence, s.Acknowledgement, s.PayloadLength, s.Window,
        s.InterfaceId,
        s.Source.IsV4 ? s.Ttl : "", s.Mss == 0 ? "" : s.Mss, s.HasTimestamp ? $"{s.TimestampValue}/{s.TimestampEcho}" : "/", Sack(s));

    private static string Theirs(TsharkRows rows, string[] row)
    {
        string F(string name) => rows.Field(row, name);
        return string.Join(' ',
            F("frame.time_epoch"), Address(F("ip.src") + F("ipv6.src")), F("tcp.srcport"), Address(F("ip.dst") + F("ipv6.dst")), F("tcp.dstport"),
            int.Parse(F("tcp.flags").AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture) & 0xFF,
            F("tcp.seq_raw"), F("tcp.ack_raw"), F("tcp.len"), F("tcp.window_size_value"), F("frame.interface_id") is { Length: > 0 } id ? id : "0",
            F("ip.ttl"), F("tcp.options.mss_val"), $"{F("tcp.options.timestamp.tsval")}/{F("tcp.options.timestamp.tsecr")}",
            Sack(F("tcp.options.sack_le"), F("tcp.options.sack_re")));
    }

    private static string Address(string text) => text.Length == 0 ? "" : System.Net.IPAddress.Parse(text).ToString();

    private static string Seconds(long ns) => $"{ns / 1_000_000_000}.{ns % 1_000_000_000:D9}";

    private static string Sack(in TcpSegment s)
    {
        List<uint> lengths = [];
        for (int i = 0; i < s.SackCount; i++)
        {
            lengths.Add(s.Sack[i].Right - s.Sack[i].Left);
        }

        return string.Join(',', lengths);
    }

    /// <summary>tshark counts the edges from its initial number of the stream; the lengths of the blocks do not depend on it.</summary>
    private static string Sack(string left, string right) => left.Length == 0 ? ""
        : string.Join(
            ',', left.Split(',').Zip(right.Split(','))
                .Select(e => uint.Parse(e.Second, CultureInfo.InvariantCulture) - uint.Parse(e.First, CultureInfo.InvariantCulture)));
}
