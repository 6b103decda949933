using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>What looks like data sent again, and what the receiver's own packets say about it.</summary>
public sealed class LossesThatAreNone
{
    // Tools begin each connection with the same number, on the same ports.
    [Theory]
    [InlineData(300, 5000, 2, 0)]
    [InlineData(0, 5000, 1, 1)]
    [InlineData(300, 500, 1, 1)]
    public void SynWithTheSameNumber_AfterData_OpensAnother(int length, double laterMs, int connections, int syns)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(21, 1000, 0);
        if (length > 0)
        {
            sequence.FromClient(22, 1000, length).FromServer(43, 1000 + (uint)length, 500);
        }

        sequence.Syn(43 + laterMs);
        if (length > 0)
        {
            sequence.SynAck(63 + laterMs).FromClient(64 + laterMs, 1000, length).FromServer(85 + laterMs, 1000 + (uint)length, 500);
        }

        CaptureEvidence evidence = sequence.Evidence();

        Assert.Equal(connections, evidence.Connections.Count);
        Assert.Equal(syns, evidence.Connections.Sum(c => c.SynRetransmissions));
        Assert.Equal(0, connections == 2 ? evidence.Connections.Sum(c => c.Sides.Sum(s => s.Timeouts)) : 0);
    }

    // An ACK of what was never sent is dropped with its data (RFC 9293 3.10.7.4); of a little more than was captured, the capture has a gap.
    [Theory]
    [InlineData(1_200_000_000, 0)]
    [InlineData(100_000, 1)]
    public void SegmentThatAcknowledgesWhatNobodySent_IsNotOfThisConnection(int beyond, int below)
    {
        CaptureEvidence evidence = new SegmentSequence().FromClient(0, 1000, 12).FromServer(1000, 1012, 200, sequence: 5000)
            .FromServer(2000, 1012 + (uint)beyond, 200, sequence: 1_200_000).FromServer(3000, 1012, 200, sequence: 6000).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal(below, server.Timeouts + server.FastRetransmissions + server.SpuriousRetransmissions);
    }

    // The only data of a host, twice: one identification is one packet, unless the host gives all packets the same.
    [Theory]
    [InlineData(60, true, false, 0)]
    [InlineData(60, false, false, 1)]
    [InlineData(60, true, true, 1)]
    [InlineData(260, true, false, 1)]
    public void TheOnlyDataTwice_IsOnePacketUnderOneIdentification(double laterMs, bool samePacket, bool numbersNothing, int losses)
    {
        const ushort Id = 0x1234;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(21, 1000, 0, id: Id);
        if (numbersNothing)
        {
            sequence.FromClient(22, 1000, 100, id: Id).FromServer(43, 1100);
        }

        uint first = numbersNothing ? 1100u : 1000u;
        sequence.FromClient(50, first, 300, id: Id).FromClient(50 + laterMs, first, 300, id: samePacket ? Id : (ushort)(Id + 1));
        CaptureEvidence evidence = sequence.FromServer(75 + laterMs, first + 300).FromServer(80 + laterMs, first + 300, 500).Evidence();

        Assert.Equal(losses, Assert.Single(evidence.Connections).Sides[0].Timeouts);
    }

    // A hole below data that had passed, filled within a round trip. With the receiver's ACKs in the capture, their silence would show a timer.
    [Theory]
    [InlineData(false, 30, 1, 0)]
    [InlineData(true, 30, 0, 1)]
    [InlineData(false, 260, 0, 1)]
    public void HoleFilledWithinARoundTrip_WithoutAnyAckCaptured_WasAskedFor(bool acks, double fillMs, int fast, int timeouts)
    {
        const int Mss = 1460;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.1).FromClient(30.1, 1000, 200, ack: 5000).FromServer(30.3, 1200, Mss, 5000);
        if (acks)
        {
            sequence.FromClient(60, 1200, 0, ack: 5000 + Mss);
        }

        // The second of four segments is missing here.
        sequence.FromServer(70, 1200, Mss, 5000 + (2 * Mss)).FromServer(70.2, 1200, Mss, 5000 + (3 * Mss));
        sequence.FromServer(70 + fillMs, 1200, Mss, 5000 + Mss);
        CaptureEvidence evidence = sequence.FromClient(105 + fillMs, 1200, 200, ack: 5000 + (4 * Mss)).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal((fast, timeouts), (server.FastRetransmissions, server.Timeouts));
    }

    // Beside the receiver. Its ACKs after the first copy still stop before it: the copy did not reach it. Or it had acknowledged it, and the ACK was lost.
    [Theory]
    [InlineData(false, 1, 0)]
    [InlineData(true, 0, 1)]
    public void DataThatTheReceiverStillAsksFor_WasLostBehindTheTap(bool acknowledged, int lost, int spurious)
    {
        const int Mss = 1460;
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(30).FromClient(30.05, 1000, 200).FromServer(60.1, 1200, Mss, 5000)
            .FromClient(60.15, 1200, 0, ack: 5000 + Mss);
        sequence.FromServer(100, 1200, Mss, 5000 + Mss).FromServer(110, 1200, Mss, 5000 + (2 * Mss));
        uint after = acknowledged ? 5000u + (3 * Mss) : 5000u + Mss;
        sequence.FromClient(110.05, 1200, 0, ack: after).FromServer(120, 1200, 0, 5000 + (3 * Mss)).FromClient(130, 1200, 10, ack: after);
        sequence.FromServer(400, 1200, Mss, 5000 + Mss);
        CaptureEvidence evidence = sequence.FromClient(400.05, 1210, 0, ack: 5000 + (3 * Mss)).FromServer(440, 1210, 100, 5000 + (3 * Mss)).Evidence();

        SideFacts server = Assert.Single(evidence.Connections).Sides[1];
        Assert.Equal((lost, spurious), (server.Timeouts, server.SpuriousRetransmissions));
        Assert.Equal(lost, server.LostBeyondTap);
    }

    /// <summary>A peer that is gone: the path is not blamed for what nothing answered.</summary>
    [Theory]
    [InlineData(4, null)]
    [InlineData(0, Side.Network)]
    public void RetransmissionsMostlyUnanswered_BlameNoPath(int unanswered, Side? side)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.05, 1000, 0).FromClient(21, 1000, 300)
            .FromClient(321, 1000, 300).FromServer(341, 1300, 500).FromClient(341.1, 1300, 0, ack: 5500).FromClient(400, 1300, 300, ack: 5500);
        double at = 700;
        for (int i = 0; i < unanswered; i++)
        {
            sequence.FromClient(at, 1300, 300, ack: 5500);
            at += 600 << i;
        }

        if (unanswered == 0)
        {
            sequence.FromServer(420, 1600, 500, sequence: 5500).FromClient(420.1, 1600, 0, ack: 6000);
        }

        Assert.Equal(side, Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121").Side);
    }

    // Devices that count the padding of a short frame into the IP length. Data has PSH, other bytes, or is a keep-alive's one byte.
    [Theory]
    [InlineData(false, 6, 0, 0)]
    [InlineData(false, 2, 0, 0)]
    [InlineData(false, 1, 0, 1)]
    [InlineData(false, 7, 0, 7)]
    [InlineData(false, 6, 1, 6)]
    [InlineData(true, 6, 0, 6)]
    public void ZerosBehindAnAck_ArePadding(bool push, int length, byte last, int payload)
    {
        byte[] tcp = new byte[20 + length];
        (tcp[12], tcp[13], tcp[^1]) = (0x50, (byte)(push ? TcpFlags.Ack | TcpFlags.Psh : TcpFlags.Ack), last);
        TcpSegment segment = default;

        Assert.Equal(DecodeOutcome.Tcp, TcpHeader.Decode(tcp, tcp.Length, ref segment));
        Assert.Equal(payload, segment.PayloadLength);
    }
}
