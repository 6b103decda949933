using System.CommandLine;
using System.CommandLine.Completions;
using System.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>
/// What may stand at the cursor of a shell. The shells' scripts ask through a command that no help shows; its form may change with any release,
/// because a shell gets its script from the program that it asks.
/// </summary>
internal static class CommandCompletion
{
    /// <summary>The command that the scripts ask through; its one argument is a <see cref="CompletionRequest"/>.</summary>
    public const string Name = "complete";

    private static readonly string[] SwitchValues = ["true", "false"];

    /// <summary>
    /// Prints the candidates, one a line: the word, its kind and its meaning between tabs. It prints nothing where it cannot tell, because whatever
    /// it printed else would stand in the command line of somebody who pressed a key.
    /// </summary>
    public static void Answer(string asked, CliHost host)
    {
        try
        {
            if (CompletionRequest.Read(asked) is { } request)
            {
                host.Out.Write(string.Concat(Of(request, host).Select(c => Line(c) + host.Out.NewLine)));
            }
        }
        catch (Exception)
        {
            // A key that completes nothing is better than a stack in the middle of a line.
        }
    }

    /// <summary>The candidates, commands before options.</summary>
    internal static IReadOnlyList<CompletionCandidate> Of(CompletionRequest request, CliHost host)
    {
        CompletionPlace place = CompletionPlace.Of(request, host);
        string word = request.Word;
        bool isOption = word.StartsWith('-') && !place.OnlyArguments;
        if (isOption && place.Named(word) is ({ } named, > 0 and var value))
        {
            return ValuesOf(named, word[..value], word[value..]);
        }

        List<CompletionCandidate> candidates = [];
        if (place.Open is { } open && (!CompletionPlace.IsSwitch(open) || open.ValueType == typeof(bool?)))
        {
            candidates.AddRange(ValuesOf(open, "", word));
            if (!CompletionPlace.IsSwitch(open) && !isOption)
            {
                return candidates;
            }
        }

        if (isOption)
        {
            candidates.AddRange(OptionsOf(place, word));
            return candidates;
        }

        candidates.AddRange(Names(place, request, host).Where(c => StartsWith(c.Text, word)));
        if (place.Argument is { } argument)
        {
            candidates.AddRange(Items(argument.CompletionSources, argument.Description).Where(c => StartsWith(c.Text, word)));
        }

        // Where a file is expected and nothing is printed, the shell completes the names of files by itself.
        bool isFile = place.Argument is { CompletionSources.Count: 0 } file && !file.Name.StartsWith("target", StringComparison.Ordinal);
        if (word.Length == 0 && !isFile && !place.OnlyArguments)
        {
            candidates.AddRange(OptionsOf(place, word));
        }

        return candidates;
    }

    /// <summary>The commands that may follow; behind <c>help</c> those that it explains.</summary>
    private static IEnumerable<CompletionCandidate> Names(CompletionPlace place, CompletionRequest request, CliHost host)
    {
        if (place.OnlyArguments)
        {
            return [];
        }

        bool helps = place.Command.Name == "help";
        if (helps && place.Arguments.Count > 0)
        {
            // As if the words behind "help" were the line.
            return Names(CompletionPlace.Of(request with { Before = place.Arguments }, host), request, host);
        }

        return place.Arguments.Count > 0 ? []
            : helps || place.Command is RootCommand
            ? CommandTable.All.Select(c => new CompletionCandidate(c.Name, CandidateKind.Command, c.Summary))
            : place.Command.Subcommands.Select(c => new CompletionCandidate(c.Name, CandidateKind.Command, c.Description ?? c.Name));
    }

    private static IEnumerable<CompletionCandidate> OptionsOf(CompletionPlace place, string word) =>
        from option in place.Options
        // Short names are for those who begin one: they say little in a list.
        from name in word.Length > 0 && !word.StartsWith("--", StringComparison.Ordinal) ? option.Aliases.Append(option.Name) : [option.Name]
        where name.StartsWith('-') && StartsWith(name, word)
        select new CompletionCandidate(name, CandidateKind.Option, option.Description ?? name);

    private static List<CompletionCandidate> ValuesOf(Option option, string before, string word)
    {
        if (option is SettingOption)
        {
            return [.. SettingOption.Candidates(word).Where(c => StartsWith(c.Text, word)).Select(c => c with { Text = before + c.Text })];
        }

        if (CompletionPlace.IsSwitch(option))
        {
            return [.. SwitchValues.Where(v => StartsWith(v, word)).Select(
                v => new CompletionCandidate(before + v, CandidateKind.Value, option.Description ?? v))];
        }

        // LT101,LT1: the values of a list complete one by one.
        int last = option.ValueType.IsArray ? word.LastIndexOf(',') + 1 : 0;
        string[] there = word[..last].Split(',');
        return
        [
            .. Items(option.CompletionSources, option.Description)
                .Where(c => StartsWith(c.Text, word[last..]) && !there.Contains(c.Text, StringComparer.OrdinalIgnoreCase))
                .Select(c => c with { Text = before + word[..last] + c.Text }),
        ];
    }

    private static IEnumerable<CompletionCandidate> Items(List<Func<CompletionContext, IEnumerable<CompletionItem>>> sources, string? description) =>
        sources.SelectMany(s => s(CompletionContext.Empty)).Select(
            i => new CompletionCandidate(i.Label, CandidateKind.Value, i.Documentation ?? i.Detail ?? description ?? i.Label));

    private static bool StartsWith(string text, string word) => text.StartsWith(word, StringComparison.OrdinalIgnoreCase);

    private static string Line(CompletionCandidate candidate) => string.Join('\t', candidate.Text, candidate.Kind, OneLine(candidate.Tooltip));

    private static string OneLine(string text)
    {
        StringBuilder line = new(text.Length);
        foreach (char c in text)
        {
            _ = line.Append(char.IsControl(c) ? ' ' : c);
        }

        return line.ToString();
    }
}
