using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A download seen at its receiver: stops that the path shows late, and those between two halves of a window.</summary>
public sealed class BriefStops
{
    private const double RoundTripMs = 100;
    private const int Mss = 1460;

    // Six flights; the fourth comes 60 ms late. By the timestamps of both ends it had left at once, and the path held it; or its sender had paused.
    [Theory]
    [InlineData(true, 5)]
    [InlineData(false, 4)]
    public void AStopThatThePathShowsLate_CountsByTheClocksOfBothEnds(bool onThePath, long stops)
    {
        SegmentSequence sequence = new(timestamps: true);
        sequence.Ticks(1).Syn(0, scale: 7).Ticks(50, 1).SynAck(RoundTripMs, scale: 7).Ticks(RoundTripMs, 50);
        sequence.FromClient(RoundTripMs + 0.05, 1000, 0).FromClient(RoundTripMs + 0.1, 1000, 200);
        (double at, uint next, double asked) = (2 * RoundTripMs, 5000, RoundTripMs);
        for (int flight = 0; flight < 6; flight++)
        {
            double pausedMs = flight == 3 ? 60 : 0;
            sequence.Ticks(asked + (RoundTripMs / 2) + (onThePath ? 0 : pausedMs), asked);
            at += pausedMs;
            for (int i = 0; i < (int)(10 * Math.Pow(1.7, flight)); i++, next += Mss)
            {
                sequence.FromServer(at += 0.01, 1200, Mss, next);
            }

            sequence.Ticks(at, asked + (RoundTripMs / 2)).FromClient(at += 0.1, 1200, 0, ack: next);
            (asked, at) = (Math.Floor(at - 0.1), at + RoundTripMs);
        }

        Assert.Equal(stops, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113").Count);
    }

    // Flights in two halves, each a round trip behind its ACK. Between the halves a sender that has stopped again and again stops for a quarter of that.
    [Theory]
    [InlineData(28, 14)]
    [InlineData(20, 9)]
    public void StopsBetweenTheHalvesOfAWindow_Count(double halfMs, long stops)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(RoundTripMs, scale: 7).FromClient(RoundTripMs + 0.05, 1000, 0)
            .FromClient(RoundTripMs + 0.1, 1000, 200);
        (double at, uint next) = (2 * RoundTripMs, 5000);
        for (int flight = 0; flight < 10; flight++)
        {
            foreach (double later in flight < 4 ? new double[] { 0 } : [0, halfMs])
            {
                for (int i = 0; i < 10; i++, next += Mss)
                {
                    sequence.FromServer(at + later + (i * 0.01), 1200, Mss, next);
                }

                sequence.FromClient(at + later + 0.1, 1200, 0, ack: next);
            }

            at += RoundTripMs + 0.1;
        }

        Assert.Equal(stops, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT113").Count);
    }

    // Flights of 10, 20, 40 and 80 segments. A client that resets the connection during the second stop waits for nothing more.
    [Theory]
    [InlineData(false, 3)]
    [InlineData(true, 1)]
    public void WhatComesBehindAReset_WasNotAwaited(bool reset, long stops)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(RoundTripMs, scale: 7).FromClient(RoundTripMs + 0.05, 1000, 0)
            .FromClient(RoundTripMs + 0.1, 1000, 200);
        (double at, uint next) = (2 * RoundTripMs, 5000);
        for (int flight = 0; flight < 4; flight++)
        {
            for (int i = 0; i < 10 << flight; i++, next += Mss)
            {
                sequence.FromServer(at += 0.01, 1200, Mss, next);
            }

            bool gone = reset && flight > 0;
            sequence = gone ? sequence.Reset(at + 0.2 + (flight == 1 ? 30 : 0), 1200, client: true) : sequence.FromClient(at + 0.1, 1200, 0, ack: next);
            at += RoundTripMs + 0.1;
        }

        Assert.Equal(stops, CaptureFindings.Of(sequence.Evidence()).Single(f => f.Id == "LT113").Count);
    }
}
