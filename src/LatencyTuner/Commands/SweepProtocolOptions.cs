using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Sweeps;

namespace LatencyTuner.Commands;

/// <summary>Over what a sweep of windows or batches goes: plain TCP, or HTTP/2 against the responder's HTTP port.</summary>
internal sealed class SweepProtocolOptions
{
    /// <summary>What an HTTP/2 request asks for when the user says nothing.</summary>
    public static readonly SweepLoad StreamLoad = new(4096, 50_000, 1);

    private readonly Option<string> _protocol = Symbols.Words(
        "--protocol",
        $"tcp: the protocol of the responder. http2: HttpClient against 'serve --http-port' (port {TargetOptions.DefaultHttpPort} unless the target says "
        + $"another), {StreamLoad.Messages:N0} messages of {StreamLoad.MessageBytes / 1024}KiB in each response stream unless told otherwise.",
        "tcp", "tcp", "http2");

    private readonly Option<string> _fetch =
        Symbols.Words(
            "--fetch", "http2: the responder makes each write's messages in turn with sending them, or ahead, while those before are sent.", "in-turn",
            "in-turn", "ahead");
    private readonly Option<bool> _shared = new("--one-connection") { Description = "http2: the numbers of --connections are streams of one connection." };

    public void AddTo(Command command)
    {
        command.Options.Add(_protocol);
        command.Options.Add(_fetch);
        command.Options.Add(_shared);
    }

    /// <summary>Null for plain TCP.</summary>
    public SweepStreams? Values(ParseResult parse)
    {
        if (parse.GetValue(_protocol) == "http2")
        {
            return new SweepStreams(parse.GetValue(_fetch) == "ahead", parse.GetValue(_shared));
        }

        Option? only = Given(parse, _fetch) ? _fetch : Given(parse, _shared) ? _shared : null;
        return only is null ? null : throw new ExpectedFailureException(ExitCode.Usage, $"{only.Name} needs --protocol http2.");
    }

    /// <summary>Refuses what HTTP/2 has no use for, and windows that .NET does not take.</summary>
    public static void Check(ParseResult parse, SweepDimension dimension, IReadOnlyList<double?> values, IEnumerable<Option> unused)
    {
        if (unused.FirstOrDefault(o => Given(parse, o)) is { } given)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"{given.Name} has no effect with --protocol http2: the responder sends, and only messages, their size and the writes can be chosen.");
        }

        if (dimension == SweepDimension.Window && values.FirstOrDefault(v => v is < StreamRequest.LeastWindow or > StreamRequest.MostWindow) is { } window)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--sizes {window:0} is not valid with --protocol http2: HttpClient takes stream windows of {StreamRequest.LeastWindow} to "
                + $"{StreamRequest.MostWindow} bytes, and dynamic.");
        }
    }

    public static bool Given(ParseResult parse, Option option) => parse.GetResult(option) is { Implicit: false };
}
