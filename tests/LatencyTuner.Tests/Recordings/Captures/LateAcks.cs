using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Core.Statistics;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Late ACKs beside answers that an application delays, under a coarse tick, behind a proxy, and by a coarse clock.</summary>
public sealed class LateAcks
{
    // A timer of 40 to 44 ms that is a little late each time is that timer, for the segments that waited as well.
    [Fact]
    public void HoldsAtTheUpperEndOfATimer_AreTheTimers()
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(17).FromClient(17.03, 1000, 0);
        (uint next, double at) = (1000, 100);
        for (int i = 0; i < 20; i++, at += 900 + (i * 13))
        {
            sequence.FromClient(at, next, 33).FromServer(at + 65.5, next + 33).FromClient(at + 65.6, next + 33, 134);
            sequence.FromServer(at + 65.6 + 62.4, next += 167);
        }

        Assert.Equal("LT101", Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id is "LT101" or "LT102").Id);
    }

    // Beside the client, which acknowledges the pieces of each response late and thinks before its next request.
    [Theory]
    [InlineData(40, 90)]
    [InlineData(200, 33)]
    public void AClientThatThinks_HasItsTimerSeen(double timerMs, double thinkMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(20).FromClient(20.03, 1000, 0);
        (uint request, uint answer, double at) = (1000, 5000, 30);
        for (int i = 0; i < 40; i++)
        {
            double think = thinkMs * (0.4 + (i * 7 % 13 / 10.0));
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at += 20.5, request += 100, 200, answer);
            if (i % 2 == 0)
            {
                // One piece more, behind the late ACK of the first.
                sequence.FromClient(at += timerMs, request, 0, ack: answer + 200).FromServer(at += 20.1, request, 80, answer + 200);
                answer += 80;
            }

            (answer, at) = (answer + 200, at + think);
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(timerMs, evidence.TimerOf(Assert.Single(evidence.Connections).Client)?.Known?.ClusterMs);
        Assert.Contains(CaptureFindings.Of(evidence), f => f is { Id: "LT101", Side: Side.Server });
    }

    [Theory]
    [InlineData(109, 146)]
    [InlineData(122, 181)]
    public void HoldsThatEndAtATick_AreATickTimer(double first, double second)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(1.03, 1000, 0);
        for (uint i = 0; i < 20; i++)
        {
            // The server's ACK comes at its tick, whenever the request came.
            double tick = 1000 + (i * 600);
            (uint request, uint answer) = (1000 + (i * 150), 5000 + (i * 200));
            sequence.FromClient(tick - 1 - (i % 2 == 0 ? first : second), request, 100, ack: answer).FromServer(tick, request + 100, 0, answer);
            sequence.FromClient(tick + 0.03, request + 100, 50, ack: answer).FromServer(tick + 1.1, request + 150, 200, answer);
        }

        CaptureEvidence evidence = sequence.Evidence();
        HostTimer? timer = evidence.TimerOf(Assert.Single(evidence.Connections).Server);
        Assert.Equal((200.0, AckTimerModel.Tick), (timer!.Ms, timer.Known!.Model));
    }

    // The same with a kernel that ends its timer at a tick of 10 ms, and delays of 13 to 20 ms; or with delays of that kind that keep to no tick.
    [Theory]
    [InlineData(true, 20.0, "LT101")]
    [InlineData(false, null, "LT102")]
    public void HoldsThatEndAtATickOf10Ms_AreATimer(bool ticks, double? timerMs, string id)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(1.03, 1000, 0);
        for (uint i = 0; i < 30; i++)
        {
            double tick = 1000 + (i * 600);
            double at = tick - 13 - (i * 7 % 8) + (ticks ? 0 : i * 3.7 % 10);
            (uint request, uint answer) = (1000 + (i * 150), 5000 + (i * 200));
            double acked = ticks ? tick : at + 13 + (i * 7 % 8);
            sequence.FromClient(at, request, 100, ack: answer).FromServer(acked, request + 100, 0, answer);
            sequence.FromClient(acked + 0.03, request + 100, 50, ack: answer).FromServer(acked + 1.1, request + 150, 200, answer);
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(timerMs, evidence.TimerOf(Assert.Single(evidence.Connections).Server)?.Ms);
        Assert.Equal(id, Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT101" or "LT102").Id);
    }

    // A server that sends its ACKs every 203 ms, whenever the requests came; or one that acknowledges some of them at once, so that its path is slow at times.
    [Theory]
    [InlineData(0, 200.0, "LT101")]
    [InlineData(3, null, "LT102")]
    public void AcksOfAHeartbeat_AreATimer(int prompt, double? timerMs, string id)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(1).FromClient(1.03, 1000, 0);
        (uint request, uint answer) = (1000, 5000);
        for (int i = 0; i < 24; i++)
        {
            double beat = 1000 + (i * 3 * 203.1);
            double at = i < prompt ? beat - 1 : beat - 14 - (i * 67 % 181);
            sequence.FromClient(at, request, 100, ack: answer).FromServer(beat, request + 100, 0, answer);
            sequence.FromClient(beat + 0.03, request + 100, 50, ack: answer).FromServer(beat + 1.1, request += 150, 200, answer);
            answer += 200;
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(timerMs, evidence.TimerOf(Assert.Single(evidence.Connections).Server)?.Ms);
        Assert.Equal(id, Assert.Single(CaptureFindings.Of(evidence), f => f.Id is "LT101" or "LT102").Id);
    }

    // Beside the server, whose ACKs all come at its tick of 200 ms, after delays of all lengths; or after delays of all lengths from when the data came.
    [Theory]
    [InlineData(14, 187, true)]
    [InlineData(14, 97, true)]
    [InlineData(40, 187, true)]
    [InlineData(40, 187, false)]
    public void DelaysOfAllLengthsThatEndAtATick_AreNotThePathsJitter(uint requests, uint longest, bool tick)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.05).FromClient(6.03, 1000, 0);
        for (uint i = 0; i < requests; i++)
        {
            double delay = 5 + (i * 67 % longest);
            double at = (tick ? 1000 : 1000 + (i * 31 % 83)) + (i * 600);
            (uint request, uint answer) = (1000 + (i * 150), 5000 + (i * 200));
            sequence.FromClient(at - delay, request, 100, ack: answer).FromServer(at, request + 100, 0, answer);
            sequence.FromClient(at + 6 + (i % 3 * 0.01), request + 100, 50, ack: answer).FromServer(at + 6.1 + (i % 5 * 0.04), request + 150, 200, answer);
        }

        CaptureEvidence evidence = sequence.Evidence();
        HostTimer? timer = evidence.TimerOf(Assert.Single(evidence.Connections).Server);
        Assert.Equal(tick, timer?.Known?.Model == AckTimerModel.Tick);
        Assert.Equal(tick, CaptureFindings.Of(evidence).Any(f => f is { Id: "LT101", Side: Side.Client }));
    }

    // The server reads every 50 ms and answers at once. Where something of the client's came just before, that may have made it send.
    [Theory]
    [InlineData(0.1, false, false)]
    [InlineData(30, false, true)]
    [InlineData(0.1, true, true)]
    public void AcksThatTheServersOwnDataFollows_AreSentByAReadAndNoTimer(double behindMs, bool pipelined, bool timer)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0.3).FromClient(0.33, 1000, 0);
        for (uint i = 0; i < 30; i++)
        {
            (double at, uint request, uint answer) = (100 + (i * 130), 1000 + (i * 200), 5000 + (i * 200));
            sequence.FromClient(at, request, 100, ack: answer);
            if (pipelined)
            {
                sequence.FromServer(at + 50.3, request + 100, 0, answer).FromClient(at + 50.32, request + 100, 100, ack: answer);
                sequence.FromServer(at + 50.3 + behindMs, request + 100, 200, answer);
            }
            else
            {
                sequence.FromServer(at + 50.3, request + 100, 0, answer).FromServer(at + 50.3 + behindMs, request + 100, 200, answer);
                sequence.FromClient(at + 90, request + 100, 100, ack: answer + 200);
            }

            sequence.FromServer(at + 95, request + 200, 0, answer + 200).FromClient(at + 95.1, request + 200, 0, ack: answer + 200);
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(timer, evidence.TimerOf(Assert.Single(evidence.Connections).Server) is not null);
    }

    // Of twelve late ACKs six come after 40 ms. Where answers to SYNs, which no timer delays, are as late now and then, so is the path.
    [Theory]
    [InlineData(6, 0, true)]
    [InlineData(6, 45, false)]
    [InlineData(1, 45, false)]
    public void AcksAsLateAsHandshakes_AreNoTimer(int connections, double slowMs, bool timer)
    {
        SegmentSequence sequence = new();
        double[] late = [40, 21, 40.3, 58, 40.1, 75];
        for (int c = 0; c < connections; c++)
        {
            double at = c * 6000;
            sequence.To("10.0.0.2", (ushort)(40000 + c));
            double answered = at + 20 + (c % 3 == 0 ? slowMs : 0);
            sequence.Syn(at).SynAck(answered).FromClient(answered + 0.03, 1000, 0);
            for (uint i = 0; i < 24; i++)
            {
                double sent = at + 150 + (i * 200);
                double delay = i % 2 == 0 ? 0 : late[(c + (int)(i / 2)) % 6];
                sequence.FromClient(sent, 1000 + (i * 100), 100).FromServer(sent + 20 + delay, 1100 + (i * 100));
            }
        }

        CaptureEvidence evidence = sequence.Evidence();
        Assert.Equal(timer, evidence.TimerOf(evidence.Connections[0].Server) is not null);
    }

    [Theory]
    [InlineData(64, 57, false)]
    [InlineData(64, 64, true)]
    public void ASynProxysRoundTrip_IsNotTheServers(byte proxyTtl, byte serverTtl, bool late)
    {
        // Something 0.4 ms away answers the SYN; the ACKs of single segments take 50 ms.
        SegmentSequence sequence = new SegmentSequence().Ttl(128).Syn(0).Ttl(proxyTtl).SynAck(0.4).Ttl(128).FromClient(0.45, 1000, 0);
        for (uint i = 0; i < 30; i++)
        {
            double at = 100 + (i * 130);
            (uint request, uint answer) = (1000 + (i * 100), 5000 + (i * 200));
            sequence.Ttl(128).FromClient(at, request, 100, ack: answer).Ttl(serverTtl).FromServer(at + 50.2, request + 100, 0, answer);
            sequence.FromServer(at + 70, request + 100, 200, answer).Ttl(128).FromClient(at + 70.1, request + 100, 0, ack: answer + 200);
        }

        ConnectionFacts connection = Assert.Single(sequence.Evidence().Connections);
        Assert.Equal(late ? 30 : 0, connection.Sides[1].LateAcks);
        Assert.Equal(late ? 0.4 : 50.2, connection.ServerBaseNs!.Value / 1e6, 0.01);
    }

    [Theory]
    [InlineData(30, 0, Confidence.Likely)]
    [InlineData(12, 0, Confidence.Possible)]
    [InlineData(30, 16, Confidence.Possible)]
    public void ByACoarseClock_OnlyManyHoldsInTheTickOfTheirAck_AreLikely(int requests, double gapMs, Confidence confidence)
    {
        // Times in steps of 16 ms: one request in ten goes on a tick later.
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0).FromClient(0, 1000, 0);
        double at = 16;
        for (uint i = 0; i < requests; i++)
        {
            (uint request, uint answer) = (1000 + (i * 150), 5000 + (i * 200));
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at += 208, request + 100, 0, answer);
            sequence.FromClient(at += i % 10 == 0 ? gapMs : 0, request + 100, 50, ack: answer).FromServer(at, request + 150, 200, answer);
            at += 16;
        }

        CaptureEvidence fine = sequence.Evidence();
        CaptureEvidence evidence = new() { Connections = fine.Connections, Hosts = fine.Hosts, Limits = fine.Limits, CoarseStepNs = 16_000_000 };
        Finding finding = Assert.Single(CaptureFindings.Of(evidence), f => f.Id == "LT101");
        Assert.Equal(confidence, finding.Confidence);
        Assert.Equal(confidence == Confidence.Possible, finding.Against.Any(a => a.Contains("16 ms", StringComparison.Ordinal)));
    }

    // A connection of a few packets: all times are whole steps of 16 ms apart, of 15.625 ms as they are written in microseconds, or one is not.
    [Theory]
    [InlineData(16, 0, 16.0)]
    [InlineData(15.625, 0, 15.625)]
    [InlineData(16, 0.4, null)]
    public void ACoarseClock_ShowsInAFewPackets(double stepMs, double laterMs, double? coarseMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(0).FromClient(0, 1000, 0);
        for (uint i = 0; i < 4; i++)
        {
            (double at, uint request, uint answer) = (stepMs * (2 + (i * 9)), 1000 + (i * 150), 5000 + (i * 200));
            sequence.FromClient(at, request, 100, ack: answer).FromServer(at + (3 * stepMs) + (i == 2 ? laterMs : 0), request + 100, 0, answer);
            sequence.FromClient(at + (3 * stepMs) + (i == 2 ? laterMs : 0), request + 100, 50, ack: answer);
            sequence.FromServer(at + (4 * stepMs), request + 150, 200, answer);
        }

        Assert.Equal(coarseMs, Assert.Single(sequence.Evidence().Connections).CoarseStepNs / 1e6);
    }
}
