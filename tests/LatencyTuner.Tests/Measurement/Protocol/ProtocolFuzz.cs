using System.Globalization;
using System.Net.Sockets;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Sockets;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Protocol;

/// <summary>
/// Seeded random and mutated valid bytes. The number of cases of each test comes from LATENCYTUNER_FUZZ_CASES (tests/bench/fuzz sets it);
/// a failure names the seed that repeats it.
/// </summary>
public sealed class ProtocolFuzz(ITestOutputHelper output)
{
    private static readonly int Cases =
        int.TryParse(Environment.GetEnvironmentVariable("LATENCYTUNER_FUZZ_CASES"), NumberStyles.None, CultureInfo.InvariantCulture, out int cases) ? cases
            : Repository.Times(16_000);

    private static readonly EndState State = new(null, AckEffect.Immediate, 87040, null, true, 3, true);

    private static readonly KernelCounters Counters = new() { Source = "TCP_INFO", RttUs = 12, MssBytes = 1448 };

    private delegate object Reading(ReadOnlySpan<byte> payload);

    private static readonly (string Name, byte[] Valid, Reading Read)[] Payloads =
    [
        ("ClientHello", new ClientHello(1, 1, true, new byte[32]).Write(), p => ClientHello.Read(p)),
        ("ServerHello", new ServerHello(2, true, new byte[32]).Write(), p => ServerHello.Read(p)),
        ("SetupRequest", new SetupRequest { NoDelay = true, SendBuffer = 1, Pin = 0, Ticket = ulong.MaxValue, ThinkNs = 5 }.Write(), p => SetupRequest.Read(p)),
        ("ReadyReply", new ReadyReply(State, 65535, 1, "latencytuner 0.1", "Größe ✓ 𝒳").Write(), p => ReadyReply.Read(p)),
        ("Refusal", new Refusal(RefusalReason.Busy, "all \u001b[2J taken").Write(), p => Refusal.Read(p)),
        ("RunResult", new RunResult { Messages = 1, Bytes = 2, ResidenceNs = 3, State = State, Start = Counters, End = Counters }.Write(),
            p => RunResult.Read(p)),
        ("FrameHeader", FrameHeader.Frame(FrameType.Setup, [], []), p => p.Length < Wire.HeaderSize ? p.Length : FrameHeader.Read(p)),
    ];

    [Fact]
    public void Read_OfWhatWasWritten_TheSame()
    {
        foreach ((string name, byte[] valid, Reading read) in Payloads)
        {
            object first = read(valid);
            byte[]? again = first switch
            {
                ClientHello m => m.Write(),
                ServerHello m => m.Write(),
                SetupRequest m => m.Write(),
                ReadyReply m => m.Write(),
                RunResult m => m.Write(),
                _ => null,
            };
            Assert.True(again is null || again.AsSpan().SequenceEqual(valid), name);
        }
    }

    [Fact]
    public void Read_EveryTruncation_ProtocolException()
    {
        foreach ((string name, byte[] valid, Reading read) in Payloads)
        {
            for (int length = 0; name != "FrameHeader" && length < valid.Length; length++)
            {
                ProtocolException e = Assert.Throws<ProtocolException>(() => read(valid.AsSpan(0, length)));
                Assert.Contains($"ends at byte {length}", e.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void Read_MutatedPayloads_OnlyProtocolExceptionsAndHarmlessText()
    {
        int refused = 0;
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int seed = 0; seed < Cases; seed++)
        {
            Random random = new(seed);
            (string name, byte[] valid, Reading read) = Payloads[random.Next(Payloads.Length)];
            byte[] bytes = Mutate(valid, random);
            try
            {
                AssertHarmless(read(bytes), seed);
            }
            catch (ProtocolException e)
            {
                AssertOneLine(e.Message, seed);
                refused++;
            }
            catch (Exception e) when (e is not Xunit.Sdk.XunitException)
            {
                Assert.Fail($"seed {seed}, {name} {Convert.ToHexString(bytes)}: {e}");
            }
        }

        AssertBounded(before);
        output.WriteLine($"cases {Cases}, refused {refused}, failures 0");
        Assert.InRange(refused, 1, Cases - 1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ServerHandshake_AnyBytes_OnlyProtocolExceptionsAndBoundedRoom(bool withToken)
    {
        int through = 0;
        int refused = 0;
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int seed = 0; seed < Cases; seed++)
        {
            Random random = new(seed);
            try
            {
                through += RunHandshake(random, withToken) ? 1 : 0;
            }
            catch (ProtocolException e)
            {
                AssertOneLine(e.Message, seed);
                refused++;
            }
            catch (Exception e) when (e is not Xunit.Sdk.XunitException)
            {
                Assert.Fail($"seed {seed}, token {withToken}: {e}");
            }
        }

        AssertBounded(before);
        output.WriteLine($"cases {Cases}, through {through}, refused {refused}, failures 0");
        Assert.InRange(refused, 1, Cases - 1);
        Assert.True(through > 0);
    }

    /// <summary>A client whose frames are valid up to a point, cut into pieces of any size.</summary>
    private static bool RunHandshake(Random random, bool withToken)
    {
        ServerHello hello = new(Wire.Version, withToken, Bytes(random, 32));
        ServerHandshake handshake = new(hello, withToken ? Rig.Token : null, new ResponderLimits());
        byte[] clientHello = new ClientHello(Wire.Version, Wire.Version, withToken, Bytes(random, 32)).Write();
        SessionSecurity security = new(Rig.Token, clientHello, hello.Write(), isClient: true);
        byte[] setup = new SetupRequest { NoDelay = true }.Write();
        List<byte[]> frames = [FrameHeader.Frame(FrameType.ClientHello, clientHello, [])];
        if (withToken)
        {
            frames.Add(FrameHeader.Frame(FrameType.ClientProof, security.ClientProof, []));
        }

        frames.Add(FrameHeader.Frame(FrameType.Setup, setup, withToken ? security.SignNext(FrameType.Setup, setup) : []));
        int spoiled = random.Next(frames.Count + 1);
        if (spoiled < frames.Count)
        {
            frames[spoiled] = Mutate(frames[spoiled], random);
        }

        byte[] stream = [.. frames.SelectMany(f => f)];
        for (int at = 0; at < stream.Length && handshake.Setup is null;)
        {
            Span<byte> room = handshake.Room;
            Assert.InRange(room.Length, 1, Wire.HeaderSize + 256 + Wire.MacSize);
            int count = Math.Min(Math.Min(room.Length, 1 + random.Next(80)), stream.Length - at);
            stream.AsSpan(at, count).CopyTo(room);
            at += count;
            Assert.True(handshake.Take(count).Length <= Wire.HeaderSize + Wire.MaxPayload + Wire.MacSize);
        }

        if (handshake.Setup is { } asked)
        {
            Assert.InRange(asked.RequestSize, 1, new ResponderLimits().MessageBytes);
            Assert.InRange(asked.ReplySize, 1, new ResponderLimits().MessageBytes);
            // With a token every byte up to the end of the setup is authenticated: whatever was spoiled must not have got through.
            Assert.True(!withToken || asked == new SetupRequest { NoDelay = true });
        }

        return handshake.Setup is not null;
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Client_MutatedServerBytes_OneSentenceOrAResult(bool withToken)
    {
        int seed = 0;
        using ScriptedResponder peer = new(
            s =>
            {
                Random random = new(Volatile.Read(ref seed));
                (FrameType, byte[]) clientHello = Rig.ReadFrame(s);
                byte[] hello = new ServerHello(Wire.Version, withToken, Bytes(random, 32)).Write();
                SessionSecurity security = new(Rig.Token, clientHello.Item2, hello, isClient: false);
                int spoiled = random.Next(4 + 1);
                void Send(int index, FrameType type, byte[] payload)
                {
                    byte[] mac = withToken && type is FrameType.Ready or FrameType.Result && withToken ? security.SignNext(type, payload) : [];
                    byte[] frame = FrameHeader.Frame(type, payload, mac);
                    s.Send(index == spoiled ? Mutate(frame, random) : frame);
                }

                Send(0, FrameType.ServerHello, hello);
                if (withToken)
                {
                    Send(1, FrameType.ServerProof, security.ServerProof);
                    Rig.ReadFrame(s);
                }

                SetupRequest setup = SetupRequest.Read(Rig.ReadFrame(s, signed: withToken).Payload);
                Send(2, FrameType.Ready, ScriptedResponder.Ready().Write());
                Rig.ReceiveExactly(s, new byte[setup.RequestSize]);
                s.Send(spoiled == 3 ? Mutate(ScriptedResponder.Reply(setup, 0), random) : ScriptedResponder.Reply(setup, 0));
                Send(4, FrameType.Result, ScriptedResponder.Result(1, 64).Write());
                s.Shutdown(SocketShutdown.Send);
                s.Receive(new byte[1]);
            },
            withToken ? Rig.Token : null);
        int failed = 0;
        int measured = 0;
        // Every case costs a connection, and one whose length field grew costs a timeout.
        MeasurementPlan plan = Rig.Plan(1) with { HandshakeTimeout = TimeSpan.FromMilliseconds(100), ReplyTimeout = TimeSpan.FromMilliseconds(100) };
        for (; seed < 200; Interlocked.Increment(ref seed))
        {
            try
            {
                MeasurementResult result = Rig.Run(peer.Target, plan);
                Assert.Equal(1, result.Received);
                Assert.All(result.Notes, Rig.AssertSentence);
                measured++;
            }
            catch (ExpectedFailureException e)
            {
                Assert.Equal(ExitCode.Measurement, e.Code);
                Rig.AssertSentence(e.Message);
                failed++;
            }
            catch (Exception e) when (e is not Xunit.Sdk.XunitException)
            {
                Assert.Fail($"seed {seed}, token {withToken}: {e}");
            }
        }

        output.WriteLine($"cases {seed}, refused {failed}, measured {measured}, failures 0");
        Assert.True(failed > 0 && measured > 0);
    }

    private static byte[] Bytes(Random random, int count)
    {
        byte[] bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    private static byte[] Mutate(byte[] valid, Random random)
    {
        if (random.Next(5) == 0)
        {
            return Bytes(random, random.Next(400));
        }

        List<byte> bytes = [.. valid];
        for (int n = 1 + random.Next(4); n > 0; n--)
        {
            int at = random.Next(bytes.Count + 1);
            switch (random.Next(6))
            {
                case 0 when at < bytes.Count:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1 when at < bytes.Count:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 2 when at < bytes.Count:
                    bytes[at] = random.Next(2) == 0 ? (byte)0xFF : (byte)0x80;
                    break;
                case 3:
                    bytes.RemoveRange(at, Math.Min(random.Next(16), bytes.Count - at));
                    break;
                case 4:
                    bytes.InsertRange(at, Bytes(random, random.Next(16)));
                    break;
                default:
                    bytes.RemoveRange(at, bytes.Count - at);
                    break;
            }
        }

        return [.. bytes];
    }

    private static void AssertHarmless(object message, int seed)
    {
        foreach (string text in message switch
        {
            ReadyReply m => new[] { m.Software, m.Os },
            Refusal m => [m.Text],
            RunResult m => [m.Start.Source, m.End.Source],
            _ => [],
        })
        {
            AssertOneLine(text, seed);
            Assert.True(text.Length <= 255, $"seed {seed}");
        }
    }

    private static void AssertOneLine(string text, int seed) => Assert.False(
        text.Any(
            c => char.IsControl(c)
                || char.GetUnicodeCategory(c) is UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator),
        $"seed {seed}");

    /// <summary>However large a length field claims to be: on average no case may allocate more than a few frames.</summary>
    private static void AssertBounded(long before) =>
        Assert.True((GC.GetAllocatedBytesForCurrentThread() - before) / Cases < 64 * 1024);
}
