using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>SYNs that are answered late, twice or never, such as by a small device that then sends a reading every few milliseconds.</summary>
public sealed class SlowHandshakes
{
    private const int Readings = 200;

    // The capture is made at the client, whose ACKs come late. Nagle's algorithm sends each reading right behind an ACK, with those that gathered.
    [Fact]
    public void ReadingsBehindScatteredAcks_AreHeld()
    {
        SegmentSequence sequence = Begun();
        (uint next, double at) = (5374, 20);
        for (int i = 0; i < Readings; i++)
        {
            // A reading of 12 bytes every five milliseconds.
            int length = 12 * (4 + ((i + 18) * 7 % 19 / 5));
            sequence.FromServer(at, 1018, length, next);
            next += (uint)length;
            double acked = at + 20 + (i * 7 % 19);
            sequence.FromClient(acked, 1018, 0, next);
            at = acked + 0.25 + (i % 5 * 0.02);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
        Assert.Equal(Side.Server, finding.Side);
        Assert.True(finding.Count >= Readings - 5, $"{finding.Count}");
        Assert.True(finding.CostShare > 0.8, $"{finding.CostShare}");
    }

    // A rhythm a little longer than the receiver's fixed timer: each reading comes soon after an ACK, and waited for none.
    [Fact]
    public void ReadingsInARhythm_AreNotHeld()
    {
        SegmentSequence sequence = Begun();
        uint next = 5374;
        for (int i = 0; i < Readings; i++)
        {
            double at = 20 + (i * 40.3);
            sequence.FromServer(at, 1018, 48, next);
            next += 48;
            sequence.FromClient(at + 40 + (i % 3 * 0.005), 1018, 0, next);
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
    }

    // The answer comes a few milliseconds behind the second SYN, although a round trip takes 180. A server that reports the SYN as a duplicate had both;
    // without the report, a device on the way may have answered the second.
    [Theory]
    [InlineData(999, 1000, 0)]
    [InlineData(1000, 1100, 1)]
    public void AServerThatReportsTheSynTwice_HadTheFirst(uint left, uint right, int losses)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).Syn(1001).SynAck(1005).FromClient(1005.1, 1000, 0)
            .FromClient(1006, 1000, 200).Sack(left, right).FromServer(1186, 1000, 0, 1200).FromServer(1187, 1200, 500);

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // At the server, which answers at once and repeats that twice by its timer. A client that reports both copies had the first answer, too, and the path had
    // held all of them. With one report, another block, or no answer before the second SYN, something was lost.
    [Theory]
    [InlineData(2, 4999, true, 0)]
    [InlineData(1, 4999, true, 1)]
    [InlineData(2, 5000, true, 1)]
    [InlineData(2, 4999, false, 1)]
    public void AClientThatReportsEveryCopyOfTheAnswer_HadTheFirst(int reports, uint left, bool answered, int losses)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0);
        sequence = answered ? sequence.SynAck(0.02).SynAck(1001).Syn(1450) : sequence.Syn(1450).SynAck(1450.02).SynAck(2451);
        sequence.SynAck(3004).Syn(3900).FromClient(3901, 1000, 0).FromClient(3902, 1000, 75).FromServer(3902.1, 1075);
        for (int i = 0; i < reports; i++)
        {
            sequence.Sack(left, left + 1).FromClient(3903 + i, 1075, 0);
        }

        sequence.FromServer(3906, 1075, 500).FromClient(3990, 1075, 0, ack: 5500);

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // A path that stood still brings two answers together. So soon behind the second SYN none of them repeats the other.
    [Theory]
    [InlineData(1227, 1235, 0)]
    [InlineData(1040, 1345, 1)]
    public void AnAnswerToEachSyn_BeforeAnyIsRepeated_ShowsNoLoss(double firstMs, double secondMs, int losses)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).Syn(1005).SynAck(firstMs).FromClient(firstMs + 0.1, 1000, 0)
            .SynAck(secondMs).FromClient(secondMs + 0.1, 1000, 0).FromClient(secondMs + 1, 1000, 200).FromServer(secondMs + 36, 1200, 500);

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // The only answer echoes the first SYN, or the second one. The server had the first: its answer was lost before, or this is it, late.
    [Theory]
    [InlineData(1000, Confidence.Possible)]
    [InlineData(2001, Confidence.Likely)]
    public void AnAnswerThatEchoesTheFirstSyn_MayJustBeLate(uint echo, Confidence confidence)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true, sackPermitted: true).Ticks(1000).Syn(0).Ticks(2001).Syn(1001).Ticks(500, echo)
            .SynAck(3000).Ticks(4000, 500).FromClient(3000.1, 1000, 0).FromClient(3001, 1000, 200).Ticks(600, 4000).FromServer(3041, 1200, 500);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal(confidence, finding.Confidence);
    }

    // Two answers with two numbers: the server had both SYNs. The first comes too soon to be the answer to the second; or just when that is due.
    [Theory]
    [InlineData(1180, 4999, 7000, 0)]
    [InlineData(1180, 4999, 4999, 1)]
    [InlineData(1330, 4999, 7000, 1)]
    public void AnAnswerTooSoonForTheLastSyn_OfAServerThatHadBoth_ShowsNoLoss(double answeredMs, uint first, uint second, int losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).Syn(1007).SynAck(answeredMs, sequence: first).FromClient(answeredMs + 0.05, 1000, 0)
            .SynAck(answeredMs + 190, sequence: second).FromClient(answeredMs + 300, 1000, 200).FromServer(answeredMs + 620, 1200)
            .FromServer(answeredMs + 621, 1200, 100).FromClient(answeredMs + 621.05, 1200, 0, ack: 5100);

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // Two SYNs, and three answers together, of which one is that of the server's timer, which ran since it had the first; or all of them are its timer's.
    [Theory]
    [InlineData(10, 20.0, 0)]
    [InlineData(1000, 3000.0, 1)]
    [InlineData(300, 900.0, 1)]
    [InlineData(1000, null, 1)]
    public void AnAnswerMoreThanThereWereSyns_ShowsThatThePathHeldThem(double secondMs, double? thirdMs, int losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).Syn(1000).SynAck(1400).FromClient(1400.05, 1000, 0).SynAck(1400 + secondMs);
        sequence = thirdMs is { } third ? sequence.SynAck(1400 + third) : sequence;
        sequence.FromClient(5000, 1000, 200).FromServer(5050, 1200).FromServer(5051, 1200, 100).FromClient(5051.05, 1200, 0, ack: 5100);

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // The answer echoes the first SYN. A second one, with another number, echoes the second: both had come. Or it repeats the first answer.
    [Theory]
    [InlineData(7000, 1000, 0)]
    [InlineData(4999, 0, 1)]
    public void AnAnswerToEachSyn_WithItsOwnNumber_ShowsThatBothHadCome(uint number, double echoMs, int losses)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(1000).Syn(1000).Ticks(9000, 0).SynAck(1150);
        sequence.Ticks(1150, 9000).FromClient(1150.05, 1000, 0).Ticks(9532, echoMs).SynAck(1680, sequence: number);
        sequence.Ticks(2000, 9000).FromClient(2000, 1000, 200);
        sequence.Ticks(9900, 2000).FromServer(2015, 1200).FromServer(2016, 1200, 100).Ticks(2016, 9900).FromClient(2016.05, 1200, 0, ack: 5100);

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // Handshakes with this server take 130 ms; one is over 10 ms after its second SYN, or as long as the others.
    [Theory]
    [InlineData(10, 5, 0)]
    [InlineData(131, 5, 1)]
    [InlineData(10, 4, 1)]
    public void AnAnswerSoonerThanAnyOtherOfThatServer_IsToTheFirstSyn(double answeredMs, int others, int losses)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < others; i++)
        {
            double at = i * 300;
            sequence.To("10.0.0.2", (ushort)(41_000 + i)).Syn(at).SynAck(at + 130 + i).FromClient(at + 130.05 + i, 1000, 0).FromClient(at + 140, 1000, 200)
                .FromServer(at + 140.6, 1200).FromServer(at + 270, 1200, 100).FromClient(at + 270.05, 1200, 0, ack: 5100);
        }

        sequence.To("10.0.0.2", 42_000).Syn(5000).Syn(6000).SynAck(6000 + answeredMs).FromClient(6000.05 + answeredMs, 1000, 0);
        sequence.FromClient(6140, 1000, 200).FromServer(6140.6, 1200).FromServer(6270, 1200, 100).FromClient(6270.05, 1200, 0, ack: 5100);

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // Three SYNs within 3 s, and three answers 5 s later: as far apart as the SYNs, by the server's clock as well; or from the timer of its answer.
    [Theory]
    [InlineData(1000, 3000, 0)]
    [InlineData(500, 1500, 1)]
    public void AnswersAsFarApartAsSeveralSyns_ShowNoLoss(double second, double third, int losses)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(1000).Syn(1000).Ticks(3000).Syn(3000);
        foreach (double after in new[] { 0, second, third })
        {
            sequence.Ticks(2500 + after, 0).SynAck(5000 + after).Ticks(5000 + after, 2500 + after).FromClient(5000.05 + after, 1000, 0);
        }

        Assert.Equal(losses, CaptureFindings.Of(sequence.FromClient(9000, 1000, 100).FromServer(9060, 1100, 100).Evidence()).Count(f => f.Id == "LT121"));
    }

    // One answer to two SYNs, 1700 ms after the first. By the server's timestamps it left behind the first SYN, and the path held it, or behind the second.
    [Theory]
    [InlineData(30, 0)]
    [InlineData(1670, 1)]
    public void AnAnswerThatLeftBeforeTheLastSyn_ShowsNoLoss(double leftMs, int losses)
    {
        SegmentSequence sequence = new SegmentSequence(timestamps: true).Ticks(0).Syn(0).Ticks(1000).Syn(1000).Ticks(leftMs, 0).SynAck(1700)
            .Ticks(1700).FromClient(1700.05, 1000, 0);
        for (uint i = 0; i < 40; i++)
        {
            double at = 1800 + (i * 100);
            sequence.Ticks(at).FromClient(at, 1000 + (i * 100), 100, 5000 + (i * 100)).Ticks(at + 30)
                .FromServer(at + 60, 1100 + (i * 100), 100, 5000 + (i * 100));
        }

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // A script sends the same SYN without options again and again, and takes no answer; a stack's SYN has options.
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public void SynsOfAScript_AreNotSentAgainByATimer(bool script, int losses)
    {
        SegmentSequence sequence = new();
        for (int i = 0; i < 10; i++)
        {
            sequence.Handmade(script).Syn(i * 2000).Handmade(false).SynAck((i * 2000) + 1.4);
        }

        Assert.Equal(losses, CaptureFindings.Of(sequence.Evidence()).Count(f => f.Id == "LT121"));
    }

    // From the middle of a connection: a controller writes to each of its devices in turn, twice each, and every device acknowledges at once. What it echoes is
    // its rhythm, not the path. Behind ACKs that scatter, data that keeps its distance to them is released by them.
    [Theory]
    [InlineData(0.25, 0.05, false)]
    [InlineData(3, 0.1, false)]
    [InlineData(1, 9, true)]
    [InlineData(4, 23, true)]
    public void WritesInARhythm_ToDevicesThatAcknowledgeAtOnce_AreNotHeld(double ackMs, double scatterMs, bool held)
    {
        SegmentSequence sequence = new(timestamps: true);
        (uint next, double echo) = (5000, 0);
        for (int i = 0; i < 40; i++)
        {
            double at = (i / 2 * 850) + 10 + (i % 2 * 60);
            // The second of two leaves 52 ms behind the ACK of the first.
            at = i % 2 == 0 ? at : echo + 52.4 + (i * 7 % 5 * 0.04);
            sequence.Ticks(at, echo).FromServer(at, 1000, 100, next);
            next += 100;
            echo = at + ackMs + (i * 13 % 19 / 19.0 * scatterMs);
            sequence.Ticks(echo, at).FromClient(echo, 1000, 0, next);
        }

        Assert.Equal(held, CaptureFindings.Of(sequence.Evidence()).Any(f => f.Id is "LT101" or "LT102"));
    }

    private static SegmentSequence Begun() =>
        new SegmentSequence().Syn(0).SynAck(1.16).FromClient(1.2, 1000, 0).FromClient(1.4, 1000, 18).FromServer(2.09, 1018, 374)
            .FromClient(2.1, 1018, 0, 5374);

    // Beside a server that writes every 512 ms, without a handshake, to a client whose ACKs take 24 ms or more: nothing shows how far away the server is.
    [Fact]
    public void WritesOfAClock_FollowNoAck()
    {
        SegmentSequence sequence = new(timestamps: true);
        (uint next, double echo) = (5000, 0);
        for (int i = 0; i < 40; i++)
        {
            double at = 1000 + (512 * i);
            sequence.Ticks(at, echo).FromServer(at, 1000, 44, next);
            echo = at + (i % 5 == 3 ? 31 + (i % 3) : 24 + (i % 2 * 0.8));
            sequence.Ticks(echo, at).FromClient(echo, 1000, 0, next += 44);
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102");
    }

    // A connection opens with the second SYN; another one between the same hosts, or to another server, never does.
    [Theory]
    [InlineData("10.0.0.2", true)]
    [InlineData("10.0.0.3", false)]
    public void SynsThatWereNeverAnswered_AreToldBesideThoseThatWere(string server, bool told)
    {
        CaptureEvidence evidence = new SegmentSequence().Syn(0).Syn(1000).SynAck(1020).FromClient(1020.1, 1000, 0).FromClient(1021, 1000, 100)
            .FromServer(1041, 1100, 200).FromClient(1041.1, 1100, 0, ack: 5200).To(server, 40001).Syn(20_000).Syn(21_000).Syn(23_000).Evidence();

        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT121");
        Assert.Equal(1, finding.Count);
        Assert.Equal(told, finding.For.Any(s => s.StartsWith("1 further connection between these hosts never opened", StringComparison.Ordinal)
            && s.Contains("2 SYNs were sent again", StringComparison.Ordinal)));
    }
}
