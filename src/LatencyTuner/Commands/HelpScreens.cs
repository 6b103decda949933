using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Text.RegularExpressions;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>Help on one screen: examples first, then the options that they use, then as many others as fit; <c>--all</c> shows the rest.</summary>
/// <param name="inner">The library's help, which describes the options.</param>
/// <param name="width">The columns of the terminal.</param>
internal sealed partial class HelpScreens(HelpAction inner, int width) : SynchronousCommandLineAction
{
    private const int Rows = 22;
    private const int Columns = 80;
    private const int MostExamples = 3;
    private const int NameColumns = 11;
    private const string All = "--all";
    private const string Bytes = "<bytes>";
    private static readonly string[] SymbolParts = ["Arguments", "Commands", "Options"];

    // What is wider than this is hard to read.
    private const int MostColumns = 120;

    public override int Invoke(ParseResult parseResult)
    {
        string path = PathOf(parseResult.CommandResult);
        bool all = parseResult.Tokens.Any(t => t.Value == All);
        TextWriter output = parseResult.InvocationConfiguration.Output;
        if (parseResult.CommandResult.Parent is null)
        {
            WriteOverview(output);
            return 0;
        }

        Dictionary<string, List<List<string>>> parts = Parts(parseResult);
        List<string> lines = [.. parts["Description"].SelectMany(p => p).Select(l => l[2..].TrimEnd()), ""];
        IReadOnlyList<string> examples = HelpExamples.Of(path);
        if (examples.Count > 0)
        {
            lines.AddRange(["Examples:", .. examples.Take(all ? int.MaxValue : MostExamples).Select(e => "  " + e), ""]);
        }

        lines.AddRange([.. parts["Usage"].SelectMany(p => p).Select((l, i) => (i == 0 ? "Usage: " : "       ") + l.Trim()), ""]);
        List<List<string>> symbols = [.. SymbolParts.SelectMany(p => parts.GetValueOrDefault(p, []))];
        int room = Rows - lines.Sum(RowsOf);
        List<List<string>> shown = all || symbols.Sum(s => s.Sum(RowsOf)) <= room ? symbols : Fitting(symbols, examples, room - 1);
        lines.AddRange(shown.SelectMany(s => s));
        if (shown.Count < symbols.Count)
        {
            lines.Add($"  {symbols.Count - shown.Count} more: latencytuner help {path} {All}");
        }

        lines.ForEach(output.WriteLine);
        return 0;
    }

    /// <summary>The arguments and commands, the options of the examples, and then the others in their order, while there is room; in the usual order.</summary>
    private List<List<string>> Fitting(List<List<string>> symbols, IReadOnlyList<string> examples, int room)
    {
        string[] words = [.. examples.SelectMany(e => e.Split(' ', '='))];
        bool IsUsed(List<string> symbol) => !symbol[0].TrimStart().StartsWith('-') || words.Contains(NameOf(symbol));
        HashSet<List<string>> kept = [];
        foreach (List<string> symbol in symbols.Where(IsUsed).Concat(symbols.Where(s => !IsUsed(s))))
        {
            int rows = symbol.Sum(RowsOf);
            if (rows > room)
            {
                break;
            }

            room -= rows;
            _ = kept.Add(symbol);
        }

        return [.. symbols.Where(kept.Contains)];
    }

    private static string NameOf(List<string> symbol) => LongName().Match(symbol[0]).Value;

    private int RowsOf(string line) => Math.Max(1, (line.Length + width - 1) / width);

    /// <summary>The parts of the library's help by heading: each a list of entries, each entry the lines that it takes at this width.</summary>
    private Dictionary<string, List<List<string>>> Parts(ParseResult parseResult)
    {
        InvocationConfiguration configuration = parseResult.InvocationConfiguration;
        TextWriter output = configuration.Output;
        using StringWriter stock = new();
        inner.MaxWidth = Math.Min(width, MostColumns);
        configuration.Output = stock;
        _ = inner.Invoke(parseResult);
        configuration.Output = output;
        string text = DefaultTime().Replace(stock.ToString(), m => Quantities.Format(TimeSpan.Parse(m.Value, CultureInfo.InvariantCulture)));
        Dictionary<string, List<List<string>>> parts = [];
        List<List<string>> part = [];
        foreach (string line in text.Split('\n').Select(l => l.TrimEnd()).Where(l => l.Length > 0))
        {
            if (line[0] != ' ')
            {
                parts[line.TrimEnd(':')] = part = [];
            }
            else if (part.Count == 0 || line[2] != ' ')
            {
                part.Add([line]);
            }
            else
            {
                part[^1].Add(line);
            }
        }

        foreach (List<string> entry in parts.Values.SelectMany(p => p))
        {
            WriteSize(entry, inner.MaxWidth);
        }

        return parts;
    }

    /// <summary>The library's help writes a default size as a number of bytes; on the command line it has a unit, such as 16MiB.</summary>
    private static void WriteSize(List<string> entry, int width)
    {
        int column = entry[0].IndexOf(Bytes, StringComparison.Ordinal) is >= 0 and var name
            ? entry[0].TakeWhile((c, i) => i < name + Bytes.Length || c == ' ').Count() : 0;
        string text = column == 0 ? "" : string.Join(' ', entry.Select((l, i) => i == 0 ? l[column..] : l.Trim()));
        if (!DefaultSize().IsMatch(text))
        {
            return;
        }

        List<string> lines = [entry[0][..column]];
        text = DefaultSize().Replace(text, m => Quantities.Format(long.Parse(m.Value, CultureInfo.InvariantCulture)));
        foreach (string word in text.Split(' '))
        {
            bool begins = lines[^1].Length == column;
            if (!begins && lines[^1].Length + 1 + word.Length > width)
            {
                lines.Add(new string(' ', column));
                begins = true;
            }

            lines[^1] += begins ? word : " " + word;
        }

        entry.Clear();
        entry.AddRange(lines);
    }

    /// <summary>All commands in their groups: in two columns where the terminal has room for them.</summary>
    private void WriteOverview(TextWriter output)
    {
        output.WriteLine("Finds out why TCP is slow, at which end, what it costs, and what cures it.");
        foreach (string example in HelpExamples.Of("latencytuner"))
        {
            output.WriteLine("  " + example);
        }

        output.WriteLine();
        string[][] groups =
        [
            .. CommandTable.All.GroupBy(c => c.Group).Select(g =>
                (string[])[g.Key.ToString(), .. g.Select(c => $"  {c.Name.PadRight(NameColumns)}{c.Summary}")]),
        ];
        string[] left = [.. groups[0], .. groups[1]];
        string[] right = [.. groups.Skip(2).SelectMany(g => g)];
        bool beside = width >= Columns;
        for (int i = 0; i < (beside ? Math.Max(left.Length, right.Length) : left.Length); i++)
        {
            output.WriteLine(((left.ElementAtOrDefault(i) ?? "").PadRight(Columns / 2) + (beside ? right.ElementAtOrDefault(i) : "")).TrimEnd());
        }

        foreach (string line in beside ? [] : right)
        {
            output.WriteLine(line);
        }

        output.WriteLine($"More: latencytuner help COMMAND, or help {string.Join(", ", HelpTopics.Names)}");
    }

    private static string PathOf(CommandResult command) =>
        command.Parent is not CommandResult parent ? "latencytuner"
        : parent.Parent is null ? command.Command.Name
        : $"{PathOf(parent)} {command.Command.Name}";

    /// <summary>The library's help writes a default time as hh:mm:ss; on the command line it is a number with a unit, such as 10s.</summary>
    [GeneratedRegex(@"(?<=\[default:\s+)\d\d:\d\d:\d\d(\.\d+)?(?=\])")]
    private static partial Regex DefaultTime();

    [GeneratedRegex(@"(?<=\[default: )\d{4,}(?=\])")]
    private static partial Regex DefaultSize();

    [GeneratedRegex("--[a-z0-9-]+")]
    private static partial Regex LongName();
}
