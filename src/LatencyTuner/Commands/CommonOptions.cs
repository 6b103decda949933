using System.CommandLine;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The options of every command that prints a report.</summary>
/// <param name="list">True for a command that lists: its screen shows what matters, and <c>--all</c> the rest.</param>
internal sealed class CommonOptions(bool list = false)
{
    public Option<string> Format { get; } = Symbols.Words(
        "--format", "Format of the report on stdout; github and azure are commands for those build servers.", "text",
        "text", "json", "csv", "junit", "html", "github", "azure");

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

    public Option<string?> Ticket { get; } = Text("--ticket", "Number of the change ticket, for the head of the page and the document.", "id");

    public Option<string?> Note { get; } = Text("--note", "A note for the head of the page and the document.", "text");

    public Option<string?> Operator { get; } = Text("--operator", "Who runs this, for the head of the page and the document.", "name");

    public Option<string?> Chart { get; } = new("--chart")
    {
        Description = "Write one chart of the report alone, as SVG; with --format csv, its data. A wrong name lists the charts.",
        HelpName = "name",
    };

    public Option<bool> Interactive { get; } = new("--interactive")
    {
        Description = "With --format html: time series that can be zoomed, by a script in the page. Without it a page has no script.",
    };

    public Option<string> Progress { get; } = Symbols.Words(
        "--progress", "Progress: a line on stderr of a terminal, or JSON lines on stdout while the report goes to a file.", "line", "line", JsonProgress.Word);

    public Option<string?> StopWith { get; } = NewStopWith();

    /// <summary>The name of the option that ends a command when a file appears.</summary>
    public const string StopWithName = "--stop-with";

    /// <summary>The option that ends a command when a file appears.</summary>
    public static Option<string?> NewStopWith() => new(StopWithName)
    {
        Description = "End early, as with Ctrl-C, when this file appears.",
        HelpName = "file",
    };

    public void AddTo(Command command)
    {
        command.Options.Add(Format);
        command.Options.Add(Details);
        command.Options.Add(Output);
        command.Options.Add(Quiet);
        command.Options.Add(NoColor);
        // apply writes its ticket into the journal, too, and has an option of its own for it.
        if (command.Options.All(o => o.Name != Ticket.Name))
        {
            command.Options.Add(Ticket);
        }

        command.Options.Add(Note);
        command.Options.Add(Operator);
        command.Options.Add(Chart);
        command.Options.Add(Interactive);
        command.Options.Add(Progress);
        command.Options.Add(StopWith);
    }

    public CommonValues Values(ParseResult parse) => new(
        Enum.Parse<ReportFormat>(parse.GetValue(Format)!, ignoreCase: true), parse.GetValue(Output), parse.GetValue(Quiet), parse.GetValue(NoColor),
        parse.GetValue(Details))
    {
        Arguments = GivenWords.WithoutOutput(parse),
        PathOptions = GivenWords.OfPath(parse),
        Said = new() { Operator = parse.GetValue(Operator), Ticket = parse.GetValue<string?>(Ticket.Name), Note = parse.GetValue(Note) },
        Chart = parse.GetValue(Chart),
        Interactive = parse.GetValue(Interactive),
    };

    /// <summary>A short text of one line.</summary>
    private static Option<string?> Text(string name, string description, string helpName)
    {
        const int Most = 1000;
        Option<string?> option = new(name) { Description = description, HelpName = helpName };
        option.Validators.Add(result =>
        {
            if (result.Tokens is [{ Value.Length: > Most } token])
            {
                result.AddError($"{name} has {token.Value.Length} characters; the limit is {Most}.");
            }
        });
        return option;
    }
}
