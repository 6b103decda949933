using LatencyTuner.Core;
using LatencyTuner.Core.Reporting.Contract;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>A command that ended without a report: its sentence goes to stderr, and as a document where one was asked for.</summary>
/// <param name="args">The command line.</param>
/// <param name="host">The process that the command runs in.</param>
internal sealed class FailedCommand(string[] args, CliHost host)
{
    /// <summary>What failed; null until it did.</summary>
    public string? Sentence { get; set; }

    /// <summary>The file of the report; null without one. The --output of a trace is the file of its events.</summary>
    public string? File => args is ["trace", ..] ? Word("--report") : Word("--output") ?? Word("-o");

    /// <summary>The lines of <c>--progress jsonl</c>, also for a command line that cannot be parsed; null where they were not asked for.</summary>
    public JsonProgress? Lines() => Word("--progress") == JsonProgress.Word ? new(host.Out, host.Time) : null;

    /// <summary>Prints a sentence and keeps it.</summary>
    public void Complain(string sentence)
    {
        host.Complain(sentence);
        Sentence = Sentence is null ? sentence : $"{Sentence} {sentence}";
    }

    /// <summary>Writes the document, to the file of --output where one was given, else to stdout. Nothing where another format was asked for.</summary>
    /// <param name="code">The exit code.</param>
    public void Report(ExitCode code)
    {
        ReportFormat? format = Word("--format") switch
        {
            "json" => ReportFormat.Json,
            "github" => ReportFormat.Github,
            "azure" => ReportFormat.Azure,
            _ => null,
        };
        if (host.HasReported || Sentence is not { } sentence || format is null)
        {
            return;
        }

        FailureReport report = FailureReport.Of(code, sentence);
        CommonValues common = new(format.Value, File, Quiet: true, NoColor: true);
        try
        {
            using ReportOutput output = new(host, common);
            output.Write(report);
        }
        catch (Exception e) when (!host.HasReported && e is ExpectedFailureException or IOException)
        {
            using ReportOutput output = new(host, common with { Output = null });
            output.Write(report);
        }
    }

    /// <summary>The value of an option on the command line, also of one that could not be parsed.</summary>
    private string? Word(string option)
    {
        for (int i = 0; i < args.Length; i++)
        {
            if (args[i] == option && i + 1 < args.Length)
            {
                return args[i + 1];
            }

            if (args[i].StartsWith(option + '=', StringComparison.Ordinal) || args[i].StartsWith(option + ':', StringComparison.Ordinal))
            {
                return args[i][(option.Length + 1)..];
            }
        }

        return null;
    }
}
