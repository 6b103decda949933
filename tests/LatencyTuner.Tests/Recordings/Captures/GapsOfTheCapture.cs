using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Bytes that were never captured: what lies between the packets around them is unknown.</summary>
public sealed class GapsOfTheCapture
{
    [Theory]
    [InlineData(0, 0, true)]
    [InlineData(40_000, 0, false)]
    [InlineData(3_000_000, 0, false)]
    [InlineData(0, 3000, false)]
    [InlineData(7000, 900, false)]
    public void AcrossMissingBytes_NothingIsHeld(uint fromClient, uint fromServer, bool held)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(2).FromClient(2.05, 1000, 0);
        (uint client, uint server, double at) = (1000, 5000, 100);
        for (int i = 0; i < 15; i++)
        {
            sequence.FromClient(at, client, 100, ack: server);
            (client, server) = (client + 100 + fromClient, server + fromServer);
            sequence.FromServer(at += 202, client, 0, server).FromClient(at += 0.03, client, 50, ack: server);
            client += 50;
            sequence.FromServer(at += 2.1, client, 200, server);
            (server, at) = (server + 200, at + 1);
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(held, CaptureFindings.Of(evidence).Any(f => f.Id is "LT101" or "LT102"));
        Assert.Equal(held, Assert.Single(evidence.Connections).Sides[0].AllOwnedNs > 0);
    }

    // A client repeats its data. What comes back between the same ports has another address: the answers, by their numbers, or another connection.
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1_000_000_000, 1)]
    public void WhereEachDirectionHasOtherAddresses_NoLossIsJudged(uint otherNumbers, int losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0);
        sequence.To("10.0.0.3").FromServer(20, 1000 + otherNumbers, 0, 5000 + otherNumbers);
        sequence.To("10.0.0.2").FromClient(20.1, 1000, 0).FromClient(21, 1000, 200).FromClient(321, 1000, 200);
        sequence.To("10.0.0.3").FromServer(322, 1200 + otherNumbers, 0, 5000 + otherNumbers);
        sequence.FromServer(323, 1200 + otherNumbers, 500, 5000 + otherNumbers);
        CaptureEvidence evidence = sequence.To("10.0.0.2").FromClient(323.1, 1200, 100, ack: 5500).Evidence();

        Assert.Equal(losses, CaptureFindings.Of(evidence).Count(f => f.Id is "LT121" or "LT122"));
        Assert.All(evidence.Connections, c => Assert.Equal(losses == 0, c.IsHalf));
    }

    // Beside the client, which repeats one of its last segments for SACK blocks. The capture lacks nothing before; or forty times as much as it has.
    [Theory]
    [InlineData(0, Confidence.Likely)]
    [InlineData(40_000, Confidence.Possible)]
    public void WhereMostIsMissing_NoPlaceOfALossIsSure(uint missing, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.1, 1000, 0);
        (uint next, double at) = (1000, 100);
        for (int i = 0; i < 10; i++, at += 30)
        {
            sequence.FromClient(at, next, 1000).FromServer(at + 20, next += 1000 + missing);
        }

        sequence.FromClient(at, next, 1000);
        for (uint i = 1; i <= 3; i++)
        {
            sequence.FromClient(at + (0.1 * i), next + (1000 * i), 1000);
        }

        for (uint i = 1; i <= 3; i++)
        {
            sequence.Sack(next + 1000, next + 1000 + (1000 * i)).FromServer(at + 20 + (0.1 * i), next);
        }

        Finding told = Assert.Single(
            CaptureFindings.Of(sequence.FromClient(at + 20.5, next, 1000).FromServer(at + 40.5, next + 4000).Evidence()), f => f.Id is "LT121" or "LT122");
        Assert.Equal(("LT122", confidence), (told.Id, told.Confidence));
        Assert.Equal(missing > 0, told.Against.Any(a => a.Contains("lacks more than half", StringComparison.Ordinal)));
    }

    // The capture of an idle connection begins with a keep-alive without data, one number below the next byte; or a byte is really missing.
    [Theory]
    [InlineData(1000, 0)]
    [InlineData(999, 2)]
    public void AKeepAliveAtTheBeginning_LeavesNoGap(uint first, long missed) => Assert.Equal(
        missed,
        Assert.Single(
            new SegmentSequence().FromClient(0, first, 0).FromServer(0.2, 1001).FromClient(45000, 1000, 0).FromServer(45000.2, 1001)
                .FromClient(60000, 1001, 100).FromServer(60000.2, 1101, 50).Evidence().Connections).MissedBytes);

    [Fact]
    public void MissingBytesBeforeAHold_LeaveTheHold()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(2).FromClient(2.05, 1000, 0);
        (uint client, uint server, double at) = (1000, 5000, 100);
        for (int i = 0; i < 15; i++)
        {
            // An exchange that the capture missed ends before each request.
            (client, server) = (client + 700, server + 4000);
            sequence.FromServer(at - 20, client, 0, server).FromClient(at - 19, client, 0, ack: server);
            sequence.FromClient(at, client, 100, ack: server).FromServer(at += 202, client + 100, 0, server);
            sequence.FromClient(at += 0.03, client + 100, 50, ack: server).FromServer(at += 2.1, client + 150, 200, server);
            (client, server, at) = (client + 150, server + 200, at + 25);
        }

        Assert.Contains(CaptureFindings.Of(sequence.Evidence()), f => f is { Id: "LT101" or "LT102", Side: Side.Client, Count: 15 });
    }

    // Behind the first piece of a request nothing is captured for a while: the ACK that let the next piece go may be missing too. Or a second piece comes as
    // soon without a gap.
    [Theory]
    [InlineData(3000, 15)]
    [InlineData(0, 7)]
    public void APieceBehindMissingBytes_ShowsNoNodelay(uint missing, int holds)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(2).FromClient(2.05, 1000, 0);
        (uint client, uint server, double at) = (1000, 5000, 100);
        for (int i = 0; i < 16; i++)
        {
            sequence.FromClient(at, client, 100, ack: server);
            client += 100;
            if (i == 7)
            {
                (client, server, at) = (client + missing, server + missing, at + 90);
                sequence.FromClient(at, client, 120, ack: server);
                client += 120;
            }

            sequence.FromServer(at += 52, client, 0, server);
            sequence.FromClient(at += 0.03, client, 50, ack: server).FromServer(at += 2.1, client + 50, 200, server);
            (client, server, at) = (client + 50, server + 200, at + 11 + i);
        }

        Assert.Equal(holds, Assert.Single(sequence.Evidence().Connections).Sides[0].Holds.Count);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(60_000, false)]
    public void AWindowClosedAcrossMissingBytes_IsUnknown(uint missing, bool closed)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(20, 1000, 0, window: 1000);
        sequence.FromClient(50, 1000, 100, window: 1000).FromServer(50.05, 1100, 1000, 5000).FromClient(70, 1100, 0, ack: 6000, window: 0);
        CaptureEvidence evidence = sequence.FromClient(5000, 1100, 0, ack: 6000 + missing, window: 32000).FromServer(5000.1, 1100, 1000, 6000 + missing)
            .FromClient(5020, 1100, 0, ack: 7000 + missing, window: 32000).Evidence();

        Assert.Equal(closed, CaptureFindings.Of(evidence).Any(f => f.Id == "LT112"));
    }

    // The capture begins beside a client with an ACK, numbered behind a message that it sends again then. With the handshake, the capture lacks the first copy.
    // So it is where that is all there is of the connection.
    [Theory]
    [InlineData(false, 5, 0)]
    [InlineData(false, 0, 0)]
    [InlineData(true, 5, 1)]
    public void WhatTheFirstAckIsNumberedBehind_HadBeenSentBeforeTheCapture(bool handshake, int more, long losses)
    {
        SegmentSequence sequence = new();
        sequence = handshake ? sequence.Syn(-60).SynAck(-30).FromClient(-29.9, 1000, 0) : sequence;
        sequence.FromServer(0, 1000, 300).FromClient(0.05, 1031, 0, ack: 5300).FromClient(254.8, 1000, 31, ack: 5300).FromServer(285, 1031, 0, 5300);
        (double at, uint next, uint answer) = (300, 1031, 5300);
        for (int i = 0; i < more; i++, at += 80, next += 200, answer += 300)
        {
            sequence.FromClient(at, next, 200, ack: answer).FromServer(at + 30, next + 200, 300, answer)
                .FromClient(at + 30.1, next + 200, 0, ack: answer + 300);
        }

        SideFacts client = Assert.Single(sequence.Evidence().Connections).Sides[0];
        Assert.Equal(losses, client.Timeouts);
    }
}
