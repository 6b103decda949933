using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What a path holds back is no time of the end that sent it: the clock of its timestamps shows when that was.</summary>
public sealed class LateOnTheWay
{
    // Every second response comes 800 ms late. It was sent then, or at once and held by the path; by clocks of several ticks, some fast or slow.
    [Theory]
    [InlineData(1, 1, true)]
    [InlineData(1, 1, false)]
    [InlineData(4, 1, true)]
    [InlineData(10, 1, true)]
    [InlineData(10, 1, false)]
    [InlineData(100, 1, true)]
    [InlineData(100, 1, false)]
    [InlineData(1, 1.0005, true)]
    [InlineData(1, 1.0005, false)]
    [InlineData(1, 0.996, false)]
    public void AResponseThatThePathHeld_IsNoTimeOfTheServer(double tickMs, double rate, bool held)
    {
        const double HeldMs = 800;
        SegmentSequence sequence = Handshake(tickMs);
        double at = 100;
        uint next = 1000;
        for (int i = 0; i < 200; i++, at += 3000, next += 100)
        {
            double sentMs = at + 21 + (i % 2 == 1 && !held ? HeldMs : 0);
            double seenMs = at + 41 + (i % 2 == 1 ? HeldMs : 0);
            Tick(sequence, at, tickMs).FromClient(at, next, 100, 5000 + next - 1000);
            Tick(sequence, sentMs * rate, tickMs).FromServer(seenMs, next + 100, 100, 5000 + next - 1000);
            Tick(sequence, seenMs + 0.1, tickMs).FromClient(seenMs + 0.1, next + 100, 0, 5100 + next - 1000);
        }

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id == "LT141")];

        Assert.Equal(held ? 0 : 1, findings.Length);
        Assert.All(findings, f => Assert.InRange(f.CostMs!.Value, 75_000, 81_000));
    }

    // Beside the server. The client's next request comes 800 ms after the response, or had left long before and was held.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ARequestThatThePathHeld_IsNoPauseOfTheClient(bool held)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(5000).SynAck(0.05).Ticks(40).FromClient(40, 1000, 0);
        double at = 41;
        uint next = 1000;
        for (int i = 0; i < 20; i++, next += 100)
        {
            double seenMs = at + (i % 2 == 1 ? 800 : 0);
            sequence.Ticks(held ? at - 20 : seenMs - 20).FromClient(seenMs, next, 100, 5000 + next - 1000);
            sequence.Ticks(5000 + seenMs + 1).FromServer(seenMs + 1, next + 100, 100, 5000 + next - 1000);
            at = seenMs + 41;
        }

        Assert.Equal(!held, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT142"));
    }

    // The same inside a request: its second part comes 800 ms after the first one.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void APartOfARequestThatThePathHeld_IsNoPauseOfTheClient(bool held)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(5000).SynAck(0.05).Ticks(40).FromClient(40, 1000, 0);
        double at = 41;
        uint next = 1000;
        for (int i = 0; i < 20; i++, next += 200, at += 900)
        {
            uint ack = 5000 + ((next - 1000) / 2);
            sequence.Ticks(at - 20).FromClient(at, next, 100, ack).Ticks(5000 + at).FromServer(at + 0.05, next + 100, 0, ack);
            sequence.Ticks(held ? at - 19 : at + 780).FromClient(at + 800, next + 100, 100, ack);
            sequence.Ticks(5801 + at).FromServer(at + 801, next + 200, 100, ack);
        }

        Assert.Equal(!held, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id == "LT142"));
    }

    // Behind a queue that grows by 40 ms in each round trip, one echo in each. The timestamps of the data show the delay as well, or its sender was slow.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AQueueThatGrows_IsSeenByOneEchoInEachRoundTrip(bool queue)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(5000, 0).SynAck(0.05).Ticks(50, 5000).FromClient(50, 1000, 0);
        uint next = 1000;
        double echoedMs = 50;
        for (double at = 60; at < 12_000; at += 20, next += 1448)
        {
            // What echoes a timestamp left 25 ms after it.
            double delayMs = 25 + (at / 4);
            echoedMs = at - delayMs - 25 > echoedMs ? at - delayMs - 25 : echoedMs;
            sequence.Ticks(queue ? at - delayMs : at - 25, 5000 + echoedMs).FromClient(at, next, 1448);
            sequence.Ticks(5000 + at, 0).FromServer(at + 0.05, next + 1448);
        }

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id == "LT132")];

        Assert.Equal(queue ? 1 : 0, findings.Length);
        Assert.All(findings, f => Assert.InRange(f.CostMs!.Value, 7_500, 12_000));
    }

    private static SegmentSequence Handshake(double tickMs) =>
        Tick(Tick(Tick(new SegmentSequence(timestamps: true), 0, tickMs).Syn(0), 20, tickMs).SynAck(40), 40.1, tickMs).FromClient(40.1, 1000, 0);

    private static SegmentSequence Tick(SegmentSequence sequence, double ms, double tickMs) => sequence.Ticks(Math.Floor(ms / tickMs));
}
