using System.CommandLine;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The options of every command that prints a report.</summary>
/// <param name="list">True for a command that lists: its screen shows what matters, and <c>--all</c> the rest.</param>
internal sealed class CommonOptions(bool list = false)
{
    public Option<string> Format { get; } = Symbols.Words("--format", "Format of the report on stdout.", "text", "text", "json", "csv", "junit", "html");

    public Option<string?> Output { get; } = new("--output", "-o")
    {
        Description = "Write the report to a file instead, whole or not at all.",
        HelpName = "file",
    };

    public Option<bool> Quiet { get; } = new("--quiet", "-q") { Description = "No progress on stderr." };

    public Option<bool> NoColor { get; } = new("--no-color") { Description = "No colour; NO_COLOR in the environment does the same." };

    public Option<bool> Details { get; } = new("--details", list ? ["--all"] : [])
    {
        Description = "The whole report as text: all figures, evidence, charts and notes.",
    };

    public void AddTo(Command command)
    {
        command.Options.Add(Format);
        command.Options.Add(Details);
        command.Options.Add(Output);
        command.Options.Add(Quiet);
        command.Options.Add(NoColor);
    }

    public CommonValues Values(ParseResult parse) => new(
        Enum.Parse<ReportFormat>(parse.GetValue(Format)!, ignoreCase: true), parse.GetValue(Output), parse.GetValue(Quiet), parse.GetValue(NoColor),
        parse.GetValue(Details))
    {
        Arguments = GivenWords.WithoutOutput(parse),
        PathOptions = GivenWords.OfPath(parse),
    };
}
