using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Hosts that nothing from anybody reaches for a while.</summary>
public sealed class SilentHosts
{
    // Requests to two servers, and their copies, while nothing arrives; then both answers come. At once, they were held, as no two answers to copies that left
    // 150 ms apart would come together; not where the copies left together, where the answers come apart, or where a third server is heard meanwhile.
    [Theory]
    [InlineData(150, 1, false, true)]
    [InlineData(5, 1, false, false)]
    [InlineData(150, 120, false, false)]
    [InlineData(150, 1, true, false)]
    public void AnswersThatComeAtOnce_BehindSilence_WereHeld(double apartMs, double answersMs, bool third, bool held)
    {
        SegmentSequence sequence = new(sackPermitted: true);
        Connect(sequence, "10.0.0.2", 0);
        Connect(sequence, "10.0.0.3", 100);
        Connect(sequence, "10.0.0.4", 200);
        sequence.To("10.0.0.2").FromClient(1000, 1100, 100, ack: 5200).To("10.0.0.3").FromClient(1000 + apartMs, 1100, 100, ack: 5200)
            .To("10.0.0.2").FromClient(1300, 1100, 100, ack: 5200).To("10.0.0.3").FromClient(1300 + apartMs, 1100, 100, ack: 5200);
        sequence = third ? sequence.To("10.0.0.4").FromServer(1590, 1100, 50, 5200).FromClient(1590.1, 1100, 0, ack: 5250) : sequence;
        sequence.To("10.0.0.2").FromServer(1700, 1200, 200, 5200).FromClient(1700.05, 1200, 0, ack: 5400);
        sequence.To("10.0.0.3").FromServer(1700 + answersMs, 1200, 200, 5200).FromClient(1700.05 + answersMs, 1200, 0, ack: 5400);

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id == "LT121")];
        Assert.Equal(2, findings.Length);
        Assert.All(findings, f => Assert.Equal(held ? Confidence.Possible : Confidence.Likely, f.Confidence));
        Assert.All(findings, f => Assert.Equal(held, f.Against.Any(a => a.Contains("perhaps the path stood still", StringComparison.Ordinal))));
    }

    // Only a client was captured, whose server is there on another connection. What the client acknowledges meanwhile shows that the server was heard.
    [Theory]
    [InlineData(5000, true)]
    [InlineData(5300, false)]
    public void WhoWasAcknowledged_KnewTheConnection(uint acknowledged, bool forgotten)
    {
        SegmentSequence sequence = new();
        Connect(sequence.To("10.0.0.2", 40001), "10.0.0.2", 50);
        sequence.To("10.0.0.2", 40002).FromClient(2000, 1000, 26).FromClient(11_000, 1000, 26).FromClient(20_000, 1000, 26, ack: acknowledged);

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121");
        Assert.Equal(forgotten, finding.Against.Any(a => a.Contains("no longer knew", StringComparison.Ordinal)));
        Assert.Equal(!forgotten, finding.Against.Any(a => a.StartsWith("only one direction was captured", StringComparison.Ordinal)));
    }

    // So it is with SYNs.
    [Fact]
    public void SynsThatAreAnsweredAtOnce_BehindSilence_WereHeld()
    {
        SegmentSequence sequence = new(sackPermitted: true);
        Connect(sequence, "10.0.0.4", 0);
        sequence.To("10.0.0.2").Syn(1000).To("10.0.0.3").Syn(1400).To("10.0.0.2").Syn(2000).To("10.0.0.3").Syn(2400);
        sequence.To("10.0.0.2").SynAck(2900).FromClient(2900.05, 1000, 0).To("10.0.0.3").SynAck(2901).FromClient(2901.05, 1000, 0);
        sequence.To("10.0.0.2").FromClient(2902, 1000, 100).FromServer(2922, 1100, 200).FromClient(2922.05, 1100, 0, ack: 5200);
        sequence.To("10.0.0.3").FromClient(2923, 1000, 100).FromServer(2943, 1100, 200).FromClient(2943.05, 1100, 0, ack: 5200);

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id == "LT121")];
        Assert.Equal(2, findings.Length);
        Assert.All(findings, f => Assert.Equal((Confidence.Possible, 1L), (f.Confidence, f.Count)));
        Assert.All(findings, f => Assert.Contains(f.Against, a => a.Contains("perhaps the path stood still", StringComparison.Ordinal)));
    }

    // Copies to two servers are never answered, and nothing comes from anybody: it is not the peer that is gone. One server alone cannot show that, nor where
    // a third one is heard.
    [Theory]
    [InlineData(true, false, true)]
    [InlineData(false, false, false)]
    [InlineData(true, true, false)]
    public void AHostThatHearsNobody_IsCutOffItself(bool second, bool third, bool deaf)
    {
        SegmentSequence sequence = new(sackPermitted: true);
        Connect(sequence, "10.0.0.2", 0);
        Connect(sequence, "10.0.0.3", 100);
        Connect(sequence, "10.0.0.4", 200);
        for (int i = 0; i < 4; i++)
        {
            double at = 1000 + (300 * ((1 << i) - 1));
            sequence.To("10.0.0.2").FromClient(at, 1100, 100, ack: 5200);
            sequence = second ? sequence.To("10.0.0.3").FromClient(at + 10, 1100, 100, ack: 5200) : sequence;
            sequence = third ? sequence.To("10.0.0.4").FromServer(at + 20, 1100, 50, (uint)(5200 + (50 * i))) : sequence;
        }

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id == "LT121")];
        Assert.Equal(second ? 2 : 1, findings.Length);
        Assert.All(findings, f => Assert.Equal((Confidence.Likely, 3L), (f.Confidence, f.Count)));
        Assert.All(findings, f => Assert.Equal(deaf, f.For[0].Contains("No TCP packet of any other host reached 10.0.0.1", StringComparison.Ordinal)));
        Assert.All(findings, f => Assert.Equal(deaf, f.Recommendation!.Contains("next to 10.0.0.1", StringComparison.Ordinal)));
    }

    // Nothing is heard behind two handshakes: not what the servers or a firewall do with the first requests is told, but that nobody was heard.
    [Fact]
    public void AHostThatHearsNobody_BehindItsHandshakes_IsToldTheSameTwice()
    {
        SegmentSequence sequence = new(sackPermitted: true);
        sequence.To("10.0.0.2").Syn(0).SynAck(20).FromClient(20.05, 1000, 0).To("10.0.0.3").Syn(100).SynAck(120).FromClient(120.05, 1000, 0);
        for (int i = 0; i < 4; i++)
        {
            double at = 1000 + (300 * ((1 << i) - 1));
            sequence.To("10.0.0.2").FromClient(at, 1000, 100).To("10.0.0.3").FromClient(at + 10, 1000, 100);
        }

        Finding[] findings = [.. CaptureFindings.Of(sequence.Evidence()).Where(f => f.Id == "LT121")];
        Assert.Equal(2, findings.Length);
        Assert.All(findings, f => Assert.Contains("No TCP packet of any other host reached 10.0.0.1", f.For[0], StringComparison.Ordinal));
        Assert.All(findings, f => Assert.Contains("next to 10.0.0.1", f.Recommendation, StringComparison.Ordinal));
    }

    // Two requests behind handshakes never get through. The server asks for one of them with an ACK, as where the packet without data behind it came, or says
    // nothing.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void WhereOnlyDataIsDropped_EmptyPacketsPass(bool asks)
    {
        SegmentSequence sequence = new(sackPermitted: true);
        foreach (ushort port in new ushort[] { 30000, 60000 })
        {
            sequence.To("10.0.0.2", port).Syn(port).SynAck(port + 20).FromClient(port + 20.05, 1000, 0).FromClient(port + 21, 1000, 87);
            for (double ms = 300; ms < 10_000; ms *= 2)
            {
                sequence.FromClient(port + 21 + ms, 1000, 87);
                sequence = asks && port == 60000 && ms == 600 ? sequence.FromServer(port + 41.5 + ms, 1000) : sequence;
            }
        }

        string told = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT121").For[0];
        Assert.Contains("no data behind it was ever acknowledged: something drops what carries data", told, StringComparison.Ordinal);
        Assert.True(asks == told.EndsWith("packets without data pass", StringComparison.Ordinal), told);
    }

    [Fact]
    public void Silences_AreFromPacketToPacket_WhereSomethingWasSentAgain()
    {
        HostSilences silences = new();
        silences.Ask();
        foreach ((long ms, bool asks) in ((long, bool)[])[(1000, true), (1100, true), (1500, false), (1800, true), (2300, false)])
        {
            silences.Hear(ms * 1_000_000);
            if (asks)
            {
                silences.Ask();
            }
        }

        Assert.Null(silences.At(900_000_000));
        Assert.Null(silences.At(1_050_000_000));
        Assert.Equal((1_100_000_000L, 1_500_000_000L), silences.At(1_300_000_000));
        Assert.Null(silences.At(1_600_000_000));
        Assert.Equal((1_800_000_000L, 2_300_000_000L), silences.At(2_299_999_999));
        Assert.Null(silences.At(2_300_000_001));
        silences.Ask();
        Assert.Equal((2_300_000_000L, long.MaxValue), silences.At(2_300_000_001));
    }

    private static void Connect(SegmentSequence sequence, string server, double ms) =>
        sequence.To(server).Syn(ms).SynAck(ms + 20).FromClient(ms + 20.05, 1000, 0).FromClient(ms + 21, 1000, 100).FromServer(ms + 41, 1100, 200)
            .FromClient(ms + 41.05, 1100, 0, ack: 5200);
}
