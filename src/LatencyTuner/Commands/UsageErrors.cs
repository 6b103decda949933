using System.CommandLine;
using System.CommandLine.Parsing;

namespace LatencyTuner.Commands;

/// <summary>What is wrong with a command line, one sentence each, with the nearest name where something was misspelt.</summary>
internal static class UsageErrors
{
    private static readonly HashSet<string> ValueWords = new(StringComparer.OrdinalIgnoreCase)
    {
        "yes", "no", "on", "off", "y", "n", "t", "f", "1", "0", "maybe", "default", "enable", "enabled", "disable", "disabled",
    };

    /// <summary>The sentences; empty when the command line can run.</summary>
    public static IReadOnlyList<string> Of(ParseResult parsed)
    {
        Command command = parsed.CommandResult.Command;
        bool wordFirst = command.Subcommands.Count > 0 && parsed.UnmatchedTokens.Count > 0 && !parsed.UnmatchedTokens[0].StartsWith('-');
        if (!wordFirst && UnknownOption(parsed) is { } option)
        {
            if (OptionNames(parsed.CommandResult).Contains(option) && WithoutValue(parsed, option) is { } before)
            {
                return [$"{before} needs a value, but {option} follows it."];
            }

            return [
                $"'{option}' is not an option of '{Path(parsed.CommandResult)}'{Hint(option, OptionNames(parsed.CommandResult), Path(parsed.CommandResult))}"];
        }

        if (SwitchValue(parsed) is { } value)
        {
            return [
                $"{value.Option} '{value.Text}' is not valid: true or false is expected. Without a value it means true; then put targets before the option."];
        }

        if (command.Subcommands.Count > 0 && command.Action is null)
        {
            string[] names = [.. command.Subcommands.Select(c => c.Name)];
            return parsed.UnmatchedTokens.Count > 0
                ? [
                    $"'{parsed.UnmatchedTokens[0]}' is not a command of "
                    + $"'{Path(parsed.CommandResult)}'{Hint(parsed.UnmatchedTokens[0], names, Path(parsed.CommandResult))}"]
                : [
                    command is RootCommand ? "'latencytuner' needs a command: start with 'latencytuner check'; 'latencytuner help' lists them all."
                    : $"'{Path(parsed.CommandResult)}' needs a command: {string.Join(", ", names)}."];
        }

        return parsed.UnmatchedTokens.Count > 0
            ? [$"'{parsed.UnmatchedTokens[0]}' is one argument too many for '{Path(parsed.CommandResult)}'."]
            : Missing(parsed) is { } missing ? [missing]
            : [.. parsed.Errors.Select(e => e.Message).Distinct()];
    }

    /// <summary>An argument or a value that is missing: its name, and a command line that has it.</summary>
    private static string? Missing(ParseResult parsed)
    {
        CommandResult command = parsed.CommandResult;
        string[] arguments =
        [
            .. command.Command.Arguments.Where(a => a.Arity.MinimumNumberOfValues > (parsed.GetResult(a)?.Tokens.Count ?? 0)).Select(a => a.HelpName ?? a.Name),
        ];
        if (arguments.Length > 0)
        {
            string example = HelpExamples.Of(Path(command)["latencytuner ".Length..]) is [var first, ..] ? $" Example: '{first}'." : "";
            return $"'{Path(command)}' needs {string.Join(" and ", arguments.Select(a => a.ToUpperInvariant()))}.{example}";
        }

        return command.Children.OfType<OptionResult>().FirstOrDefault(
                o => o.IdentifierToken is not null && o.Tokens.Count < o.Option.Arity.MinimumNumberOfValues) is { } option
            ? $"{option.IdentifierToken!.Value} needs a value: {option.Option.HelpName ?? "see --help"}." : null;
    }

    /// <summary>
    /// What looks like an option but is none. An argument and an option of several values take any text, so a misspelt option would otherwise
    /// become the name of a target or one value more.
    /// </summary>
    private static string? UnknownOption(ParseResult parsed) =>
        parsed.Tokens.Any(t => t.Type == TokenType.DoubleDash) ? null
        : parsed.CommandResult.Children.OfType<ArgumentResult>().SelectMany(a => a.Tokens).Select(t => t.Value)
            .Concat(parsed.UnmatchedTokens).FirstOrDefault(t => t.Length > 1 && t[0] == '-')
            ?? parsed.CommandResult.Children.OfType<OptionResult>().SelectMany(o => o.Tokens).Select(t => t.Value)
                .FirstOrDefault(t => t.StartsWith("--", StringComparison.Ordinal));

    /// <summary>The option that took the name of another one as its value.</summary>
    private static string? WithoutValue(ParseResult parsed, string option) =>
        parsed.CommandResult.Children.OfType<OptionResult>().FirstOrDefault(o => o.Tokens.Any(t => t.Value == option))?.IdentifierToken?.Value;

    /// <summary>
    /// A word behind a switch that is no value of it and becomes a target, or one argument too many. A first target may stand there:
    /// <c>measure --no-delay app01</c>; a word that means a value, or one behind another target, may not.
    /// </summary>
    private static (string Option, string Text)? SwitchValue(ParseResult parsed)
    {
        bool hasTarget = false;
        for (int i = 0; i < parsed.Tokens.Count && parsed.Tokens[i].Type != TokenType.DoubleDash; i++)
        {
            if (parsed.Tokens[i].Type != TokenType.Argument)
            {
                continue;
            }

            string text = parsed.Tokens[i].Value;
            bool isTarget = parsed.CommandResult.Children.OfType<ArgumentResult>().SelectMany(a => a.Tokens).Any(t => t.Equals(parsed.Tokens[i]))
                || parsed.UnmatchedTokens.Contains(text);
            bool behindSwitch = i > 0 && parsed.Tokens[i - 1].Type == TokenType.Option && parsed.CommandResult.Command.Options.Any(o =>
                o.ValueType == typeof(bool?) && (o.Name == parsed.Tokens[i - 1].Value || o.Aliases.Contains(parsed.Tokens[i - 1].Value)));
            if (isTarget && behindSwitch && (hasTarget || ValueWords.Contains(text)))
            {
                return (parsed.Tokens[i - 1].Value, text);
            }

            hasTarget |= isTarget;
        }

        return null;
    }

    private static IEnumerable<string> OptionNames(CommandResult command) =>
        command.Command.Options.Concat(((command.Parent as CommandResult)?.Command.Options ?? []).Where(o => o.Recursive))
            .Where(o => !o.Hidden).SelectMany(o => o.Aliases.Append(o.Name)).Where(n => n.StartsWith("--", StringComparison.Ordinal));

    private static string Path(CommandResult command) =>
        command.Parent is CommandResult parent ? $"{Path(parent)} {command.Command.Name}" : "latencytuner";

    /// <summary>What to do about a word that is not known: the nearest name, or where all are listed.</summary>
    internal static string Hint(string text, IEnumerable<string> names, string path)
    {
        // --size=12: only the name was misspelt.
        string word = text.Split('=', ':')[0];
        string? near = names.Select(n => (Name: n, Distance: Distance(word, n))).Where(n => n.Distance <= Math.Max(1, n.Name.Length / 3))
            .OrderBy(n => n.Distance).ThenBy(n => n.Name, StringComparer.Ordinal).Select(n => n.Name).FirstOrDefault();
        return near is null ? $"; '{path} --help' lists them." : $"; did you mean {near}?";
    }

    /// <summary>Insertions, deletions, replacements and swaps of neighbours from one to the other.</summary>
    private static int Distance(string a, string b)
    {
        const int Longest = 64;
        if (a.Length > Longest)
        {
            return a.Length;
        }

        int[,] d = new int[a.Length + 1, b.Length + 1];
        for (int i = 0; i <= a.Length; i++)
        {
            for (int j = 0; j <= b.Length; j++)
            {
                d[i, j] = i == 0 || j == 0 ? i + j
                    : Math.Min(Math.Min(d[i - 1, j], d[i, j - 1]) + 1, d[i - 1, j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                {
                    d[i, j] = Math.Min(d[i, j], d[i - 2, j - 2] + 1);
                }
            }
        }

        return d[a.Length, b.Length];
    }
}
