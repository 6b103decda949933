using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>
/// The end of a response comes long after its beginning, seen beside the client: lost before the tap and sent again, or an application that pauses. Only
/// the numbers of the server's packets can tell.
/// </summary>
public sealed class TailsLostBeforeTheTap
{
    private const int Every = 8;

    // How late the end of every eighth response is, and how many packets are missing before it.
    [Theory]
    [InlineData(220, 1, false)]
    [InlineData(310, 1, true)]
    [InlineData(640, 2, false)]
    [InlineData(48, 1, false)]
    public void ASilenceInWhichNumbersAreMissing_IsPossiblyALoss(double lateMs, int missing, bool timestamps)
    {
        CaptureEvidence evidence = Responses(lateMs, missing, timestamps: timestamps);

        IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);
        Finding finding = Assert.Single(findings, f => f.Id == "LT121");
        Assert.Equal((Side.Network, Confidence.Possible, 5L), (finding.Side, finding.Confidence, finding.Count));
        Assert.Equal(5 * lateMs, finding.CostMs!.Value, 0.5);
        Assert.True(finding.Severity <= Severity.Warning);
        Assert.Contains(finding.Against, a => a.Contains("pauses", StringComparison.Ordinal));
        ConnectionFacts connection = Assert.Single(evidence.Connections);
        Assert.All(connection.Transactions, t => Assert.InRange(t.ServerInsideNs, 0, 1_000_000));
        Assert.True(connection.Sides.Sum(s => s.AllOwnedNs) <= connection.ActiveNs);
    }

    // A pause uses no number, whatever its length; a timestamp is as fresh in a retransmission as in new data.
    [Theory]
    [InlineData(250, false)]
    [InlineData(250, true)]
    [InlineData(204, false)]
    [InlineData(1000, true)]
    public void AServerThatPausesInsideItsResponse_IsNoLoss(double lateMs, bool timestamps)
    {
        CaptureEvidence evidence = Responses(lateMs, 0, timestamps: timestamps);

        Assert.DoesNotContain(CaptureFindings.Of(evidence), f => f.Id is "LT121" or "LT122");
        Assert.Equal(5, Assert.Single(evidence.Connections).Transactions.Count(t => t.ServerInsideNs > (lateMs - 1) * 1e6));
    }

    // Longer than a first timeout; more numbers than a flight's end has packets; a host that numbers the packets of all its connections together, or none;
    // the missing packet comes after all; the missing packet may be the ACK of data that the client had sent meanwhile.
    [Theory]
    [InlineData(4000, 1, Numbers.OfTheConnection, false)]
    [InlineData(250, 12, Numbers.OfTheConnection, false)]
    [InlineData(250, 1, Numbers.OfTheHost, false)]
    [InlineData(250, 1, Numbers.None, false)]
    [InlineData(250, 1, Numbers.Overtaken, false)]
    [InlineData(250, 1, Numbers.OfTheConnection, true)]
    public void OtherReasonsForMissingNumbers_AreNoLoss(double lateMs, int missing, Numbers numbers, bool ackDue) =>
        Assert.DoesNotContain(CaptureFindings.Of(Responses(lateMs, missing, numbers, ackDue: ackDue)), f => f.Id == "LT121");

    // Two connections of one host, which counts over both, send in turn: each silence of the one has a number of the other.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(3, 1)]
    public void NumbersMissingInEachSilence_AreOfAnotherConnection(int every, int findings) =>
        Assert.Equal(findings, CaptureFindings.Of(Responses(100, 1, every: every)).Count(f => f.Id == "LT121"));

    // Five silences, and numbers that are missing as well where no data can have been lost: of other traffic, where they are half as many and more.
    [Theory]
    [InlineData(1, 1)]
    [InlineData(3, 0)]
    public void NumbersThatAreMissingElsewhereToo_AreOfOtherTraffic(int elsewhere, int findings) =>
        Assert.Equal(findings, CaptureFindings.Of(Responses(250, 1, elsewhere: elsewhere)).Count(f => f.Id == "LT121"));

    // Meanwhile another connection of that host begins: with a number that is the next one, or with one that is far away, as of a counter of its own.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(20_000, 1)]
    public void NumbersThatAnotherConnectionUses_AreNotMissing(int otherBy, int findings)
    {
        CaptureEvidence evidence = Responses(250, 1, otherBy: otherBy);

        Assert.Equal(findings, CaptureFindings.Of(evidence).Count(f => f.Id == "LT121"));
        Assert.Equal(findings > 0, evidence.Connections.Sum(c => c.Sides[1].OwnedNs(StallKind.TailLoss)) > 0);
    }

    // A system that numbers all that it sends to a host together, UDP too, as Windows does: its packets begin with another time to live.
    [Theory]
    [InlineData(60, 1)]
    [InlineData(118, 0)]
    public void NumbersOfAHostThatCountsOverAllItsPackets_ShowNothing(byte ttl, int findings) =>
        Assert.Equal(findings, CaptureFindings.Of(Responses(250, 1, ttl: ttl)).Count(f => f.Id == "LT121"));

    // A server that sends every 55 ms, or after other times; in two of its pauses, of 55 ms too, it used a number for something else, or lost the end.
    [Theory]
    [InlineData(55, 0)]
    [InlineData(31, 2)]
    public void ASilenceOfTheApplicationsRhythm_IsNoLoss(double everyMs, long losses)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(1.05, 1000, 200);
        (double at, uint next, ushort id) = (100, 5000, 100);
        for (int i = 1; i <= 60; i++, next += 200)
        {
            bool skips = i % 30 == 0;
            at += skips ? 55 : everyMs + (i % 3 * 0.2);
            sequence.FromServer(at, 1200, 100, next, id: id += (ushort)(skips ? 2 : 1)).FromServer(at + 0.2, 1200, 100, next + 100, id: ++id)
                .FromClient(at + 0.3, 1200, 0, ack: next + 200);
        }

        Assert.Equal(losses, Assert.Single(sequence.Evidence().Connections).Sides[1].TailLosses);
    }

    [Fact]
    public void BesideTheServer_NothingIsLostBeforeTheTap() =>
        Assert.DoesNotContain(CaptureFindings.Of(Responses(250, 1, serverMs: 0.05, clientMs: 20)), f => f.Id == "LT121");

    // The network address translation of a virtual machine's host: it answers at once, but for the SYN, and numbers the packets of all connections together.
    [Theory]
    [InlineData(430, 64, 0)]
    [InlineData(430, 63, 0)]
    [InlineData(430, 62, 1)]
    [InlineData(2, 64, 1)]
    public void ADeviceThatSpeaksForTheServer_ShowsNothingByItsNumbers(double answeredMs, byte ttl, int findings) => Assert.Equal(
        findings, CaptureFindings.Of(Responses(250, 1, serverMs: 2, answeredMs: answeredMs, ttl: ttl)).Count(f => f.Id == "LT121"));

    [Theory]
    [InlineData(430, 128, true)]
    [InlineData(430, 127, true)]
    [InlineData(430, 126, false)]
    public void FindingsAboutAProxiedHost_SayThatItMayBeTheDevice(double answeredMs, byte ttl, bool said)
    {
        // Ten closed windows of the server, 300 ms each.
        SegmentSequence sequence = new SegmentSequence().Ttl(ttl).Syn(0).SynAck(answeredMs).FromClient(answeredMs + 0.1, 1000, 0);
        (uint next, double at) = (1000, answeredMs + 1);
        for (int i = 0; i < 10; i++, at += 320)
        {
            sequence.FromClient(at, next, 1000).FromServer(at + 1.5, next + 1000, window: 0).FromServer(at + 300, next + 1000)
                .FromClient(at + 300.1, next + 1000, 1000).FromServer(at + 302, next + 2000);
            next += 2000;
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT112");
        Assert.Equal((Side.Server, "10.0.0.2"), (finding.Side, finding.Host));
        Assert.Equal(said, finding.Against.Any(a => a.Contains("may be that device", StringComparison.Ordinal)));
    }

    [Fact]
    public void TooFewPackets_ShowNoScheme() => Assert.DoesNotContain(CaptureFindings.Of(Responses(250, 1, count: 8)), f => f.Id == "LT121");

    [Fact]
    public void SegmentsThatTheCapturingHostJoined_HaveANumberEach()
    {
        Assert.Contains(CaptureFindings.Of(Responses(220, 1, joined: 3)), f => f.Id == "LT121");
        Assert.DoesNotContain(CaptureFindings.Of(Responses(220, 0, joined: 3)), f => f.Id == "LT121");
    }

    // Packets of 1,436 bytes where the SYN allows 1,460: four of them, joined, look like three.
    [Fact]
    public void JoinedSegments_MayHaveBeenSmallerThanTheLargest() =>
        Assert.DoesNotContain(CaptureFindings.Of(Responses(220, 1, joined: 3, more: 26)), f => f.Id == "LT121");

    // No handshake, and packets of 1,400 bytes that the capturing host joins: one of 1,419 bytes is two of them.
    [Fact]
    public void JoinedSegmentsOfAnUnknownSize_MayHaveBeenSmallerThanEthernetCarries()
    {
        SegmentSequence sequence = new();
        (double at, uint next, ushort id) = (100, 5000, 7000);
        for (int i = 0; i < 40; i++, at += 40)
        {
            int length = i % 8 == 7 ? 1419 : 700;
            sequence.FromServer(at, 1000, 2800, next, id: ++id).FromServer(at + 0.2, 1000, length, next + 2800, id: id += 2);
            sequence.FromClient(at + 0.25, 1000, 0, ack: next += 2800 + (uint)length);
            id += (ushort)(length == 1419 ? 1 : 0);
        }

        Assert.DoesNotContain(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT121" or "LT122");
    }

    // Beside the receiver: the end of a flight is lost, and its last segment again comes as a probe, in the silence behind which all that is missing is sent
    // again. The probe's number leaves room for its first copy, too; without that it may just be new data behind a pause of the application.
    [Theory]
    [InlineData(1, 4 * (77 + 24))]
    [InlineData(2, 4 * (77 + 24))]
    [InlineData(0, 4 * 24)]
    [InlineData(9, 4 * 24)]
    public void AProbeThatOpensAHole_ShowsThatItsSilenceIsTheLoss(int more, double costMs)
    {
        SegmentSequence sequence = new SegmentSequence(sackPermitted: true).Syn(0).SynAck(20).FromClient(20.05, 1000, 0);
        (double at, uint next, ushort id) = (100, 5000, 7000);
        for (int i = 0; i < 40; i++, at += 60)
        {
            sequence.FromServer(at, 1000, 1460, next, id: ++id).FromServer(at + 0.2, 1000, 1460, next + 1460, id: ++id);
            sequence.FromClient(at + 0.3, 1000, 0, ack: next += 2920);
            if (i >= 8 && i % 8 == 7)
            {
                // Two full ones are missing, and the last one comes alone, 77 ms later.
                id += (ushort)(3 + more);
                sequence.FromServer(at += 77.2, 1000, 500, next + 2920, id: id).Sack(next + 2920, next + 3420).FromClient(at + 0.1, 1000, 0, ack: next);
                sequence.FromServer(at += 24, 1000, 1460, next, id: ++id).FromServer(at + 0.2, 1000, 1460, next + 1460, id: ++id);
                sequence.FromClient(at + 0.3, 1000, 0, ack: next += 3420);
            }
        }

        Finding[] losses = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id is "LT121" or "LT122")];
        Assert.Equal(costMs, losses.Sum(f => f.CostMs ?? 0), 5.0);
    }

    // Nothing that the emulator dropped shows at this tap but by its number. Where as many ACKs were dropped, other traffic looks the same: three go untold.
    [Theory]
    [InlineData("loss_random.client.pcap", 1, 5)]
    [InlineData("loss_random.server.pcap", 0, 9)]
    public void TailsThatTheEmulatorDropped_AreFound(string capture, int side, int tails)
    {
        CaptureEvidence evidence = TruthScorer.Analyse(Samples.Truth(capture));

        Assert.Equal((tails, 0), (evidence.Connections.Sum(c => c.Sides[side].TailLosses), evidence.Connections.Sum(c => c.Sides[1 - side].TailLosses)));
    }

    [Fact]
    public void CapturesWithoutALoss_HaveNone()
    {
        string folder = Path.GetDirectoryName(Samples.Truth("labels.json"))!;
        Assert.All(TruthLabel.Read(folder).Where(l => l.Id != "loss_random").SelectMany(l => l.Captures.Values), file =>
            Assert.Equal(0, TruthScorer.Analyse(Path.Combine(folder, file)).Connections.Sum(c => c.Sides.Sum(s => s.TailLosses))));
    }

    /// <summary>How the server numbers its packets.</summary>
    public enum Numbers
    {
        OfTheConnection,
        OfTheHost,
        None,
        Overtaken,
    }

    /// <summary>Requests of one segment, responses of two, of which the second of every eighth, or other, is late.</summary>
    private static CaptureEvidence Responses(
        double lateMs, int missing, Numbers numbers = Numbers.OfTheConnection, bool ackDue = false, bool timestamps = false, double serverMs = 20,
        double clientMs = 0.05, int count = 40, int joined = 1, int more = 0, double? answeredMs = null, byte ttl = 0, int every = Every,
        int otherBy = 0, int elsewhere = 0)
    {
        double opened = (answeredMs ?? serverMs) + clientMs;
        SegmentSequence sequence = new SegmentSequence(timestamps).Ttl(ttl).Syn(0).SynAck(opened - clientMs).FromClient(opened, 1000, 0);
        (uint request, uint answer, double at) = (1000, 5000, opened + 1);
        ushort id = 7000;
        ushort Id(int packets = 1)
        {
            // A host with other connections uses one number or more for them now and then.
            id += (ushort)(packets + (numbers == Numbers.OfTheHost && (id * 7919 % 5) < 2 ? 1 : 0));
            return numbers == Numbers.None ? (ushort)0 : id;
        }

        ushort own = 100;
        int first = (timestamps ? 1448 : 1460) * joined + more;
        for (int i = 0; i < count; i++)
        {
            bool late = i % every == every - 1;
            if (otherBy != 0 && i == count / 2)
            {
                sequence.To("10.0.0.2", 40001).FromClient(at, 1000, 100, ack: 5000, id: own++)
                    .FromServer(at + serverMs, 1100, 100, 5000, id: (ushort)(id + otherBy)).FromClient(at + serverMs + 1, 1100, 0, ack: 5100, id: own++)
                    .To("10.0.0.2", 40000);
            }

            sequence.Ticks(at).FromClient(at, request, 100, ack: answer, id: own++);
            request += 100;
            at += serverMs + 0.4;
            id += (ushort)(i > 0 && i <= elsewhere ? 1 : 0);
            sequence.Ticks(at - serverMs - 1).FromServer(at, request, first, answer, id: Id());
            sequence.Ticks(at).FromClient(at + clientMs, request, 0, ack: answer + (uint)first, id: own++);
            id += (ushort)(joined - 1);
            if (late && ackDue)
            {
                sequence.FromClient(at + 1, request, 10, ack: answer + (uint)first, id: own++);
                request += 10;
            }

            at += late ? lateMs : 0.1;
            id += (ushort)(late ? missing : 0);
            sequence.Ticks(at - serverMs - 1).FromServer(at, request, 540, answer + (uint)first, id: Id());
            if (late && numbers == Numbers.Overtaken)
            {
                sequence.FromServer(at + 0.3, request, 0, answer + (uint)first, id: (ushort)(id - 1));
            }

            answer += (uint)first + 540;
            sequence.Ticks(at).FromClient(at + clientMs, request, 0, ack: answer, id: own++);
            at += clientMs + 12;
        }

        return sequence.Evidence();
    }
}
