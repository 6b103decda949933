using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What a cure would bring: the transactions replayed without the wait, as the client sees them.</summary>
public sealed class PredictedCures
{
    private const int Mss = 1460;
    private const double RoundTripMs = 20;

    // Every request in two writes, each with its own time at the server; without the hold it takes a round trip and that time.
    [Theory]
    [InlineData(40, 20)]
    [InlineData(200, 20)]
    [InlineData(40, 400)]
    public void AHold_IsTakenOutOfEachRequest(double timerMs, int requests)
    {
        CurePrediction prediction = Assert.Single(Assert.Single(CaptureFindings.Of(Held(requests, timerMs).Evidence()), f => f.Id == "LT101").Predictions);

        double[] after = [.. Enumerable.Range(0, requests).Select(i => RoundTripMs + ServerMs(i)).Order()];
        double all = requests * (RoundTripMs + timerMs);
        Assert.Equal((requests, all), (prediction.N, prediction.SavesMs), (a, b) => a.Item1 == b.Item1 && Math.Abs(a.Item2 - b.Item2) < 0.005 * all);
        Assert.Equal(after[(requests - 1) / 2], prediction.P50AfterUs / 1e3, 0.3);
        Assert.Equal(after[(int)Math.Ceiling(0.99 * requests) - 1], prediction.P99AfterUs / 1e3, 0.3);
        Assert.Equal(prediction.P50AfterUs + ((timerMs + RoundTripMs) * 1e3), prediction.P50Us, 300.0);
        Assert.InRange(prediction.P99AfterUs, prediction.P99AfterLowUs ?? 0, prediction.P99AfterHighUs ?? double.MaxValue);
        Assert.Equal(requests < 368 * 2, prediction.P99AfterHighUs is null);
        Assert.False(prediction.AtBest);
    }

    [Fact]
    public void RequestsThatOverlap_CannotBeReplayed()
    {
        SegmentSequence sequence = Held(20, 40);
        double at = 10_000;
        (uint request, uint answer) = (1000 + (20 * 150), 5000 + (20 * 200));
        for (uint i = 0; i < 60; i++, at += 1)
        {
            // The server speaks before it has received what the client sent before.
            sequence.FromClient(at, request + (i * 10), 10, ack: answer + (i * 10)).FromServer(at + 0.1, request + (i * 10), 10, answer + (i * 10));
        }

        Assert.All(CaptureFindings.Of(sequence.Evidence()), f => Assert.Empty(f.Predictions));
    }

    // Uploads in chunks that each wait for all ACKs: without them the message takes one round trip and the time of the path. A short rest waits behind the
    // small end of the last chunk as Nagle's algorithm makes it, and leaves with the message then.
    [Theory]
    [InlineData(0)]
    [InlineData(1024)]
    public void SendBuffer_IsBoundedByTheRoundTrip(int rest)
    {
        const int Chunk = 8192;
        const int Chunks = 5;
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(RoundTripMs, scale: 7).FromClient(RoundTripMs + 0.03, 1000, 0);
        (uint next, uint answer, double at) = (1000, 5000, 50);
        for (int i = 0; i < 20; i++, at += 5)
        {
            int left = (Chunks * Chunk) + rest;
            while (left > 0)
            {
                int chunk = Math.Min(left, Chunk);
                for (int sent = 0; sent < chunk; sent += Mss)
                {
                    int length = Math.Min(Mss, chunk - sent);
                    sequence.FromClient(at + (sent / 1e6), next, length, ack: answer);
                    next += (uint)length;
                }

                (at, left) = (at + RoundTripMs, left - chunk);
                if (left > 0)
                {
                    // The ACK of the first segments, and that of the end.
                    sequence.FromServer(at, next - (Chunk % Mss), 0, answer).FromServer(at + 0.01, next, 0, answer);
                    at += 0.04;
                }
            }

            sequence.FromServer(at, next, 100, answer).FromClient(at + 0.03, next, 0, ack: answer += 100);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT114");
        CurePrediction prediction = Assert.Single(finding.Predictions);
        Assert.True(prediction.AtBest);
        Assert.Equal((Chunks + (rest > 0 ? 1 : 0)) * RoundTripMs, prediction.P50Us / 1e3, 0.5);
        Assert.Equal(RoundTripMs, prediction.P50AfterUs / 1e3, 1.0);
    }

    private static double ServerMs(int index) => 0.05 + (index * 7 % 11 * 0.3);

    private static SegmentSequence Held(int requests, double timerMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.03, 1000, 0);
        double at = 30;
        for (int i = 0; i < requests; i++)
        {
            (uint request, uint answer) = (1000 + ((uint)i * 150), 5000 + ((uint)i * 200));
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at += RoundTripMs + timerMs, request + 100, 0, answer);
            sequence.FromClient(at += 0.03, request + 100, 50, ack: answer).FromServer(at += RoundTripMs + ServerMs(i), request + 150, 200, answer);
            sequence.FromClient(at + 0.02, request + 150, 0, ack: answer + 200);
            at += 3;
        }

        return sequence;
    }
}
