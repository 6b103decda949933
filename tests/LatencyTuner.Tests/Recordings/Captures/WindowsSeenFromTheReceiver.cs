using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>
/// A window too small for the path, captured beside the receiver: its sender's segments come one by one, a round trip after the ACK that let each go.
/// </summary>
public sealed class WindowsSeenFromTheReceiver
{
    private const double RoundTripMs = 300;
    private const uint Mss = 1460;
    private const ushort Window = 4 * 1460;

    [Theory]
    [InlineData(0, true)]
    [InlineData(45, false)]
    public void SegmentsThatTheWindowLetGo_HadWaited_OthersHadNot(double lateMs, bool limited)
    {
        CaptureEvidence evidence = Stream(lateMs).Evidence();

        ConnectionFacts connection = Assert.Single(evidence.Connections);
        double share = connection.Sides[1].OwnedNs(StallKind.ReceiveWindow) / (double)connection.ActiveNs;
        Assert.InRange(share, limited ? 0.8 : 0, limited ? 1 : 0.05);
        Assert.True(connection.Sides[1].AllOwnedNs <= connection.ActiveNs);
        Assert.Equal(limited, CaptureFindings.Of(evidence).Any(f => f is { Id: "LT111", Side: Side.Client, Confidence: Confidence.Likely }));
    }

    /// <summary>Each segment is acknowledged at once, and is sent again 4 segments later: as soon as the ACK has arrived, or later.</summary>
    private static SegmentSequence Stream(double lateMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(RoundTripMs).FromClient(RoundTripMs + 0.05, 1000, 0, window: Window);
        sequence.FromClient(RoundTripMs + 0.1, 1000, 100, window: Window);
        double[] at = new double[60];
        for (int i = 0; i < at.Length; i++)
        {
            at[i] = i < 4 ? (2 * RoundTripMs) + 1 + (i * 60) : at[i - 4] + RoundTripMs + 0.1 + lateMs;
            uint data = 5000 + ((uint)i * Mss);
            sequence.FromServer(at[i], 1100, (int)Mss, data).FromClient(at[i] + 0.05, 1100, 0, ack: data + Mss, window: Window);
        }

        return sequence;
    }
}
