using System.Globalization;
using System.Net;
using LatencyTuner.Core.Findings;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>
/// Traces of known causes with numbers that are drawn, a seed for each. LATENCYTUNER_HOLDOUT_SEEDS draws more of each kind, from LATENCYTUNER_HOLDOUT_FIRST
/// on.
/// </summary>
public sealed class HoldOutTraces(ITestOutputHelper output)
{
    private const int Seeds = 25;
    private const ulong Tcb = 0xFFFF_8000_0000_9000;
    private const ulong Endpoint = 0xFFFF_A000_0000_9000;
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.7.0.7"), 55_500);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.7.0.80"), 9_443);
    private static readonly uint[] SegmentSizes = [1_460, 1_448, 1_440, 1_428, 1_386, 1_220, 1_208, 8_948];

    private static readonly SortedDictionary<string, Func<Random, string?>> All = new(StringComparer.Ordinal)
    {
        ["filter, prompt answers"] = FilterPrompt,
        ["filter, held data"] = FilterHeld,
        ["filter that waits for the ACK"] = FilterWaits,
        ["buffered sends as AFD nests them"] = BufferedSends,
        ["blocking sends as AFD nests them"] = BlockingSends,
        ["tail behind full segments"] = HeldTail,
        ["full segments one by one"] = FullOneByOne,
        ["full segments of the handshake one by one"] = FullOfTheHandshake,
        ["body behind its header"] = BodyBehindHeader,
        ["timer of builds 26100 and later"] = TimerOfLaterBuilds,
        ["socket of builds 22000 and later"] = SocketOfLaterBuilds,
        ["events of an unknown version"] = UnknownVersion,
        ["TCP_NODELAY by its value"] = NoDelayByValue,
    };

    public static TheoryData<string> Kinds => [.. All.Keys];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void EachOfAKind_IsToldAsItIs(string kind)
    {
        int seeds = Number("LATENCYTUNER_HOLDOUT_SEEDS", Seeds);
        int first = Number("LATENCYTUNER_HOLDOUT_FIRST", 0);
        List<string> wrong = [];
        for (int seed = first; seed < first + seeds; seed++)
        {
            if (All[kind](new Random((kind.Length * 1_000_003) + seed)) is { } complaint)
            {
                wrong.Add($"seed {seed}: {complaint}");
            }
        }

        output.WriteLine($"{kind}: {seeds - wrong.Count} of {seeds} hold\n{string.Join('\n', wrong)}");
        Assert.True(wrong.Count == 0, $"{kind}: {wrong.Count} of {seeds} do not hold; {string.Join('\n', wrong.Take(3))}");
    }

    private static int Number(string name, int otherwise) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), CultureInfo.InvariantCulture, out int number) ? number : otherwise;

    private static T Pick<T>(Random r, params T[] values) => values[r.Next(values.Length)];

    private static long Between(Random r, int low, int high) => r.Next(low, high + 1);

    /// <summary>The same bytes twice: as the application posts them, and as the filter hands them back, which may change them.</summary>
    private static string? FilterPrompt(Random r)
    {
        TcpipEvents events = Connection();
        (uint posted, long answer, uint at, long t) = ((uint)Between(r, 20, 1_200), Between(r, 300, 20_000), 1_000, 10_000);
        uint injected = Pick(r, posted, posted, (uint)Between(r, 20, 1_200));
        for (int i = r.Next(60, 150); i > 0; i--, at += injected, t += answer + Between(r, 20, 20_000))
        {
            events.SendPosted(t, Tcb, posted, at, "posted").SendPosted(t + 4, Tcb, injected, at, "injected").DataSent(t + 9, Tcb, injected, at);
            Answer(events, t + answer, injected, at, (uint)i);
        }

        return Costly(events);
    }

    private static string? FilterHeld(Random r)
    {
        TcpipEvents events = Connection();
        (int n, uint at, double held) = (r.Next(10, 60), 1_000, 0);
        for (int i = 0; i < n; i++)
        {
            (uint first, uint second) = ((uint)Between(r, 20, 700), (uint)Between(r, 20, 700));
            (long t, long gap, long ack) = (10_000 + (i * 600_000L), Between(r, 6, 300), Between(r, 8_000, 220_000));
            events.SendPosted(t, Tcb, first, at, "posted").SendPosted(t + 4, Tcb, first, at, "injected").DataSent(t + 9, Tcb, first, at);
            events.SendPosted(t + 10 + gap, Tcb, second, at + first, "posted").SendPosted(t + 14 + gap, Tcb, second, at + first, "injected");
            events.CumulativeAck(t + ack, Tcb, first, at + first).DataSent(t + ack + 8, Tcb, second, at + first);
            Answer(events, t + ack + 1_400, second, at + first, (uint)i);
            (at, held) = (at + first + second, held + ((ack - gap) / 1e3));
        }

        return Held(events, n, held);
    }

    private static string? FilterWaits(Random r)
    {
        TcpipEvents events = Connection();
        uint at = 1_000;
        for (int i = r.Next(12, 60); i > 0; i--)
        {
            (uint first, uint second, bool both) = ((uint)Between(r, 20, 700), (uint)Between(r, 20, 700), r.Next(2) == 0);
            (long t, long ack) = (10_000 + ((60 - i) * 600_000L), Between(r, 8_000, 220_000));
            events.SendPosted(t, Tcb, first, at, "posted");
            events = both ? events.SendPosted(t + 2, Tcb, second, at, "posted") : events;
            events.SendPosted(t + 5, Tcb, first, at, "injected").DataSent(t + 9, Tcb, first, at);
            events = both ? events : events.SendPosted(t + 50, Tcb, second, at + first, "posted");
            events.CumulativeAck(t + ack, Tcb, first, at + first).SendPosted(t + ack + 30, Tcb, second, at + first, "injected")
                .DataSent(t + ack + 40, Tcb, second, at + first);
            Answer(events, t + ack + 1_400, second, at + first, (uint)i);
            at += first + second;
        }

        return Held(events, 0, 0);
    }

    private static string? BufferedSends(Random r)
    {
        TcpipEvents events = Opened();
        (uint bytes, long ack, uint at, int n, long t) = ((uint)Between(r, 50, 1_400), Between(r, 2_000, 60_000), 1_000, r.Next(40, 160), 10_000);
        (uint completion, int process, int thread) = Pick(r, (3_073u, 0, 0), (3_073u, 4, 12), (3_024u, 77, 5), (3_024u, 4, 9));
        for (int i = 0; i < n; i++, t += Between(r, (int)ack + 60, (int)ack + 20_000))
        {
            events.On(77, 5).SocketSend(t, Endpoint, enters: true, bytes, location: 3_047).SocketSend(t + 1, Endpoint, enters: true, bytes, location: 3_056)
                .SendPosted(t + 3, Tcb, bytes, at, "posted").SocketSend(t + 9, Endpoint, enters: false, bytes, location: 3_051)
                .On(0, 0).DataSent(t + 10, Tcb, bytes, at).CumulativeAck(t + ack, Tcb, bytes, at += bytes)
                .On(process, thread).SocketSend(t + ack + 40, Endpoint, enters: false, bytes, location: completion);
        }

        return Told(events, Cause.SendBuffer, 0, 0);
    }

    private static string? BlockingSends(Random r)
    {
        TcpipEvents events = Opened();
        (uint bytes, uint at, int n, double waited) = ((uint)Between(r, 4, 60) * 1_024, 1_000, r.Next(6, 40), 0);
        bool tried = r.Next(2) == 0, pending = r.Next(2) == 0;
        for (int i = 0; i < n; i++)
        {
            (long t, long ack) = (10_000 + (i * 400_000L), Between(r, 8_000, 250_000));
            events.On(77, 5);
            events = tried ? events.SocketSend(t - 2, Endpoint, enters: true, bytes, location: 3_047) : events;
            events.SocketSend(t, Endpoint, enters: true, bytes, location: 3_003).SocketSend(t + 1, Endpoint, enters: true, bytes, location: 3_006)
                .SendPosted(t + 3, Tcb, bytes, at, "posted");
            events = pending ? events.SocketSend(t + 5, Endpoint, enters: false, bytes, TcpipEvents.Pending, location: 3_018) : events;
            events.On(0, 0).DataSent(t + 10, Tcb, bytes, at, cwnd: 65_535).CumulativeAck(t + ack, Tcb, bytes, at += bytes, cwnd: 65_535)
                .SocketSend(t + ack + 30, Endpoint, enters: false, bytes, location: 3_023);
            waited += ack / 1e3;
        }

        return Told(events, Cause.SendBuffer, n, waited);
    }

    private static string? HeldTail(Random r)
    {
        TcpipEvents events = Connection();
        (uint full, uint at, int n, double held) = (Pick(r, SegmentSizes), 1_000, r.Next(15, 70), 0);
        (uint segments, bool together) = ((uint)Between(r, 1, 4), r.Next(2) == 0);
        for (int i = 0; i < n; i++)
        {
            // What is larger than an Ethernet segment may be several in one event: then the end of it may be full, too.
            (uint head, uint tail) = (full * segments, (uint)Between(r, 40, full > 1_460 ? 1_200 : (int)full - 60));
            (long t, long ack) = (10_000 + (i * 600_000L), Between(r, 9_000, 220_000));
            events.SendPosted(t, Tcb, head + tail, at, "posted");
            for (uint sent = 0; sent < head; sent += together ? head : full)
            {
                events.DataSent(t + 6 + (sent / 400), Tcb, together ? head : full, at + sent, cwnd: 65_535);
            }

            events.CumulativeAck(t + ack, Tcb, head, at + head, cwnd: 65_535).DataSent(t + ack + 9, Tcb, tail, at + head, cwnd: 65_535);
            at += head + tail;
            events.CumulativeAck(t + ack + 1_000, Tcb, tail, at, cwnd: 65_535).DataReceived(t + ack + 1_001, Tcb, 30, (uint)i * 30);
            held += ack / 1e3;
        }

        return Held(events, n, held) is { } complaint ? $"{segments} of {full}{(together ? " together" : "")}: {complaint}" : null;
    }

    private static string? FullOneByOne(Random r)
    {
        TcpipEvents events = Connection();
        (uint full, uint at, long t) = (Pick(r, SegmentSizes), 1_000, 10_000);
        uint tail = Pick(r, 0u, (uint)Between(r, 60, (int)full - 60));
        for (int i = 0; i < 3; i++, t += 3_000_000)
        {
            int count = r.Next(20, 60);
            events.SendPosted(t, Tcb, (full * (uint)count) + tail, at, "posted");
            at = Spaced(r, events, ref t, at, full, count);
            at = tail == 0 ? at : Spaced(r, events, ref t, at, tail, 1);
            events.DataReceived(t + 5, Tcb, 30, (uint)i * 30);
        }

        return Held(events, 0, 0);
    }

    private static string? FullOfTheHandshake(Random r)
    {
        (int mss, bool timestamps) = (Pick(r, 1_460, 1_440, 1_398, 1_386, 1_024, 536), r.Next(2) == 0);
        TcpipEvents events = Connection(mss, timestamps);
        (uint full, uint at, long t) = ((uint)(mss - (timestamps ? 12 : 0)), 1_000, 40_000);
        for (int i = r.Next(50, 120); i > 0; i--)
        {
            events.SendPosted(t - 5, Tcb, full, at, "posted");
            at = Spaced(r, events, ref t, at, full, 1);
        }

        return Held(events, 0, 0);
    }

    private static string? BodyBehindHeader(Random r)
    {
        (int mss, bool timestamps, bool isFull) = (Pick(r, 1_460, 1_440, 1_386), r.Next(2) == 0, r.Next(4) == 0);
        uint full = (uint)(mss - (timestamps ? 12 : 0));
        TcpipEvents events = Connection(mss, timestamps);
        (uint at, int n, double held) = (1_000, r.Next(15, 60), 0);
        for (int i = 0; i < n; i++)
        {
            (uint header, uint body) = ((uint)Between(r, 20, 600), isFull ? full : (uint)Between(r, 20, (int)full - 1));
            (long t, long gap, long ack) = (10_000 + (i * 600_000L), Between(r, 8, 300), Between(r, 9_000, 220_000));
            events.SendPosted(t, Tcb, header, at, "posted").DataSent(t + 6, Tcb, header, at).SendPosted(t + gap, Tcb, body, at + header, "posted");
            events.CumulativeAck(t + ack, Tcb, header, at + header).DataSent(t + ack + 7, Tcb, body, at + header);
            at += header + body;
            events.CumulativeAck(t + ack + 900, Tcb, body, at).DataReceived(t + ack + 901, Tcb, 30, (uint)i * 30);
            held += (ack - gap) / 1e3;
        }

        return isFull ? Held(events, 0, 0) : Held(events, n, held);
    }

    private static string? TimerOfLaterBuilds(Random r)
    {
        TcpipEvents events = Connection();
        (uint usual, uint other, int n) = (Pick(r, 10u, 40u, 50u, 100u, 200u), (uint)Between(r, 11, 39), r.Next(6, 40));
        for (int i = 0; i < n; i++)
        {
            long t = 10_000 + (i * 400_000L);
            events.DataReceived(t, Tcb, 100, (uint)(i * 100)).TimerStartedV2(t + 1, Tcb, TcpipEvents.DelayedAckTimer, i % 4 == 3 ? other : usual)
                .TimerStartedV2(t + 2, Tcb, 5, 1_000).TimerExpired(t + (1_000 * usual), Tcb, TcpipEvents.DelayedAckTimer);
        }

        Finding? finding = TraceRun.Findings(events).SingleOrDefault(f => f.Cause == Cause.DelayedAck);
        return finding is { } f && (f.Armed, f.ArmedMs, f.Fired) == (n, usual, n) ? null
            : $"{finding?.Armed} {finding?.ArmedMs} {finding?.Fired}, not {n} {usual}";
    }

    private static string? SocketOfLaterBuilds(Random r)
    {
        byte on = (byte)r.Next(2);
        TcpipEvents events = Connection().EndpointCreatedV2(500, Endpoint, Client, 77).SocketOptionValue(2_000, Endpoint, 6, 1, on, 0, 0, 0);
        (int n, double held) = Split(r, events);
        return on == 1 ? Held(events, 0, 0) : Held(events, n, held);
    }

    private static string? UnknownVersion(Random r)
    {
        TcpipEvents events = Connection();
        (int n, byte version) = (r.Next(1, 60), (byte)r.Next(3, 40));
        Split(r, events);
        for (int i = 0; i < n; i++)
        {
            events.Add(20_000 + i, 1_064, version, new ByteWriter().Zeros(r.Next(0, 120)));
        }

        IReadOnlyList<string> told = TraceRun.Findings(events).SingleOrDefault(f => f.Id == "LT301")?.For ?? [];
        return told.Any(s => s.Contains($"event 1064, version {version}", StringComparison.Ordinal)) ? null : string.Join("; ", told);
    }

    private static string? NoDelayByValue(Random r)
    {
        TcpipEvents events = Connection().On(77, 5);
        (byte value, int how) = ((byte)r.Next(2), r.Next(5));
        _ = how switch
        {
            0 => events.SocketOptionValue(2_000, Tcb, 6, 1, value, 0, 0, 0),
            1 => events.SocketOptionValue(2_000, Endpoint, 6, 1, value).OptionSet(2_004, Tcb, 1),
            2 => events.OptionSet(2_000, Tcb, 1).SocketOptionValue(2_003, Endpoint, 6, 1, value, 0, 0, 0),
            // Another option, another level.
            3 => events.SocketOptionValue(2_000, Tcb, 6, (uint)r.Next(2, 20), value, 0, 0, 0),
            _ => events.SocketOptionValue(2_000, Tcb, 0xFFFF, 1, value, 0, 0, 0),
        };
        (int n, double held) = Split(r, events.On(0, 0));
        return value == 1 && how < 3 ? Held(events, 0, 0) : Held(events, n, held);
    }

    /// <summary>Requests in two pieces, of which the second leaves with the ACK of the first.</summary>
    private static (int Holds, double Ms) Split(Random r, TcpipEvents events)
    {
        (uint at, int n, double held) = (1_000, r.Next(12, 50), 0);
        for (int i = 0; i < n; i++)
        {
            (uint first, uint second) = ((uint)Between(r, 20, 400), (uint)Between(r, 420, 900));
            (long t, long gap, long ack) = (10_000 + (i * 600_000L), Between(r, 8, 300), Between(r, 9_000, 220_000));
            events.SendPosted(t, Tcb, first, at, "posted").DataSent(t + 5, Tcb, first, at).SendPosted(t + gap, Tcb, second, at + first, "posted")
                .CumulativeAck(t + ack, Tcb, first, at + first).DataSent(t + ack + 9, Tcb, second, at + first);
            at += first + second;
            events.CumulativeAck(t + ack + 900, Tcb, second, at).DataReceived(t + ack + 904, Tcb, 30, (uint)i * 30);
            held += (ack - gap) / 1e3;
        }

        return (n, held);
    }

    /// <summary>Segments, each acknowledged some time later and followed by the next at once.</summary>
    private static uint Spaced(Random r, TcpipEvents events, ref long t, uint at, uint bytes, int count)
    {
        for (int i = 0; i < count; i++)
        {
            long every = Between(r, 9_000, 45_000);
            events.DataSent(t + 10, Tcb, bytes, at).CumulativeAck(t + every, Tcb, bytes, at + bytes);
            (at, t) = (at + bytes, t + every);
        }

        return at;
    }

    private static TcpipEvents Connection(int? mss = null, bool timestamps = false)
    {
        TcpipEvents events = new TcpipEvents().Connected(0, Tcb, Client, Server, 77);
        return mss is not { } agreed ? events : events.Agreed(5, Client, Server, 77, agreed, timestamps);
    }

    private static TcpipEvents Opened() => new TcpipEvents().On(77, 5).SocketConnect(0, Endpoint, Server).ConnectStarted(5, Tcb, Client, Server, 77)
        .Connected(900, Tcb, Client, Server, 77);

    private static void Answer(TcpipEvents events, long t, uint bytes, uint at, uint turn) =>
        events.CumulativeAck(t, Tcb, bytes, at + bytes).DataReceived(t + 1, Tcb, 40, turn * 40);

    private static string? Costly(TcpipEvents events) =>
        TraceRun.Findings(events).FirstOrDefault(f => f.Id != "LT301" && f.Severity > Severity.Info) is { } f ? $"{f.Id} x{f.Count} {f.CostMs:0.0} ms" : null;

    private static string? Held(TcpipEvents events, int count, double ms)
    {
        Finding[] found = [.. TraceRun.Findings(events).Where(f => f.Cause is Cause.NagleHold or Cause.NagleDelayedAck)];
        double cost = found.Sum(f => f.CostMs ?? 0);
        bool likely = count == 0 || found.Any(f => f.Confidence >= Confidence.Likely);
        return likely && found.Sum(f => f.Count) == count && Math.Abs(cost - ms) <= (0.1 * count) + (0.01 * ms) ? null
            : FormattableString.Invariant($"{found.Sum(f => f.Count)} holds of {cost:0.0} ms{(likely ? "" : ", not likely")}, not {count} of {ms:0.0}");
    }

    private static string? Told(TcpipEvents events, Cause cause, int count, double ms)
    {
        Finding[] found = [.. TraceRun.Findings(events).Where(f => f.Cause == cause)];
        double cost = found.Sum(f => f.CostMs ?? 0);
        return found.Sum(f => f.Count) == count && Math.Abs(cost - ms) <= (0.1 * count) + (0.01 * ms)
            ? null : FormattableString.Invariant($"{cause} x{found.Sum(f => f.Count)} {cost:0.0} ms, not {count} of {ms:0.0}");
    }
}
