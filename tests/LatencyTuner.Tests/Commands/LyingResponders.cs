using System.Buffers.Binary;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Tests.Measurement;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>A responder that keeps the protocol and reports figures that cannot be: they are told and left out, and cost no other target its result.</summary>
public sealed class LyingResponders
{
    private const int Requests = 40;

    private static readonly KernelCounters Huge = new()
    {
        Source = "TCP_INFO",
        RttUs = long.MaxValue,
        MinRttUs = long.MaxValue,
        RetransmittedSegments = long.MaxValue,
        RetransmittedBytes = long.MaxValue,
        RwndLimitedUs = long.MaxValue,
        SndbufLimitedUs = long.MaxValue,
        CwndLimitedUs = long.MaxValue,
        BusyUs = long.MaxValue,
        SegmentsOut = long.MaxValue,
        SegmentsIn = long.MaxValue,
        DataSegmentsOut = 0,
        DataSegmentsIn = 0,
        MssBytes = long.MaxValue,
    };

    private static ScriptedResponder Liar(long residenceNs, KernelCounters end) => new(socket =>
    {
        SetupRequest setup = ScriptedResponder.ShakeHands(socket);
        byte[] request = new byte[setup.RequestSize];
        try
        {
            for (uint i = 0; ; i++)
            {
                Rig.ReceiveExactly(socket, request);
                byte[] reply = ScriptedResponder.Reply(setup, i);
                BinaryPrimitives.WriteInt64LittleEndian(reply.AsSpan(8), residenceNs);
                socket.Send(reply);
            }
        }
        catch (EndOfStreamException)
        {
            // All requests were answered.
        }

        KernelCounters start = new() { Source = "TCP_INFO", RttUs = 1, SegmentsIn = 0, SegmentsOut = 0, DataSegmentsIn = 0, DataSegmentsOut = 0, BusyUs = 0 };
        RunResult result = ScriptedResponder.Result(Requests, 64 * Requests) with { Start = start, End = end, ResidenceNs = long.MaxValue };
        Rig.SendFrame(socket, FrameType.Result, result.Write());
    });

    [Theory]
    [InlineData(long.MaxValue)]
    [InlineData(long.MinValue)]
    [InlineData(10_000_000_000)]
    public void ImpossibleFigures_AreToldAndLeftOut(long residenceNs)
    {
        using ScriptedResponder liar = Liar(residenceNs, Huge);
        string[] words = ["measure", liar.Target.Endpoint.ToString(), "--connections", "2", "--count", "40", "--warmup", "0s", "--format", "json"];

        JsonNode report = JsonNode.Parse(CliRun.Of(words).Done().Out)!;

        JsonNode finding = report["findings"]!.AsArray().Single(f => f!["id"]!.GetValue<string>() == "LT301")!;
        string evidence = finding["for"]!.ToJsonString();
        Assert.Contains("40 of 40 replies came with a time at the server", evidence, StringComparison.Ordinal);
        Assert.Contains("kernel counters that cannot be, on 2 connections", evidence, StringComparison.Ordinal);
        Assert.DoesNotContain("9223372036854775", report.ToJsonString(), StringComparison.Ordinal);
    }

    [Fact]
    public void OneOfTwoTargets_TheOtherKeepsItsResult()
    {
        using ScriptedResponder liar = Liar(long.MaxValue, Huge);
        using RunningResponder honest = new(null);

        string report = CliRun.Of("check", liar.Target.Endpoint.ToString(), honest.Target, "--count", "40", "--no-diagnosis", "--format", "json").Out;

        JsonArray measured = JsonNode.Parse(report)!["measurements"]!.AsArray();
        // Both, and this machine itself.
        Assert.Equal([40L, 40L, 40L], measured.Select(m => m!["received"]!.GetValue<long>()));
    }
}
