using System.Collections.Concurrent;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Responding;

public sealed class TokenAttacks
{
    [Fact]
    public void SkippedByTheClient_Refused()
    {
        using Responder responder = Rig.Serve(Rig.Token);
        using (RawClient client = new(responder))
        {
            client.AskFor(new SetupRequest());
            Assert.Equal(RefusalReason.Protocol, client.Refused().Reason);
        }

        Rig.AssertServesStill(responder, Rig.Token);
    }

    [Fact]
    public void RecordedSessionReplayed_Refused()
    {
        using Responder responder = Rig.Serve(Rig.Token);
        ConcurrentQueue<byte[]> recorded = new();
        using (ScriptedResponder relay = new(
            s =>
            {
                // The hello, the proof and the setup of a valid session, as an eavesdropper sees them.
                using RawClient upstream = new(responder);
                for (int frame = 0; frame < 3; frame++)
                {
                    byte[] buffer = new byte[1024];
                    byte[] sent = buffer[..s.Receive(buffer)];
                    recorded.Enqueue(sent);
                    upstream.Socket.Send(sent);
                    s.Send(buffer.AsSpan(0, upstream.Socket.Receive(buffer)));
                }
            },
            Rig.Token))
        {
            Rig.AssertFails(relay.Target, Rig.Patient(1));
        }

        Assert.Equal(3, recorded.Count);
        using (RawClient thief = new(responder))
        {
            byte[][] frames = [.. recorded];
            thief.Socket.Send(frames[0]);
            Assert.Equal(FrameType.ServerHello, Rig.ReadFrame(thief.Socket).Type);
            thief.Socket.Send(frames[1]);
            Assert.Equal(RefusalReason.Authentication, thief.Refused().Reason);
        }

        Rig.AssertServesStill(responder, Rig.Token);
    }

    [Fact]
    public void SetupChangedOnTheWay_Refused()
    {
        using Responder responder = Rig.Serve(Rig.Token);
        RefusalReason reason = default;
        using (ScriptedResponder relay = new(
            s =>
            {
                using RawClient upstream = new(responder);
                byte[] buffer = new byte[1024];
                for (int frame = 0; frame < 2; frame++)
                {
                    upstream.Socket.Send(buffer.AsSpan(0, s.Receive(buffer)));
                    s.Send(buffer.AsSpan(0, upstream.Socket.Receive(buffer)));
                }

                int length = s.Receive(buffer);
                buffer[Wire.HeaderSize + 1] ^= 1;
                upstream.Socket.Send(buffer.AsSpan(0, length));
                reason = upstream.Refused().Reason;
            },
            Rig.Token))
        {
            Rig.AssertFails(relay.Target, Rig.Patient(1));
        }

        Assert.Equal(RefusalReason.Authentication, reason);
        Rig.AssertServesStill(responder, Rig.Token);
    }
}
