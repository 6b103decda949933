using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The options that declare a workload, shared by <c>measure</c>, <c>sweep</c> and <c>check</c>.</summary>
internal sealed class WorkloadOptions
{
    private const int MostBytes = 1 << 30;

    public Option<string> Pattern { get; } =
        Symbols.Words("--pattern", "single: one write per request; split: several writes, then read; stream: one way.", "single", "single", "split", "stream");

    public Option<int> Size { get; } = Symbols.Option("--size", "Request size.", "bytes", (t, o) => Quantities.Size(t, o, 1, MostBytes), 64);

    public Option<int> ReplySize { get; } = Symbols.Option("--reply-size", "Reply size.", "bytes", (t, o) => Quantities.Size(t, o, 1, MostBytes), 64);

    public Option<int?> SplitAt { get; } =
        Symbols.Optional(
            "--split-at", "With --pattern split: size of the first write (default: a quarter of the request, at most 16 bytes).", "bytes",
            (t, o) => Quantities.Size(t, o, 1, MostBytes));

    public Option<TimeSpan> Gap { get; } =
        Symbols.Option(
            "--gap", "With --pattern split: time between the writes.", "time", (t, o) => Quantities.Duration(t, o, TimeSpan.Zero, TimeSpan.FromSeconds(10)),
            TimeSpan.Zero);

    public Option<int> PeerWrites { get; } = Symbols.Option("--peer-writes", "Writes per reply.", "n", (t, o) => (int)Quantities.Count(t, o, 1, 64), 1);

    public Option<TimeSpan> PeerThink { get; } =
        Symbols.Option(
            "--peer-think", "Think time of the responder before each reply.", "time",
            (t, o) => Quantities.Duration(t, o, TimeSpan.Zero, TimeSpan.FromSeconds(10)), TimeSpan.Zero);

    public Option<bool?> NoDelay { get; } = Symbols.Switch("--no-delay", "TCP_NODELAY at this end (system default: off, so Nagle is on).");

    public Option<bool?> PeerNoDelay { get; } = Symbols.Switch("--peer-no-delay", "TCP_NODELAY at the responder.");

    public Option<string> Ack { get; } = Symbols.Words(
        "--ack", "ACKs of this end: as the system sends them, or at once for every segment.", "default", "default", "immediate");

    public Option<string> PeerAck { get; } = Symbols.Words(
        "--peer-ack", "ACKs of the responder: as its system sends them, or at once for every segment.", "default", "default", "immediate");

    public Option<int?> SendBuffer { get; } = Buffer("--send-buffer", "SO_SNDBUF at this end.");

    public Option<int?> ReceiveBuffer { get; } = Buffer("--receive-buffer", "SO_RCVBUF at this end.");

    public Option<int?> PeerSendBuffer { get; } = Buffer("--peer-send-buffer", "SO_SNDBUF at the responder.");

    public Option<int?> PeerReceiveBuffer { get; } = Buffer("--peer-receive-buffer", "SO_RCVBUF at the responder.");

    public Option<bool> Spin { get; } = new("--spin") { Description = "Both ends spin instead of blocking: each takes a whole processor." };

    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[
            Pattern, Size, ReplySize, SplitAt, Gap, PeerWrites, PeerThink, NoDelay, PeerNoDelay, Ack, PeerAck, SendBuffer, ReceiveBuffer, PeerSendBuffer,
            PeerReceiveBuffer, Spin])
        {
            command.Options.Add(option);
        }
    }

    public Workload Values(ParseResult parse)
    {
        WritePattern pattern = Enum.Parse<WritePattern>(parse.GetValue(Pattern)!, ignoreCase: true);
        int size = parse.GetValue(Size);
        if (pattern != WritePattern.Split && (parse.GetValue(SplitAt) is not null || parse.GetValue(Gap) > TimeSpan.Zero))
        {
            throw new ExpectedFailureException(ExitCode.Usage, "--split-at and --gap need --pattern split.");
        }

        if (parse.GetValue(PeerWrites) > parse.GetValue(ReplySize))
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--peer-writes {parse.GetValue(PeerWrites)} is more than the {Counted.Of(parse.GetValue(ReplySize), "byte")} of a reply; at most one write "
                    + "per byte.");
        }

        return new Workload
        {
            Pattern = pattern,
            Writes = pattern == WritePattern.Split ? Workload.SplitOf(size, parse.GetValue(SplitAt)) : [size],
            Gap = parse.GetValue(Gap),
            ReplySize = parse.GetValue(ReplySize),
            PeerWrites = parse.GetValue(PeerWrites),
            PeerThink = parse.GetValue(PeerThink),
            NoDelay = parse.GetValue(NoDelay),
            PeerNoDelay = parse.GetValue(PeerNoDelay),
            Ack = AckOf(parse.GetValue(Ack)),
            PeerAck = AckOf(parse.GetValue(PeerAck)),
            SendBuffer = parse.GetValue(SendBuffer),
            ReceiveBuffer = parse.GetValue(ReceiveBuffer),
            PeerSendBuffer = parse.GetValue(PeerSendBuffer),
            PeerReceiveBuffer = parse.GetValue(PeerReceiveBuffer),
            Spin = parse.GetValue(Spin),
        };
    }

    public static AckBehaviour AckOf(string? word) => word == "immediate" ? AckBehaviour.Immediate : AckBehaviour.Default;

    private static Option<int?> Buffer(string name, string description) =>
        Symbols.Optional(name, description, "bytes", (t, o) => Quantities.Size(t, o, 0, MostBytes));
}
