using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Small segments that leave right behind data of the peer that carries the ACK: held until then, or the answer to that data.</summary>
public sealed class PiggybackedAcks
{
    // Somebody types faster than the round trip: three keys waited for a pure ACK, five for the echo of the key before, one of them for two keys. Where every
    // key comes behind the echo of the one before, it may be a script that waits for it.
    [Theory]
    [InlineData(3, 1, 8)]
    [InlineData(3, 2, 8)]
    [InlineData(3, 40, 3)]
    [InlineData(0, 1, 0)]
    public void Keys_BehindTheEchoOfOthers_WereHeld(int pure, int bytes, int holds)
    {
        const double RoundTripMs = 283;
        SegmentSequence sequence = RareHolds.Begun(new SegmentSequence(), 0, RoundTripMs);
        (double at, uint client, uint server) = (500, 1000, 5000);
        for (int i = 0; i < 2; i++, at += 1000, server += 2)
        {
            // The server splits what it says by itself.
            sequence.Push().FromServer(at, client, 1, server).FromClient(at + 0.05, client, 0, ack: server + 1);
            sequence.Push().FromServer(at + RoundTripMs + 0.05, client, 1, server + 1).FromClient(at + 400, client, 0, ack: server + 2);
        }

        for (int i = 0; i < 8; i++, at += 2000)
        {
            bool echoed = i >= pure;
            sequence.Push().FromClient(at, client, 1, ack: server).Push().FromServer(at + RoundTripMs + 1, client + 1, echoed ? 1 : 0, server);
            server += echoed ? 1u : 0;
            sequence.Push().FromClient(at + RoundTripMs + 1.03, client + 1, bytes, ack: server);
            client += 1 + (uint)bytes;
            sequence.Push().FromServer(at + (2 * RoundTripMs) + 2, client, 1, server).FromClient(at + (2 * RoundTripMs) + 50, client, 0, ack: ++server);
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(holds, Assert.Single(evidence.Connections).Sides[0].Holds.Count);
        // What echoes a key right behind it is the answer.
        Assert.Equal(2, evidence.Connections[0].Sides[1].Holds.Count);
        Assert.Equal(holds, CaptureFindings.Of(evidence).SingleOrDefault(f => f is { Id: "LT102", Side: Side.Client })?.Count ?? 0);
    }

    // A client that splits its messages: the second part leaves 0.04 ms behind the pure ACK of the first, or behind data that carries it. Its fastest answer to
    // what came when nothing was on its way took far longer, or not; or there are too few of them.
    [Theory]
    [InlineData(3, 0.7, 5)]
    [InlineData(3, 0.3, 2)]
    [InlineData(2, 0.7, 2)]
    public void WhatComesSoonerThanAnyAnswer_WasHeld(int answers, double answerMs, int holds)
    {
        const double RoundTripMs = 30;
        SegmentSequence sequence = RareHolds.Begun(new SegmentSequence(), 0, RoundTripMs);
        (double at, uint client, uint server) = (500, 1000, 5000);
        for (int i = 0; i < answers; i++, at += 2000)
        {
            // The server acknowledges at once and thinks; then its data is answered.
            sequence.Push().FromClient(at, client, 200, ack: server).FromServer(at + RoundTripMs, client += 200, 0, server);
            sequence.Push().FromServer(at + RoundTripMs + 50, client, 300, server);
            sequence.Push().FromClient(at + RoundTripMs + 50 + answerMs, client, 90, ack: server += 300);
            sequence.FromServer(at + (2 * RoundTripMs) + 55, client += 90, 0, server);
        }

        for (int i = 0; i < 5; i++, at += 2000)
        {
            bool pure = i < 2;
            sequence.Push().FromClient(at, client, 80, ack: server).Push().FromServer(at + RoundTripMs + 1, client + 80, pure ? 0 : 590, server);
            server += pure ? 0 : 590u;
            sequence.Push().FromClient(at + RoundTripMs + 1.04, client + 80, 500, ack: server);
            client += 580;
            sequence.Push().FromServer(at + (2 * RoundTripMs) + 60, client, 300, server);
            sequence.FromClient(at + (2 * RoundTripMs) + 100, client, 0, ack: server += 300);
        }

        Assert.Equal(holds, Assert.Single(sequence.Evidence().Connections).Sides[0].Holds.Count);
    }
}
