using System.Collections.Concurrent;
using System.Text;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Responding;

public sealed class TokenAttacks
{
    private static byte[] Frame((FrameType Type, byte[] Payload) frame) => FrameHeader.Frame(frame.Type, frame.Payload, []);

    /// <summary>RFC 7914, section 11: PBKDF2-HMAC-SHA-256 with "passwd" and "salt", one iteration, and with "Password" and "NaCl", 80,000.</summary>
    [Theory]
    [InlineData("passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc")]
    [InlineData("Password", "NaCl", 80_000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56")]
    public void Key_IsPbkdf2(string secret, string salt, int iterations, string expected) => Assert.Equal(
        Convert.FromHexString(expected), SharedToken.Stretched(Encoding.ASCII.GetBytes(secret), Encoding.ASCII.GetBytes(salt), iterations));

    [Fact]
    public void SkippedByTheClient_Refused()
    {
        using Responder responder = Rig.Serve(Rig.Token);
        using (RawClient client = new(responder))
        {
            client.AskFor(new SetupRequest());
            Assert.Equal(FrameType.ServerProof, Rig.ReadFrame(client.Socket).Type);
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
                byte[] buffer = new byte[1024];
                for (int frame = 0; frame < 3; frame++)
                {
                    // The proof is not answered: the setup follows it at once.
                    byte[] sent = frame == 2 ? buffer[..s.Receive(buffer)] : Frame(Rig.ReadFrame(s));
                    recorded.Enqueue(sent);
                    upstream.Socket.Send(sent);
                    if (frame != 1)
                    {
                        s.Send(buffer.AsSpan(0, upstream.Socket.Receive(buffer)));
                    }
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
            Assert.Equal(FrameType.ServerProof, Rig.ReadFrame(thief.Socket).Type);
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
                upstream.Socket.Send(Frame(Rig.ReadFrame(s)));
                s.Send(buffer.AsSpan(0, upstream.Socket.Receive(buffer)));
                upstream.Socket.Send(Frame(Rig.ReadFrame(s)));
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
