using System.CommandLine;
using System.CommandLine.Parsing;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>Makes options whose values are parsed and range-checked in one place.</summary>
internal static class Symbols
{
    /// <summary>An option with one value, parsed and checked by a function of this program.</summary>
    public static Option<T> Option<T>(string name, string description, string valueName, Func<string, string, T> parse, T fallback) => new(name)
    {
        Description = description,
        HelpName = valueName,
        DefaultValueFactory = _ => fallback,
        CustomParser = result => Quantities.Parse(result, text => parse(text, name))!,
    };

    /// <summary>An option that is null when it is not given.</summary>
    public static Option<T?> Optional<T>(string name, string description, string valueName, Func<string, string, T> parse)
        where T : struct => new(name)
        {
            Description = description,
            HelpName = valueName,
            CustomParser = result => Quantities.Parse<T?>(result, text => parse(text, name)),
        };

    /// <summary>A list that is null when it is not given; its description names the default.</summary>
    public static Option<IReadOnlyList<double?>?> List(string name, string description, string valueName, Func<string, string, double?> parse) => new(name)
    {
        Description = description,
        HelpName = valueName,
        CustomParser = result => Quantities.Parse(result, text => Quantities.List(text, name, part => parse(part, name))),
    };

    /// <summary>An option with a few valid words.</summary>
    public static Option<string> Words(string name, string description, string fallback, params string[] words)
    {
        Option<string> option = new(name)
        {
            Description = description,
            HelpName = string.Join('|', words),
            DefaultValueFactory = _ => fallback,
            CustomParser = result => OneOf(result, name, words),
        };
        option.CompletionSources.Add(words);
        return option;
    }

    /// <summary>An argument or option that must be one of a few words.</summary>
    public static string? OneOf(ArgumentResult result, string name, params string[] words)
    {
        string text = result.Tokens[0].Value;
        if (words.Contains(text))
        {
            return text;
        }

        result.AddError($"{name} '{text}' is not valid: {string.Join(", ", words[..^1])} or {words[^1]} is expected.");
        return null;
    }

    /// <summary>A switch that may be given with <c>true</c> or <c>false</c>; null when it is not given.</summary>
    public static Option<bool?> Switch(string name, string description) => new(name) { Description = description, HelpName = "true|false" };
}
