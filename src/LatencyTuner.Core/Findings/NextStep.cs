using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Findings;

/// <summary>A next step as data: the program knows how it was called and writes the command line.</summary>
public sealed record NextStep
{
    /// <summary>Stands for the file of this run's report among the <see cref="Options"/>.</summary>
    public const string ThisReport = "\0report";

    /// <summary>Stands between a command line and its note: a comment in PowerShell and in bash, so that the whole line can be pasted.</summary>
    public const string NoteStart = "   # ";

    /// <summary>The command of this program, for example <c>diagnose</c>; null when the step is a sentence, or the same command again.</summary>
    public string? Command { get; init; }

    /// <summary>True to call the same command with the same arguments again, and with the <see cref="Options"/> in place of those that were given.</summary>
    public bool Again { get; init; }

    /// <summary>A command line of another program, which captures packets; null when the step is no capture.</summary>
    public CaptureStep? Capture { get; init; }

    /// <summary>The target, with which the options of the user that reach it are repeated; null for none.</summary>
    public string? Target { get; init; }

    /// <summary>The options and their values, in order.</summary>
    public IReadOnlyList<string> Options { get; init; } = [];

    /// <summary>An option, with a value, that is not repeated when the command is called again; null for none.</summary>
    public string? Without { get; init; }

    /// <summary>The file name for this run's report where the user did not keep it: the step runs the command again for it. Null for other steps.</summary>
    public string? KeepAs { get; init; }

    /// <summary>What the command does, or when it applies, in a few words; the whole sentence when there is no command.</summary>
    public string? Note { get; init; }

    /// <summary>Keeps this run's report under a name, so that another command can read it.</summary>
    /// <param name="file">The file name, such as <c>diagnosis.json</c>.</param>
    public static NextStep Keep(string file) => new() { Again = true, KeepAs = file };

    /// <summary>Asks for recommendations from this run's report, and keeps the report for it where the user did not.</summary>
    /// <param name="file">The file name, such as <c>diagnosis.json</c>.</param>
    public static IReadOnlyList<NextStep> Recommend(string file) =>
        [Keep(file), new() { Command = "recommend", Options = ["--from", ThisReport], KeepAs = file, Note = "what to change" }];

    /// <summary>Captures the packets of a path and analyses them, for causes that a measurement cannot tell apart.</summary>
    /// <param name="host">The other end by name or address; null for all.</param>
    public static IReadOnlyList<NextStep> CaptureAndAnalyze(string? host) =>
    [
        new() { Capture = new(host), Note = "while it is slow; then end it" },
        new() { Capture = new(host, Analyze: true), Note = "what stalled, and at which end" },
    ];

    /// <summary>The step as it is printed: a command line to paste, its note as a comment behind it; or a sentence. Null when there is nothing to do.</summary>
    /// <param name="caller">How the user called this program.</param>
    public string? InWords(Caller caller)
    {
        ArgumentNullException.ThrowIfNull(caller);
        if (Again && KeepAs is not null && caller.SavedAs is not null)
        {
            return null;
        }

        IEnumerable<string>? words = Capture is { } capture ? capture.Words(caller)
            : Again ? [caller.Program, .. Repeated(caller.Arguments), .. KeepAs is null ? Options : ["--format", "json", "--output", KeepAs]]
            : Command is not null ? [caller.Program, .. Command.Split(' '), .. Target is null ? [] : caller.PathOptions.Prepend(Target), .. Options]
            : null;
        if (words is null)
        {
            return Note ?? "";
        }

        IEnumerable<string> known = words.Select(w => w == ThisReport ? caller.SavedAs ?? KeepAs! : w);
        string line = string.Join(
            ' ', known.Select((w, i) => i == 0 || w == CaptureStep.Then || w == caller.Program ? w : ShellQuoting.Of(w, caller.IsWindows)));
        return Note is null ? line : $"{line}{NoteStart}{Note}";
    }

    private IEnumerable<string> Repeated(IReadOnlyList<string> arguments)
    {
        string[] replaced = [.. Options.Where(o => o.StartsWith("--", StringComparison.Ordinal)), .. Without is null ? [] : new[] { Without }];
        return arguments.Where((word, i) => !replaced.Any(
            r => word == r || word.StartsWith(r + "=", StringComparison.Ordinal) || (i > 0 && arguments[i - 1] == r && !word.StartsWith('-'))));
    }
}

/// <summary>A capture of packets by the tools that the system has.</summary>
/// <param name="Host">The other end; null for all.</param>
/// <param name="Analyze">True for the step that analyses the capture.</param>
public sealed record CaptureStep(string? Host, bool Analyze = false)
{
    /// <summary>Ends a capture; what follows is another command of the same line.</summary>
    internal const string Then = "stop;";

    /// <summary>The command line, word by word.</summary>
    /// <param name="caller">How the user called this program.</param>
    internal IEnumerable<string> Words(Caller caller)
    {
        ArgumentNullException.ThrowIfNull(caller);
        return (caller.IsWindows, Analyze) switch
        {
            (true, false) => ["pktmon", "start", "--capture", "--pkt-size", "128", "--file-name", "slow.etl"],
            (true, true) => ["pktmon", Then, caller.Program, "analyze", "slow.etl"],
            (false, false) => ["tcpdump", "-i", "any", "-s", "128", "-w", "slow.pcap", .. Host is null ? (string[])["tcp"] : ["host", Host]],
            _ => [caller.Program, "analyze", "slow.pcap"],
        };
    }
}
