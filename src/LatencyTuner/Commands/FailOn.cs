using System.CommandLine;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Commands;

/// <summary><c>--fail-on</c>: a finding of at least this severity ends the command with exit code 1.</summary>
internal static class FailOn
{
    public static Option<string> Option(string fallback) =>
        Symbols.Words("--fail-on", "Exit with 1 on a finding of at least this severity.", fallback, "none", "info", "warning", "error");

    public static Severity? Parse(string? word) => Enum.TryParse(word, ignoreCase: true, out Severity severity) ? severity : null;
}
