using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement;

public sealed class BadPeers
{
    private const int Good = 20;

    [Fact]
    public void Connect_NobodyListens_OneSentence()
    {
        using Socket reserved = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        reserved.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        MeasurementTarget target = new("fake", (IPEndPoint)reserved.LocalEndPoint!, null, false);

        Assert.Contains("refused the connection", Rig.AssertFails(target, Rig.Plan(10)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("silent", "did not answer within")]
    [InlineData("drips", "did not answer within")]
    [InlineData("http", "not a latencytuner responder")]
    [InlineData("version", "protocol version 1, this program speaks version 2")]
    [InlineData("needs token", "requires a token")]
    [InlineData("closes", "closed the connection")]
    [InlineData("closes after hello", "closed the connection")]
    [InlineData("closes within hello", "closed the connection")]
    [InlineData("wrong frame", "where ServerHello was expected")]
    [InlineData("huge frame", "at most 2048")]
    [InlineData("short hello", "the responder's hello ends at byte 3")]
    [InlineData("unasked redirect", "did not request")]
    [InlineData("refuses", "refused the request: no [31m way out.")]
    [InlineData("closes before the first reply", "closed the connection")]
    [InlineData("first reply wrong", "not its reply")]
    public void Handshake_PeerMisbehaves_OneSentence(string how, string expected)
    {
        ScriptedResponder? peer = null;
        using (peer = new ScriptedResponder(s => MisbehaveInHandshake(how, s, peer!)))
        {
            Assert.Contains(expected, Rig.AssertFails(peer.Target, Rig.Plan(10)).Message, StringComparison.Ordinal);
        }
    }

    private static void MisbehaveInHandshake(string how, Socket s, ScriptedResponder peer)
    {
        switch (how)
        {
            case "silent":
                peer.Hold();
                break;
            case "drips":
                foreach (byte b in FrameHeader.Frame(FrameType.ServerHello, ScriptedResponder.Hello().Write(), []))
                {
                    s.Send([b]);
                    peer.Ended.WaitOne(100);
                }

                break;
            case "http":
                s.Send("HTTP/1.1 400 Bad Request\r\nServer: \u001b[31mnginx\r\n\r\n"u8);
                break;
            case "version":
                Rig.SendFrame(s, FrameType.ServerHello, ScriptedResponder.Hello(version: 1).Write());
                break;
            case "needs token":
                Rig.SendFrame(s, FrameType.ServerHello, ScriptedResponder.Hello(needsToken: true).Write());
                break;
            case "closes":
                Rig.ReadFrame(s);
                break;
            case "closes after hello":
                Rig.ReadFrame(s);
                Rig.SendFrame(s, FrameType.ServerHello, ScriptedResponder.Hello().Write());
                Rig.ReadFrame(s);
                break;
            case "closes within hello":
                Rig.ReadFrame(s);
                s.Send(FrameHeader.Frame(FrameType.ServerHello, ScriptedResponder.Hello().Write(), []).AsSpan(0, 20));
                break;
            case "wrong frame":
                Rig.ReadFrame(s);
                Rig.SendFrame(s, FrameType.Result, [1, 2, 3]);
                break;
            case "huge frame":
                Rig.ReadFrame(s);
                byte[] frame = FrameHeader.Frame(FrameType.ServerHello, [], []);
                frame.AsSpan(8, 4).Fill(0xFF);
                s.Send(frame);
                break;
            case "short hello":
                Rig.ReadFrame(s);
                Rig.SendFrame(s, FrameType.ServerHello, [1, 0, 0]);
                break;
            case "unasked redirect":
                Rig.ReadFrame(s);
                Rig.SendFrame(s, FrameType.ServerHello, ScriptedResponder.Hello().Write());
                Rig.ReadFrame(s);
                Rig.SendFrame(s, FrameType.Ready, ScriptedResponder.Ready(22, 7).Write());
                break;
            case "refuses":
                Rig.ReadFrame(s);
                Rig.SendFrame(s, FrameType.Refusal, new Refusal(RefusalReason.Busy, "no\u001b[31m way\nout.\u2028\u202E\u0007").Write());
                break;
            case "closes before the first reply":
                Rig.ReceiveExactly(s, new byte[ScriptedResponder.ShakeHands(s).RequestSize]);
                break;
            case "first reply wrong":
                SetupRequest setup = ScriptedResponder.ShakeHands(s);
                s.Send(ScriptedResponder.Reply(setup, 77));
                peer.Hold();
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(how), how, null);
        }
    }

    [Fact]
    public void Token_PeerHasNone_OneSentence()
    {
        using Responder responder = Rig.Serve();

        Assert.Contains("uses no token", Rig.AssertFails(Rig.TargetOf(responder, Rig.Token), Rig.Plan(10)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Token_ClientHasNone_OneSentence()
    {
        using Responder responder = Rig.Serve(Rig.Token);

        Assert.Contains("requires a token", Rig.AssertFails(Rig.TargetOf(responder), Rig.Plan(10)).Message, StringComparison.Ordinal);
        Rig.AssertServesStill(responder, Rig.Token);
    }

    [Fact]
    public void Token_Another_RefusedWithoutHint()
    {
        using Responder responder = Rig.Serve(Rig.Token);

        Assert.Contains(
            "did not prove that it knows the token", Rig.AssertFails(Rig.TargetOf(responder, Rig.OtherToken), Rig.Patient(10)).Message,
            StringComparison.Ordinal);
        Rig.AssertServesStill(responder, Rig.Token);
    }

    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    public void Token_PeerCannotProveIt_OneSentence(int proofLength)
    {
        using ScriptedResponder peer = new(
            s =>
            {
                byte[] clientHello = Rig.ReadFrame(s).Payload;
                byte[] hello = ScriptedResponder.Hello(needsToken: true).Write();
                Rig.SendFrame(s, FrameType.ServerHello, hello);
                // What a client with this token would prove: the labels keep it from being the server's.
                byte[] proof = new SessionSecurity(Rig.Token, clientHello, hello, isClient: true).ClientProof;
                Rig.SendFrame(s, FrameType.ServerProof, proof[..proofLength]);
                Assert.Equal(0, s.Receive(new byte[1]));
            },
            Rig.Token);

        Assert.Contains("did not prove", Rig.AssertFails(peer.Target, Rig.Plan(10)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("closes", "closed the connection", false)]
    [InlineData("closes", "", true)]
    [InlineData("resets", "", false)]
    [InlineData("resets", "", true)]
    [InlineData("short", "sent no complete reply", false)]
    [InlineData("short", "sent no complete reply", true)]
    [InlineData("drips", "sent no complete reply", false)]
    [InlineData("drips", "sent no complete reply", true)]
    [InlineData("never", "sent no complete reply", false)]
    [InlineData("never", "sent no complete reply", true)]
    [InlineData("long", "not its reply", false)]
    [InlineData("long", "not its reply", true)]
    [InlineData("sequence", "not its reply", false)]
    [InlineData("sequence", "not its reply", true)]
    [InlineData("magic", "not its reply", false)]
    [InlineData("magic", "not its reply", true)]
    public void Run_PeerMisbehaves_NumbersKept(string how, string expected, bool openLoop)
    {
        ScriptedResponder? peer = null;
        using (peer = new ScriptedResponder(s => MisbehaveInRun(how, s, peer!)))
        {
            MeasurementPlan plan = Rig.Plan(1000) with { RatePerSecond = openLoop ? 2000 : null };

            MeasurementResult result = Rig.Run(peer.Target, plan);

            Rig.AssertSentence(result.EndedBecause);
            Assert.Contains(expected, result.EndedBecause!, StringComparison.Ordinal);
            Assert.False(result.Complete);
            Assert.False(result.Cancelled);
            Assert.InRange(result.Received, 1, how == "long" ? Good + 1 : Good);
            Assert.True(result.Sent >= result.Received);
            Assert.Equal(result.Received, result.Transport.Count);
        }
    }

    private static void MisbehaveInRun(string how, Socket s, ScriptedResponder peer)
    {
        SetupRequest setup = ScriptedResponder.ShakeHands(s);
        ScriptedResponder.Answer(s, setup, Good);
        Rig.ReceiveExactly(s, new byte[setup.RequestSize]);
        byte[] reply = ScriptedResponder.Reply(setup, Good);
        switch (how)
        {
            case "closes":
                return;
            case "resets":
                s.LingerState = new LingerOption(true, 0);
                s.Close();
                return;
            case "short":
                s.Send(reply.AsSpan(0, 63));
                break;
            case "drips":
                // A whole reply in the end, but each byte far within the timeout and their sum far beyond it.
                for (int i = 0; i < reply.Length; i++)
                {
                    s.Send(reply.AsSpan(i, 1));
                    peer.Ended.WaitOne(50);
                }

                break;
            case "long":
                s.Send([.. reply, 1, 2, 3]);
                Rig.ReceiveExactly(s, new byte[setup.RequestSize]);
                s.Send(ScriptedResponder.Reply(setup, Good + 1));
                break;
            case "sequence":
                s.Send(ScriptedResponder.Reply(setup, Good + 1));
                break;
            case "magic":
                s.Send(ScriptedResponder.Reply(setup, Good, magic: 0));
                break;
        }

        peer.Hold();
    }

    [Fact]
    public void Run_ReplyLate_ChargedAndComplete()
    {
        using ScriptedResponder peer = new(s =>
        {
            SetupRequest setup = ScriptedResponder.ShakeHands(s);
            Rig.ReceiveExactly(s, new byte[setup.RequestSize]);
            Thread.Sleep(110);
            s.Send(ScriptedResponder.Reply(setup, 0));
        });

        MeasurementResult result = Rig.Run(peer.Target, Rig.Patient(1));

        Assert.True(result.Complete);
        Assert.True(result.Response.MinNs >= 100_000_000);
    }
}
