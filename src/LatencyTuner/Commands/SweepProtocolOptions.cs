using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Sweeps;

namespace LatencyTuner.Commands;

/// <summary>The protocol of a sweep of windows or batches: plain TCP, or HTTP/2 to the responder's HTTP port.</summary>
internal sealed class SweepProtocolOptions
{
    /// <summary>The default HTTP/2 request.</summary>
    public static readonly SweepLoad StreamLoad = new(4096, 50_000, 1);

    private readonly Option<string> _protocol = Symbols.Words(
        "--protocol",
        $"tcp: the responder's own protocol. http2: .NET's HttpClient to 'serve --http-port' (port {TargetOptions.DefaultHttpPort} unless the target "
        + $"has another). By default each response stream has {StreamLoad.Messages:N0} messages of {StreamLoad.MessageBytes / 1024}KiB.",
        "tcp", "tcp", "http2");

    private readonly Option<string> _fetch =
        Symbols.Words(
            "--fetch", "http2: in-turn: the responder makes the messages of a write, then sends them; ahead: it makes the next ones meanwhile.", "in-turn",
            "in-turn", "ahead");
    private readonly Option<bool> _shared = new("--one-connection") { Description = "http2: --connections is the number of streams on one connection." };

    public void AddTo(Command command)
    {
        command.Options.Add(_protocol);
        command.Options.Add(_fetch);
        command.Options.Add(_shared);
    }

    /// <summary>The options of an HTTP/2 sweep; null for plain TCP.</summary>
    public SweepStreams? Values(ParseResult parse)
    {
        if (parse.GetValue(_protocol) == "http2")
        {
            return new SweepStreams(parse.GetValue(_fetch) == "ahead", parse.GetValue(_shared));
        }

        Option? only = Given(parse, _fetch) ? _fetch : Given(parse, _shared) ? _shared : null;
        return only is null ? null : throw new ExpectedFailureException(ExitCode.Usage, $"{only.Name} needs --protocol http2.");
    }

    /// <summary>Refuses options that have no effect over HTTP/2, and windows that .NET does not accept.</summary>
    public static void Check(ParseResult parse, SweepDimension dimension, IReadOnlyList<double?> values, IEnumerable<Option> unused)
    {
        if (unused.FirstOrDefault(o => Given(parse, o)) is { } given)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"{given.Name} has no effect with --protocol http2: the responder sends, and --messages, --size and --per-write set the load.");
        }

        if (dimension == SweepDimension.Window && values.FirstOrDefault(v => v is < StreamRequest.LeastWindow or > StreamRequest.MostWindow) is { } window)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--sizes {window:0} is not valid with --protocol http2: HttpClient takes stream windows of {StreamRequest.LeastWindow} to "
                + $"{StreamRequest.MostWindow} bytes, or dynamic.");
        }
    }

    public static bool Given(ParseResult parse, Option option) => parse.GetResult(option) is { Implicit: false };
}
