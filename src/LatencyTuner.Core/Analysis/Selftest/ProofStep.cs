using System.Text.RegularExpressions;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>A step of the proof on a real machine, and what its output must be for the assumptions to hold.</summary>
/// <param name="Id">Stable id, the name of its output in the evidence.</param>
/// <param name="Expected">What is expected, a clause.</param>
/// <param name="Assumptions">The ids of the assumptions that it tests; none for a step that another one is compared with.</param>
internal sealed record ProofStep(string Id, string Expected, params string[] Assumptions)
{
    /// <summary>The exit code that is expected.</summary>
    public int ExitCode { get; init; }

    /// <summary>A regular expression that the output must match; null for any output.</summary>
    public string? Matches { get; init; }

    /// <summary>A regular expression that the output must not match; null for any output.</summary>
    public string? Lacks { get; init; }

    /// <summary>The step whose output must be the same, line by line; null for none.</summary>
    public string? SameAs { get; init; }

    /// <summary>The step from whose output exactly one line must differ; null for none.</summary>
    public string? OneLineFrom { get; init; }

    /// <summary>Why the run is not as expected, a sentence; null when it is.</summary>
    /// <param name="run">What the step gave.</param>
    /// <param name="others">The other steps of the same machine, by id.</param>
    /// <param name="open">True when it cannot be told, because a step that it is compared with is missing.</param>
    public string? Failure(ProofRun run, IReadOnlyDictionary<string, ProofRun> others, out bool open)
    {
        open = false;
        if (run.ExitCode != ExitCode)
        {
            return $"Step {Id} ended with exit code {Shown(run.ExitCode)} instead of {ExitCode}.";
        }

        if (Matches is not null && !Found(run.Output, Matches))
        {
            return $"The output of step {Id} is not as expected: {Expected}.";
        }

        if (Lacks is not null && Found(run.Output, Lacks))
        {
            return $"The output of step {Id} has what it must not have: {Expected}.";
        }

        if ((SameAs ?? OneLineFrom) is not { } before)
        {
            return null;
        }

        open = !others.TryGetValue(before, out ProofRun? other) || other.ExitCode is null;
        if (open)
        {
            return $"Step {before}, with which {Id} is compared, was not run.";
        }

        (string[] was, string[] now) = (Lines(other!.Output), Lines(run.Output));
        int changed = was.Length == now.Length ? was.Zip(now).Count(p => p.First != p.Second) : -1;
        int expected = SameAs is null ? 1 : 0;
        return changed == expected ? null
            : changed < 0 ? $"Step {Id} shows {Counted.Of(now.Length, "line")}, and step {before} {was.Length}: {Expected}."
            : $"Steps {before} and {Id} differ in {Counted.Of(changed, "line")} instead of {expected}: {Expected}.";
    }

    // The tools of Windows end with the codes of its errors, which are known in hexadecimal.
    private static string Shown(int? exitCode) => exitCode < 0 ? $"0x{exitCode:X8}" : $"{exitCode}";

    private static bool Found(string text, string pattern) =>
        Regex.IsMatch(text, pattern, RegexOptions.IgnoreCase | RegexOptions.Multiline | RegexOptions.NonBacktracking);

    private static string[] Lines(string text) => [.. text.Split('\n').Select(l => l.Trim()).Where(l => l.Length > 0)];
}

/// <summary>What a step of the proof gave on a machine.</summary>
/// <param name="Step">The id of the step.</param>
/// <param name="ExitCode">How it ended; null when it was not run.</param>
/// <param name="NotRun">Why it was not run; null when it was.</param>
/// <param name="Output">What it printed; empty when it was not run.</param>
internal sealed record ProofRun(string Step, int? ExitCode, string? NotRun, string Output);
