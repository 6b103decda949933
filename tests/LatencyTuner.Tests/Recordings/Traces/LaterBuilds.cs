using System.Net;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Findings;
using LatencyTuner.Tests.Commands;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>Events that only later builds of Windows have, or write in another form, and what must not be read into older ones.</summary>
public sealed class LaterBuilds
{
    private const ulong Tcb = 0xFFFF_8000_0000_6000;
    private const ulong Endpoint = 0xFFFF_8000_0000_7000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.4.0.7"), 54_500);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.4.0.80"), 6_379);

    [Fact]
    public void DelayedAckTimer_IsANumberInJson()
    {
        TcpipEvents events = Connection();
        for (int i = 0; i < 12; i++)
        {
            long t = 10_000 + (i * 300_000L);
            events.DataReceived(t, Tcb, 100, (uint)(i * 100)).TimerStartedV2(t + 1, Tcb, TcpipEvents.DelayedAckTimer, i == 3 ? 10u : 50u)
                .TimerStartedV2(t + 2, Tcb, 5, 1_000).TimerExpired(t + 50_000, Tcb, TcpipEvents.DelayedAckTimer);
        }

        Finding finding = Assert.Single(TraceRun.Findings(events), f => f.Cause == Cause.DelayedAck);
        Assert.Equal((12L, 50.0, 12L), (finding.Armed!.Value, finding.ArmedMs!.Value, finding.Fired!.Value));

        using TempFolder folder = new();
        File.WriteAllBytes(folder["made.etl"], new EtlWriter().Add(events.Records).ToArray());
        JsonNode json = JsonNode.Parse(CliRun.Of("analyze", folder["made.etl"], "--format", "json").Done().Out)!["findings"]!.AsArray()
            .Single(f => f!["id"]!.GetValue<string>() == "LT103")!;
        Assert.Equal((12, 50.0), (json["armed"]!.GetValue<int>(), json["armedMs"]!.GetValue<double>()));
    }

    /// <summary>An indication that was accepted has no 1158 of its own: what comes next belongs to other data, or to a read that waited.</summary>
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void IndicationsThatWereAccepted_AreNotReadLate(bool requested, bool indicatedAgain)
    {
        TcpipEvents events = new TcpipEvents().Accepted(0, Tcb, Server, Client, 88);
        for (int i = 0; i < 20; i++)
        {
            long t = 10_000 + (i * 150_000L);
            events.DataReceived(t, Tcb, 100, (uint)(i * 200)).DeliveryIndicated(t + 5, Tcb, 100, 0);
            if (requested)
            {
                events.ReceiveRequested(t + 60_000, Tcb, 100, 0);
            }

            events.DataReceived(t + 70_000, Tcb, 100, (uint)(i * 200) + 100);
            if (indicatedAgain)
            {
                events.DeliveryIndicated(t + 70_003, Tcb, 100, 0);
            }

            events.DeliverySatisfied(t + 70_009, Tcb, 100, 0);
        }

        Assert.DoesNotContain(TraceRun.Findings(events), f => f.Cause is Cause.ServerThink or Cause.ClientThink);
    }

    [Fact]
    public void AReadBehindItsData_IsLate()
    {
        TcpipEvents events = new TcpipEvents().Accepted(0, Tcb, Server, Client, 88);
        for (int i = 0; i < 8; i++)
        {
            long t = 10_000 + (i * 150_000L);

            // The first data was accepted; the next one waits for a read.
            events.DataReceived(t, Tcb, 100, (uint)(i * 200)).DeliveryIndicated(t + 5, Tcb, 100, 0).DataReceived(t + 9_000, Tcb, 100, (uint)(i * 200) + 100)
                .DeliveryIndicated(t + 9_005, Tcb, 100, 0).ReceiveRequested(t + 34_000, Tcb, 100, 0).DeliverySatisfied(t + 34_005, Tcb, 100, 0);
        }

        Finding finding = Assert.Single(TraceRun.Findings(events), f => f.Cause == Cause.ServerThink);
        Assert.Equal((8, 200.0), ((int)finding.Count, Math.Round(finding.CostMs!.Value)));
    }

    /// <summary>The option by its value: Nagle's algorithm cannot hold data while it is on, and can when it was set to 0.</summary>
    [Theory]
    [InlineData("tcb", 1, 0)]
    [InlineData("thread", 1, 0)]
    [InlineData("thread-before", 1, 0)]
    [InlineData("endpoint", 1, 0)]
    [InlineData("tcb", 0, 30)]
    [InlineData("thread", 0, 30)]
    [InlineData("endpoint", 0, 30)]
    [InlineData("other-option", 1, 30)]
    [InlineData("other-level", 1, 30)]
    [InlineData("other-socket", 1, 30)]
    public void NoDelay_IsReadFromItsValue(string how, byte value, int holds)
    {
        TcpipEvents events = Connection().On(77, 5);
        _ = how switch
        {
            "tcb" => events.SocketOptionValue(2_000, Tcb, 6, 1, value, 0, 0, 0),
            "thread" => events.SocketOptionValue(2_000, Endpoint, 6, 1, value).OptionSet(2_004, Tcb, 1),
            "thread-before" => events.OptionSet(2_000, Tcb, 1).SocketOptionValue(2_003, Endpoint, 6, 1, value, 0, 0, 0),
            "endpoint" => events.EndpointCreatedV2(500, Endpoint, Client, 77).SocketOptionValue(2_000, Endpoint, 6, 1, value, 0, 0, 0),
            "other-option" => events.SocketOptionValue(2_000, Tcb, 6, 3, value, 0, 0, 0),
            "other-level" => events.SocketOptionValue(2_000, Tcb, 0xFFFF, 1, value, 0, 0, 0),
            _ => events.SocketOptionValue(2_000, Endpoint, 6, 1, value, 0, 0, 0),
        };
        Finding[] findings = [.. TraceRun.Findings(Split(events.On(0, 0), 30, 10_000)).Where(f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck)];

        Assert.Equal(holds, findings.Sum(f => f.Count));
        Assert.Equal(holds > 0 && value == 0, findings.Any(f => f.For.Any(s => s.Contains("TCP_NODELAY was set to 0", StringComparison.Ordinal))));
    }

    [Fact]
    public void NoDelay_SetLate_IsTold()
    {
        TcpipEvents events = Split(Connection(), 30, 10_000).SocketOptionValue(10_000_000, Tcb, 6, 1, 1, 0, 0, 0);

        Finding finding = Assert.Single(TraceRun.Findings(events), f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck);
        Assert.Contains(finding.For, s => s.Contains("set late", StringComparison.Ordinal));
    }

    /// <summary>Events of ACKs that the trace lacks, or has twice: from version 3 on a segment says what is unacknowledged.</summary>
    [Theory]
    [InlineData(true, false, 24)]
    [InlineData(false, true, 25)]
    public void SndUna_Resynchronises(bool lost, bool twice, int holds)
    {
        TcpipEvents events = Connection();
        uint at = 1_000;
        for (int i = 0; i < 25; i++)
        {
            long t = 10_000 + (i * 300_000L);
            events.SendPosted(t, Tcb, 60, at, "posted").DataSentV3(t + 5, Tcb, 60, at, at).SendPosted(t + 50, Tcb, 150, at + 60, "posted");
            if (!lost || i != 0)
            {
                events.CumulativeAck(t + 44_000, Tcb, 60, at + 60);
            }

            events.DataSentV3(t + 44_009, Tcb, 150, at + 60, at + 60).CumulativeAck(t + 45_000, Tcb, 150, at + 210);
            if (twice)
            {
                events.Add(
                    t + 45_002, 1429, 0,
                    events.P(Tcb).U32(14_600).U32(65_535).U32(150).U32(at + 210).Raw([0]).U64(0).U64(0).U32(0).U64(0).U32(0).U32(0));
            }

            at += 210;
            events.DataReceived(t + 45_004, Tcb, 30, (uint)i * 30);
        }

        Assert.Equal(holds, TraceRun.Findings(events).Where(f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck).Sum(f => f.Count));
    }

    [Fact]
    public void EventsOfUnknownVersions_AreNamedAsMissingEvidence()
    {
        TcpipEvents events = Split(Connection(), 5, 10_000);
        for (int i = 0; i < 7; i++)
        {
            events.Add(20_000 + i, 1_064, 3, new ByteWriter().Zeros(80));
        }

        Finding finding = Assert.Single(TraceRun.Findings(events), f => f.Id == "LT301");
        Assert.Contains(finding.For, s => s.Contains("7 events about TCP", StringComparison.Ordinal));
        Assert.Contains(finding.For, s => s.Contains("event 1064, version 3", StringComparison.Ordinal));
    }

    private static TcpipEvents Connection() => new TcpipEvents().Connected(0, Tcb, Client, Server, 77);

    /// <summary>Requests in two pieces, of which the second leaves with the ACK of the first, 44 ms later.</summary>
    private static TcpipEvents Split(TcpipEvents events, int count, long from)
    {
        uint at = 1_000;
        for (int i = 0; i < count; i++)
        {
            long t = from + (i * 300_000L);
            events.SendPosted(t, Tcb, 60, at, "posted").DataSent(t + 5, Tcb, 60, at).SendPosted(t + 50, Tcb, 150, at + 60, "posted")
                .CumulativeAck(t + 44_000, Tcb, 60, at + 60).DataSent(t + 44_009, Tcb, 150, at + 60).CumulativeAck(t + 45_000, Tcb, 150, at + 210)
                .DataReceived(t + 45_004, Tcb, 30, (uint)i * 30);
            at += 210;
        }

        return events;
    }
}
