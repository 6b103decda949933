using System.CommandLine;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>What a sweep sends: requests of one or many messages with a reply each, or the same one way.</summary>
/// <param name="load">The default request.</param>
internal sealed class SweepLoadOptions(SweepLoad load)
{
    private readonly WorkloadOptions _workload = new();
    private readonly Option<string> _direction =
        Symbols.Words("--load", "requests: each waits for its reply; one-way: no replies, as fast as possible.", "requests", "requests", "one-way");
    private readonly Option<int> _size =
        Symbols.Option("--size", "Size of a message.", "bytes", (t, o) => Quantities.Size(t, o, 1, 1 << 30), load.MessageBytes);
    private readonly Option<int> _messages =
        Symbols.Option("--messages", "Messages in a request.", "n", (t, o) => (int)Quantities.Count(t, o, 1, StreamRequest.MostMessages), load.Messages);
    private readonly Option<int> _perWrite =
        Symbols.Option("--per-write", "Messages in one write.", "n", (t, o) => (int)Quantities.Count(t, o, 1, SweepLoad.MostMessages), load.PerWrite);
    private readonly Option<bool> _noDelay =
        NoDelay("--no-delay", "TCP_NODELAY at this end; on by default, because Nagle would hold back the measured messages.");
    private readonly Option<bool> _peerNoDelay = NoDelay("--peer-no-delay", "TCP_NODELAY at the responder.");

    public void AddTo(Command command, SweepDimension swept)
    {
        bool receive = swept is SweepDimension.ReceiveBuffer or SweepDimension.Window;
        Option?[] options =
        [
            _direction, swept == SweepDimension.Size ? null : _size, _messages, swept == SweepDimension.Batch ? null : _perWrite, _workload.ReplySize,
            _workload.PeerThink,
            _noDelay, _peerNoDelay, _workload.Ack, _workload.PeerAck, swept == SweepDimension.SendBuffer ? null : _workload.SendBuffer,
            _workload.ReceiveBuffer, _workload.PeerSendBuffer,
            receive ? null : _workload.PeerReceiveBuffer,
        ];
        foreach (Option option in options.OfType<Option>())
        {
            command.Options.Add(option);
        }
    }

    /// <summary>The options that have no effect over HTTP/2.</summary>
    public IEnumerable<Option> OfTcpOnly =>
    [
        _direction, _workload.ReplySize, _workload.PeerThink, _noDelay, _peerNoDelay, _workload.Ack, _workload.PeerAck, _workload.SendBuffer,
        _workload.ReceiveBuffer,
        _workload.PeerSendBuffer, _workload.PeerReceiveBuffer,
    ];

    /// <summary>What a request over HTTP/2 asks for; both ends' libraries set TCP_NODELAY.</summary>
    public (Workload Workload, SweepLoad Load) StreamValues(ParseResult parse, SweepDimension swept, SweepLoad standard)
    {
        int Or(Option<int> option, int otherwise) => SweepProtocolOptions.Given(parse, option) ? parse.GetValue(option) : otherwise;
        SweepLoad asked = new(
            Or(_size, standard.MessageBytes), Or(_messages, standard.Messages), swept == SweepDimension.Batch ? 1 : Or(_perWrite, standard.PerWrite));
        return (new Workload { NoDelay = true, PeerNoDelay = true }, asked);
    }

    public (Workload Workload, SweepLoad Load) Values(ParseResult parse, SweepDimension swept)
    {
        bool receive = swept is SweepDimension.ReceiveBuffer or SweepDimension.Window;
        SweepLoad asked = new(
            swept == SweepDimension.Size ? load.MessageBytes : parse.GetValue(_size), parse.GetValue(_messages),
            swept == SweepDimension.Batch ? 1 : parse.GetValue(_perWrite));
        Workload workload = new()
        {
            Pattern = parse.GetValue(_direction) == "one-way" ? WritePattern.Stream : WritePattern.Single,
            ReplySize = parse.GetValue(_workload.ReplySize),
            PeerThink = parse.GetValue(_workload.PeerThink),
            NoDelay = parse.GetValue(_noDelay),
            PeerNoDelay = parse.GetValue(_peerNoDelay),
            Ack = WorkloadOptions.AckOf(parse.GetValue(_workload.Ack)),
            PeerAck = WorkloadOptions.AckOf(parse.GetValue(_workload.PeerAck)),
            SendBuffer = swept == SweepDimension.SendBuffer ? null : parse.GetValue(_workload.SendBuffer),
            ReceiveBuffer = parse.GetValue(_workload.ReceiveBuffer),
            PeerSendBuffer = parse.GetValue(_workload.PeerSendBuffer),
            PeerReceiveBuffer = receive ? null : parse.GetValue(_workload.PeerReceiveBuffer),
        };
        return (workload, asked);
    }

    private static Option<bool> NoDelay(string name, string description) =>
        new(name) { Description = description, HelpName = "true|false", DefaultValueFactory = _ => true };
}
