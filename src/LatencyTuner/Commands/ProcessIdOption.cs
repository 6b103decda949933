using System.CommandLine;
using System.CommandLine.Parsing;
using LatencyTuner.Core;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>--pid</c>: connections of some processes only.</summary>
internal static class ProcessIdOption
{
    public static Option<uint[]> Create(string description) => new("--pid")
    {
        Description = description,
        HelpName = "id",
        AllowMultipleArgumentsPerToken = false,
        CustomParser = result => [.. result.Tokens.Select(t => Parse(result, t.Value))],
    };

    private static uint Parse(ArgumentResult result, string text)
    {
        try
        {
            return (uint)Quantities.Count(text, "--pid", 1, int.MaxValue);
        }
        catch (ExpectedFailureException e)
        {
            result.AddError(e.Message);
            return 0;
        }
    }
}
