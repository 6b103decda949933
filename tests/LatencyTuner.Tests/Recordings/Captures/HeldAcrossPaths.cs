using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Small segments of a distant sender, seen at their receiver: which of them Nagle's algorithm can have held.</summary>
public sealed class HeldAcrossPaths
{
    // The second segment comes a round trip after the ACK of the first. Where it echoes what came before that ACK, it was on its way already; unless its
    // stack echoes no ACKs without data, as those from before RFC 7323.
    [Theory]
    [InlineData(true, true, 9)]
    [InlineData(true, false, 0)]
    [InlineData(false, false, 9)]
    public void WhatEchoesAnEarlierPacket_WasNotHeld(bool echoesAcks, bool echoesThis, long held)
    {
        const double RoundTripMs = 60;
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ttl(60).Ticks(1).Syn(0).Ticks(RoundTripMs, 1).SynAck(RoundTripMs);
        sequence.Ticks(RoundTripMs + 5, RoundTripMs).FromClient(RoundTripMs + 5, 1000, 0);
        (double at, uint next, double echo) = (200, 5000, echoesAcks ? RoundTripMs + 5 : 1);
        for (int i = 0; i < 9; i++)
        {
            double acked = at + 40 + (i * 3.7);
            sequence.Ticks(at, echo).FromServer(at, 1000, 66, next).Ticks(acked, at).FromClient(acked, 1000, 0, ack: next += 66);
            echo = echoesThis ? acked : echo;
            sequence.Ticks(acked + RoundTripMs, echo).FromServer(acked + RoundTripMs + 0.1, 1000, 132, next);
            at = acked + RoundTripMs + 20;
            sequence.Ticks(at, acked + RoundTripMs).FromClient(at, 1000, 0, ack: next += 132);
            echo = echoesAcks ? at : echo;
            at += 300 + (i * 7.3);
        }

        Assert.Equal(held, Held(sequence)?.Count ?? 0);
    }

    // The handshake, or the first answer, took longer than the path needs. Then a line and the rest, which comes sooner after the ACK than that.
    [Theory]
    [InlineData(9, 4.2, 5.2)]
    [InlineData(0.5, 0.3, 0.5)]
    public void WhatComesSoonerThanTheHandshake_MayHaveWaitedAllTheSame(double handshakeMs, double soonMs, double endMs)
    {
        const int Connections = 4;
        SegmentSequence sequence = new SegmentSequence().Ttl(128);
        for (ushort i = 0; i < Connections; i++)
        {
            double at = i * 1000;
            sequence.To("10.0.0.2", (ushort)(40000 + i), serverPort: 53).Syn(at).SynAck(at + handshakeMs).FromClient(at += handshakeMs + 0.05, 1000, 0);
            sequence.FromClient(at, 1000, 33).FromServer(at += handshakeMs * 0.95, 1033).FromServer(at += 270 + (i * 7.1), 1033, 1);
            sequence.FromClient(at += 41 + (i * 0.1), 1033, 0, ack: 5001).FromServer(at += soonMs, 1033, 200, 5001);
            sequence.Fin(at += 0.1, client: true, 1033, 5201).Fin(at + endMs, client: false, 5201, 1034).FromClient(at + endMs + 0.1, 1034, 0, ack: 5202);
        }

        Finding? finding = Held(sequence);
        Assert.Equal(("LT101", Connections), (finding?.Id, finding?.Count));
        Assert.DoesNotContain(finding!.Against, a => a.Contains("TCP_NODELAY", StringComparison.Ordinal));
    }

    // An FTP server says that a file is sent when it has closed the connection of its data and the end of that is acknowledged; or Nagle's algorithm holds it.
    [Theory]
    [InlineData(true, 21, 4)]
    [InlineData(true, 20, 0)]
    [InlineData(false, 20, 4)]
    public void WhatWaitsForTheEndOfAnotherConnection_WasNotHeld(bool together, ushort port, long held)
    {
        const double RoundTripMs = 2;
        SegmentSequence sequence = new SegmentSequence().Ttl(60);
        (double at, uint request, uint answer) = (100, 1000, 5000);
        sequence.To("10.0.0.2", serverPort: 21).Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.05, 1000, 0);
        for (ushort i = 0; i < 4; i++)
        {
            sequence.To("10.0.0.2", serverPort: 21).FromClient(at, request, 20, answer).FromServer(at += RoundTripMs, request += 20, 50, answer);
            answer += 50;
            sequence.To("10.0.0.2", (ushort)(50000 + i), serverPort: port).Syn(at + 0.1).SynAck(at += 0.1 + RoundTripMs).FromClient(at + 0.05, 1000, 0);
            sequence.FromServer(at += 1, 1000, 700).FromClient(at += 0.1, 1000, 0, ack: 5700).Fin(at += RoundTripMs, client: false, 5700, 1000);
            at += 36 + (i * 0.2);
            sequence.FromClient(together ? at - 0.01 : at - 30, 1000, 0, ack: 5701).To("10.0.0.2", serverPort: 21).FromClient(at, request, 0, answer);
            sequence.FromServer(at += RoundTripMs + 0.05, request, 24, answer).FromClient(at + 5, request, 0, answer += 24);
            at += 700 + (i * 31.7);
        }

        Assert.Equal(held, Held(sequence)?.Count ?? 0);
    }

    // Twelve holds that end a round trip after their ACK, and some that the path made longer.
    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    public void WhatComesTooLateToCount_IsNamed(int late)
    {
        const double RoundTripMs = 20;
        SegmentSequence sequence = new SegmentSequence().Ttl(60);
        for (int i = 0; i < 12 + late; i++)
        {
            double at = i * 500;
            sequence.To("10.0.0.2", (ushort)(40000 + i)).Syn(at).SynAck(at + RoundTripMs).FromClient(at += RoundTripMs + 0.05, 1000, 0);
            sequence.FromServer(at += 30, 1000, 10).FromClient(at += 41, 1000, 0, ack: 5010);
            sequence.FromServer(at += RoundTripMs + (i < 12 ? 0.1 : 15), 1000, 90, 5010).FromClient(at + 1, 1000, 0, ack: 5100);
        }

        Finding? finding = Held(sequence);
        Assert.Equal(12, finding?.Count);
        string said = $"{late} small segments came too late after the ACK to count, and may have been held too";
        Assert.Equal(late > 0, finding!.Against.Any(a => a.EndsWith(said, StringComparison.Ordinal)));
    }

    private static Finding? Held(SegmentSequence sequence) => CaptureFindings.Of(sequence.Evidence()).SingleOrDefault(f => f.Id is "LT101" or "LT102");
}
