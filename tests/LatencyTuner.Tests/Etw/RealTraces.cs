using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>Real traces without a reference text, against what their sources say of them.</summary>
public sealed class RealTraces
{
    [Fact]
    public void KernelNetworkOfWindows7_CountsByEvent()
    {
        using EtlReader reader = EtlSamples.Open("tx/KernelNetwork.etl");
        Dictionary<(Guid Provider, bool Classic, int Number), int> counts = EtlSamples.Count(reader);

        Assert.Equal(
            [575, 7968, 26, 134, 2],
            new[] { 10, 11, 26, 27, 29 }.Select(id => counts[(TcpEventDecoder.KernelNetworkProvider, false, id)]));
        Assert.Equal(218, new[] { 42, 43, 59 }.Sum(id => counts[(TcpEventDecoder.KernelNetworkProvider, false, id)]));
        Assert.Equal(2_994_853, reader.Clock.Frequency);
    }

    [Fact]
    public void KernelNetworkOfWindows7_DecodesEveryTcpEvent()
    {
        using EtlReader reader = EtlSamples.Open("tx/KernelNetwork.etl");
        HashSet<int> ports = new();
        TcpEventCounts counts = TcpEventDecoder.Read(reader, (in TcpEvent e, EtwPayload fields) =>
        {
            Assert.True(e.Local.IsKnown && e.Remote.IsKnown && e.Has(TcpFields.ProcessId | TcpFields.Bytes));
            Assert.InRange(e.Bytes, 0ul, 1ul << 20);
            ports.Add(e.Local.Port);
        });

        Assert.Equal((575 + 7968 + 26 + 134 + 2, 0), (counts.Decoded, counts.Undecoded));
        Assert.Equal(0, counts.Unverified);
        Assert.Contains(3389, ports);
    }

    [Fact]
    public void PktMonOfServer2022_DescribesItsPackets()
    {
        using EtlReader reader = EtlSamples.Open("demikernel/PktMon.etl");
        EtwLayouts layouts = reader.ReadLayouts();
        int packets = 0;
        int addressed = 0;
        Guid pktMon = new("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            if (header.Provider != pktMon || header.Id != 160)
            {
                return;
            }

            packets++;
            Assert.True(layouts.TryGetPayload(header, payload, out EtwPayload fields));
            EtwEventLayout layout = fields.Layout;
            Assert.True(layout.IsFromTrace);
            Assert.True(fields.TryGetBytes("Payload", out ReadOnlySpan<byte> packet));
            Assert.True(fields.TryGetNumber("LoggedPayloadSize", out ulong logged));
            Assert.Equal(logged, (ulong)packet.Length);

            // The built-in layout, for sessions that nothing was merged into, reads the same bytes.
            EtwEventLayout builtIn = EtwLayoutTable.All.Single(l => l.Provider == pktMon && l.Number == 160);
            Assert.Equal(builtIn.Fields.Select(f => f.Name), layout.Fields.Select(f => f.Name));
            Assert.True(new EtwPayload(builtIn, [.. builtIn.Fields], payload, header.PointerSize).TryGetBytes("Payload", out ReadOnlySpan<byte> same));
            Assert.True(same.SequenceEqual(packet));
            addressed += packet.Length > 34 && packet[12] == 8 && packet[13] == 0 && packet[14] == 0x45 && packet[23] == 1 ? 1 : 0;
        });

        Assert.Equal(114, packets);
        Assert.True(addressed > 0);
    }

    [Theory]
    [InlineData("airbus/AMSITrace.etl", 21, 3, 18362)]
    [InlineData("airbus/lxcore_kernel.etl", 4, 0, 19041)]
    [InlineData("syzygy/image_data_32_v1_bc3936.etl", 27, 0, 6001)]
    [InlineData("syzygy/process_data_32_v2_e07396.etl", 9, 0, 7600)]
    public void SmallTraces_AreReadCompletely(string name, int events, int lost, int build)
    {
        using EtlReader reader = EtlSamples.Open(name);
        int inline = 0;
        List<string> names = [];
        HashSet<int> pointerSizes = new();
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            inline += header.HasInlineSchema ? 1 : 0;
            if (header.InlineSchema > 0)
            {
                names.Add($"{reader.InlineNames(header.InlineSchema).Provider}/{reader.InlineNames(header.InlineSchema).Event}");
            }

            pointerSizes.Add(header.PointerSize);
        });

        Assert.Equal((events, lost, build), (reader.Counts.Events, reader.Counts.EventsLost, reader.LogHeader!.Build));
        Assert.Empty(reader.Counts.Damages);
        Assert.Equal(name.StartsWith("syzygy", StringComparison.Ordinal) ? [4] : [8], pointerSizes);
        Assert.Equal(
            name switch { "airbus/AMSITrace.etl" => ["AmsiTrace/AmsiScript"], "airbus/lxcore_kernel.etl" => ["Microsoft.Windows.Subsystem.LxCore/"], _ => [] },
            names.Select(n => n[..(n.IndexOf('/', StringComparison.Ordinal) + (n.StartsWith("Amsi", StringComparison.Ordinal) ? 11 : 1))]).Distinct());
        Assert.Equal(name == "airbus/AMSITrace.etl" ? 19 : name == "airbus/lxcore_kernel.etl" ? 2 : 0, inline);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(8)]
    public void Read_IsTheSameWithAnyNumberOfThreads(int threads)
    {
        using EtlReader reader = EtlSamples.Open("perfview/net.4.5.2.x64.etl.zip", new EtlReaderOptions { Threads = threads });
        HashCode hash = new();
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            hash.Add(header);
            hash.AddBytes(payload);
        });
        using EtlReader other = EtlSamples.Open("perfview/net.4.5.2.x64.etl.zip", new EtlReaderOptions { Threads = 1 });
        HashCode expected = new();
        other.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            expected.Add(header);
            expected.AddBytes(payload);
        });

        Assert.Equal((179_474, expected.ToHashCode()), (reader.Counts.Events, hash.ToHashCode()));
    }
}
