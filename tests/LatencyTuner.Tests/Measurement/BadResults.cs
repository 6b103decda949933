using System.Net.Sockets;
using System.Text;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using Xunit;

namespace LatencyTuner.Tests.Measurement;

public sealed class BadResults
{
    private const int Good = 20;

    [Theory]
    [InlineData("garbage")]
    [InlineData("truncated")]
    [InlineData("negative")]
    [InlineData("closes")]
    [InlineData("never")]
    [InlineData("drips")]
    public void NotUsable_NumbersKeptWithANote(string how)
    {
        ScriptedResponder? peer = null;
        using (peer = new ScriptedResponder(s =>
        {
            SetupRequest setup = ScriptedResponder.ShakeHands(s);
            ScriptedResponder.Answer(s, setup, Good);
            SendResult(how, s, peer!, ScriptedResponder.Result(Good, Good * 64));
        }))
        {
            MeasurementResult result = Rig.Run(peer.Target, Rig.Plan(Good));

            Assert.True(result.Complete);
            Assert.Equal(Good, result.Received);
            Assert.Equal(0, result.StreamBytes);
            Rig.AssertSentence(Assert.Single(result.Notes));
        }
    }

    [Theory]
    [InlineData("garbage")]
    [InlineData("never")]
    [InlineData("too few")]
    [InlineData("too many")]
    public void OfAStreamNotUsable_StreamNotAcknowledged(string how)
    {
        ScriptedResponder? peer = null;
        using (peer = new ScriptedResponder(s =>
        {
            SetupRequest setup = ScriptedResponder.ShakeHands(s);
            Rig.ReceiveExactly(s, new byte[setup.RequestSize * Good]);
            long bytes = (setup.RequestSize * Good) + how switch { "too few" => -1, "too many" => 1L << 40, _ => 0 };
            SendResult(how, s, peer!, ScriptedResponder.Result(Good, bytes));
        }))
        {
            MeasurementResult result = Rig.Run(peer.Target, Rig.Plan(Good, new Workload { Pattern = WritePattern.Stream, Writes = [100] }));

            Rig.AssertSentence(result.EndedBecause);
            Assert.Contains("did not acknowledge the stream", result.EndedBecause!, StringComparison.Ordinal);
            Assert.Equal(Good, result.Received);
            Assert.InRange(result.StreamBytes, 0, Good * 100);
        }
    }

    private static void SendResult(string how, Socket s, ScriptedResponder peer, RunResult result)
    {
        byte[] frame = FrameHeader.Frame(FrameType.Result, result.Write(), []);
        switch (how)
        {
            case "garbage":
                s.Send(Encoding.ASCII.GetBytes("HTTP/1.1 500\r\n\u001b[31m\r\n\r\n"));
                break;
            case "truncated":
                s.Send(FrameHeader.Frame(FrameType.Result, result.Write().AsSpan(0, 40), []));
                break;
            case "negative":
                s.Send(FrameHeader.Frame(FrameType.Result, (result with { Messages = -1 }).Write(), []));
                break;
            case "closes":
                return;
            case "drips":
                foreach (byte b in frame)
                {
                    s.Send([b]);
                    peer.Ended.WaitOne(50);
                }

                break;
            case "too few" or "too many":
                s.Send(frame);
                break;
        }

        peer.Hold();
    }

    [Fact]
    public void NeverFromManyConnections_OneTimeoutForAll()
    {
        ScriptedResponder? peer = null;
        using (peer = new ScriptedResponder(s =>
        {
            ScriptedResponder.Answer(s, ScriptedResponder.ShakeHands(s), 1);
            peer!.Hold();
        }))
        {
            MeasurementPlan plan = Rig.Plan(16) with { Connections = 16, ReplyTimeout = TimeSpan.FromSeconds(1), HandshakeTimeout = TimeSpan.FromSeconds(10) };
            long start = TimeProvider.System.GetTimestamp();

            MeasurementResult result = Rig.Run(peer.Target, plan);

            Assert.Equal(16, result.Received);
            Assert.True(result.Notes.Count >= 1);
            // Sixteen timeouts would take 16 s at least.
            Assert.True(TimeProvider.System.GetElapsedTime(start) < TimeSpan.FromSeconds(12));
        }
    }
}
