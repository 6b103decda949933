using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Without the handshake the scale of the window is not known; what was sent shows the least it can be.</summary>
public sealed class UnknownWindowScales
{
    private const int Mss = 1460;

    // Twenty segments in flight against a window field of 500.
    [Theory]
    [InlineData(500, 20, 6)]
    [InlineData(64000, 20, 0)]
    [InlineData(15000, 20, 1)]
    [InlineData(1, 20, 14)]
    public void LeastScale_LetsTheDataIn(int window, int segments, int scale)
    {
        CaptureEvidence evidence = Rounds(window, segments);

        Assert.Equal(scale, Assert.Single(evidence.Connections).Sides[1].LeastScale);
    }

    [Fact]
    public void DataBeyondTheBareField_IsNotHeldByTheWindow() => Assert.DoesNotContain(CaptureFindings.Of(Rounds(500, 20)), f => f.Id is "LT111" or "LT112");

    [Fact]
    public void DataThatAlwaysFillsTheBareField_IsPossibleOnly_WithTheReason()
    {
        // Ten full segments and no more, each time.
        Finding finding = Assert.Single(CaptureFindings.Of(Rounds(10 * Mss, 10)), f => f.Id == "LT111");

        Assert.Equal((Confidence.Possible, Severity.Info), (finding.Confidence, finding.Severity));
        Assert.Contains(finding.Against, a => a.Contains("scale", StringComparison.Ordinal));
    }

    // The least scale that lets the data in makes every window look nearly full.
    [Theory]
    [InlineData((10 * Mss) + 700)]
    [InlineData(460)]
    [InlineData(3700)]
    public void DataThatEndsShortOfTheBareField_IsNotHeldByTheWindow(int window) =>
        Assert.DoesNotContain(CaptureFindings.Of(Rounds(window, 10)), f => f.Id == "LT111");

    // A field of 63 with a scale of 10 is 64 KB. The second part of each reply is larger than what the bare field leaves.
    [Theory]
    [InlineData(63)]
    [InlineData(64000)]
    public void MessageLargerThanTheBareField_IsHeldByNagleStill(ushort window)
    {
        SegmentSequence sequence = new();
        for (uint i = 0; i < 20; i++)
        {
            (double at, uint request, uint reply) = (i * 48, 1000 + (i * 64), 5000 + (i * 80));
            sequence.FromClient(at, request, 64, reply, window: window).FromServer(at + 0.06, request + 64, 20, reply, window);
            sequence.FromClient(at + 40.1, request + 64, 0, reply + 20, window: window);
            sequence.FromServer(at + 40.12, request + 64, 60, reply + 20, window).FromClient(at + 40.2, request + 64, 0, reply + 80, window: window);
        }

        Finding finding = Assert.Single(CaptureFindings.Of(sequence.Evidence()), f => f.Id == "LT101");
        Assert.Equal((Side.Server, 20), (finding.Side, (int)finding.Count!));
    }

    [Theory]
    [InlineData(7, -1, false, 0)]
    [InlineData(-1, -1, false, 0)]
    [InlineData(7, 7, false, 0)]
    [InlineData(-1, -1, true, 6)]
    public void Scale_IsKnown_UnlessOptionsAreCut(sbyte client, sbyte server, bool cut, int least)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(-30, scale: client, cut: cut).SynAck(-20, scale: server, cut: cut).FromClient(-19.9, 1000, 0);

        ConnectionFacts connection = Assert.Single(Rounds(500, 20, sequence).Connections);
        Assert.Equal((!cut, least), (connection.ScaleKnown, connection.Sides[1].LeastScale));
    }

    [Fact]
    public void OfferThatOneEndDidNotMake_ScalesNothing()
    {
        Finding finding =
            Assert.Single(
                CaptureFindings.Of(Rounds(10 * Mss, 10, new SegmentSequence().Syn(-30).SynAck(-20, scale: 7).FromClient(-19.9, 1000, 0))),
                f => f.Id == "LT111");

        Assert.Equal(Confidence.Likely, finding.Confidence);
    }

    /// <summary>Rounds of so many full segments, each answered by one ACK that lets the next one out.</summary>
    private static CaptureEvidence Rounds(int window, int segments, SegmentSequence? begun = null)
    {
        SegmentSequence sequence = (begun ?? new SegmentSequence()).FromServer(-1, 1000, window: (ushort)window);
        uint next = 1000;
        for (int round = 0; round < 12; round++)
        {
            for (int i = 0; i < segments; i++, next += Mss)
            {
                sequence.FromClient((round * 40) + (0.01 * i), next, Mss);
            }

            sequence.FromServer((round * 40) + 39.95, next, window: (ushort)window);
        }

        return sequence.Evidence();
    }
}
