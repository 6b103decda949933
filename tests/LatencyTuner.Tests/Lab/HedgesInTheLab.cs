using System.Net.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Lab;
using LatencyTuner.Tests.Measurement.Probes;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>Hedged requests on a path that stalls.</summary>
[Collection(LabTests.Name)]
public sealed class HedgesInTheLab
{
    /// <summary>Nearly half of the requests wait for a delayed ACK, and none of those from which the delay was first learned.</summary>
    [Fact]
    public void ServerThatDelaysItsAcks_TheSecondTargetIsAskedFarLessOftenThanItStalls()
    {
        LabTests.Require();
        using LabSession session = new(LabPreset.Find("receiver-200ms")!);
        using LabPeers.EchoServer server = new(session);
        HedgePlan plan = new() { RatePerSecond = 1000, Rounds = 60 };

        HedgeResult result = HedgeRun.Run(
            Target(session, i => i >= 22 && i % 9 is 0 or 2 or 4 or 6), Target(session, _ => false), plan, TimeProvider.System, CancellationToken.None);

        HedgeFigures hedge = HedgeReportBuilder.From(result).Hedge!;
        Assert.Equal(60, hedge.Hedged);
        Assert.InRange(result.FirstNs.Count(ns => ns > 150e6) / (double)result.FirstNs.Count, 0.25, 0.55);
        // A busy machine makes a few more of so few requests late; a delay that is not learned anew asks for every stall.
        Assert.InRange(hedge.ExtraLoadShare!.Value, 0, 0.25);
    }

    private static ProbeTarget Target(LabSession session, Func<int, bool> inTwoWrites) =>
        Asking.Target("tcp://127.0.0.1:9") with { Open = _ => new SplitProbe(LabPeers.EchoServer.Connect(session), inTwoWrites) };

    /// <summary>Writes a request in one or in two sends and waits for its echo.</summary>
    private sealed class SplitProbe(Socket socket, Func<int, bool> inTwoWrites) : MonitorProbe
    {
        private int _exchanges;

        public override void Exchange()
        {
            byte[] request = new byte[LabPeers.EchoServer.MessageSize];
            int first = inTwoWrites(_exchanges++) ? 16 : request.Length;
            socket.Send(request.AsSpan(0, first));
            if (first < request.Length)
            {
                socket.Send(request.AsSpan(first));
            }

            for (int got = 0, count; got < request.Length; got += count)
            {
                count = socket.Receive(request.AsSpan(got));
                if (count == 0)
                {
                    throw new PeerFailureException("The server closed the connection.");
                }
            }
        }

        public override void Interrupt() => socket.Dispose();

        protected override void Close() => socket.Dispose();
    }
}
