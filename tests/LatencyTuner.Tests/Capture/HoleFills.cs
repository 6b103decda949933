using LatencyTuner.Core.Analysis.Captures;
using Xunit;

namespace LatencyTuner.Tests.Capture;

/// <summary>A hole in the peer's data that is filled soon after, with nothing in the packets that would tell which was sent first.</summary>
public sealed class HoleFills
{
    private const int Mss = 1460;
    private const double BaseMs = 2.8;

    [Theory]
    [InlineData(0.6 * BaseMs, true)]
    [InlineData(1.02 * BaseMs, false)]
    public void WithinTheRoundTripToTheSender_IsReordering_LaterIsARepairedLoss(double afterMs, bool overtaken)
    {
        SideFacts server = Assert.Single(Filled(afterMs).Connections).Sides[1];

        Assert.Equal((overtaken ? 5 : 0, overtaken ? 0 : 5), (server.Reorderings, server.LostBeforeTap));
    }

    /// <summary>Five answers of four segments at the client's tap; the second segment of each comes last.</summary>
    private static CaptureEvidence Filled(double afterMs)
    {
        SegmentSequence sequence = new SegmentSequence().Syn(0).SynAck(BaseMs).FromClient(BaseMs + 0.05, 1000, 0);
        uint request = 1000;
        uint answer = 5000;
        for (int i = 0; i < 5; i++, request += 100, answer += 4 * Mss)
        {
            double start = 20 + (i * 50);
            double first = start + BaseMs + 0.1;
            sequence.FromClient(start, request, 100, ack: answer)
                .FromServer(first, request + 100, Mss, answer, id: 0)
                .FromServer(first + 0.02, request + 100, Mss, answer + (2 * Mss), id: 0)
                .FromClient(first + 0.03, request + 100, 0, ack: answer + Mss)
                .FromServer(first + 0.04, request + 100, Mss, answer + (3 * Mss), id: 0)
                .FromClient(first + 0.05, request + 100, 0, ack: answer + Mss)
                .FromServer(first + 0.02 + afterMs, request + 100, Mss, answer + Mss, id: 0)
                .FromClient(first + 0.05 + afterMs, request + 100, 0, ack: answer + (4 * Mss));
        }

        return sequence.Evidence();
    }
}
