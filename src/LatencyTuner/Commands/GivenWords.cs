using System.CommandLine;
using System.CommandLine.Parsing;

namespace LatencyTuner.Commands;

/// <summary>Parts of the command line as the user gave them, for the command lines of next steps.</summary>
internal static class GivenWords
{
    // What shapes only the output, or consents to a change: a next step says it itself.
    private static readonly string[] OfOutput =
    [
        "--format", "--output", "--report", "--quiet", "--no-color", "--details", "--all", "--yes", "--script", "--save-plan", "--note", "--operator",
        "--chart", "--interactive", "--progress", "--stop-with",
    ];

    private static readonly string[] ToTarget = ["--token-file", "-4", "-6", "--process", .. ViaOptions.Names];

    /// <summary>The command and its arguments, without the options that only shape the output.</summary>
    public static IReadOnlyList<string> WithoutOutput(ParseResult parse)
    {
        HashSet<Token> left = [.. Given(parse, OfOutput).SelectMany(Tokens)];
        return [.. parse.Tokens.Where(t => !left.Contains(t)).Select(t => t.Value)];
    }

    /// <summary>The options that a command needs to measure the same target in the same way.</summary>
    public static IReadOnlyList<string> OfPath(ParseResult parse) => [.. Given(parse, ToTarget).SelectMany(Tokens).Select(t => t.Value)];

    private static IEnumerable<OptionResult> Given(ParseResult parse, string[] names) =>
        parse.CommandResult.Children.OfType<OptionResult>().Where(o => !o.Implicit && names.Contains(o.Option.Name));

    private static IEnumerable<Token> Tokens(OptionResult option) =>
        option.IdentifierToken is { } name ? option.Tokens.Prepend(name) : option.Tokens;
}
