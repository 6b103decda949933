using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Fleets;

/// <summary>A host as the verdict sees it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Verdict">The worst verdict of its documents.</param>
/// <param name="File">The file of that document.</param>
/// <param name="Findings">The ids of its findings from a warning up.</param>
/// <param name="IsAdvised">True when there is a recommendation for it.</param>
internal sealed record FleetHostFacts(string Name, VerdictKind Verdict, string File, IReadOnlyList<string> Findings, bool IsAdvised)
{
    /// <summary>True when someone has to look at it: a gate failed, the work failed, or something stalls.</summary>
    internal bool NeedsALook => Verdict is VerdictKind.Fail or VerdictKind.Failed or VerdictKind.Stall || Findings.Count > 0;

    /// <summary>How bad a verdict is; the highest stands for the host.</summary>
    /// <param name="verdict">A verdict.</param>
    internal static int Rank(VerdictKind verdict) => verdict switch
    {
        VerdictKind.Fail => 6,
        VerdictKind.Failed => 5,
        VerdictKind.Stall => 4,
        VerdictKind.CannotTell => 3,
        VerdictKind.Drift or VerdictKind.Unusual => 2,
        VerdictKind.Pass or VerdictKind.NoStall => 1,
        _ => 0,
    };
}

/// <summary>What the verdict on a fleet rests on.</summary>
internal sealed record FleetOutcome
{
    private const int MostNames = 3;
    private const int MostPastedFiles = 5;

    /// <summary>The hosts, those that need a look first.</summary>
    public required IReadOnlyList<FleetHostFacts> Hosts { get; init; }

    /// <summary>The worst finding of each cause.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    /// <summary>The pairs that are far slower than the others, in words, with their files; the farthest first.</summary>
    public IReadOnlyList<(string Pair, string File)> Slower { get; init; } = [];

    /// <summary>Two snapshots that can be compared setting by setting: before and after of one host, or the only two; empty otherwise.</summary>
    public IReadOnlyList<string> Snapshots { get; init; } = [];

    /// <summary>Number of settings whose difference is in force.</summary>
    public int Drift { get; init; }

    /// <summary>The largest number of series that oscillate or shift together; 0 for none.</summary>
    public int Together { get; init; }

    /// <summary>Number of files that could not be read.</summary>
    public int Unreadable { get; init; }

    /// <summary>Number of files that were given.</summary>
    public long Files { get; init; }

    /// <summary>Draws the verdict.</summary>
    /// <param name="gate">What the user lets pass. A host whose own gate failed when it was measured fails the fleet as well.</param>
    public Verdict Judge(Gate gate)
    {
        ArgumentNullException.ThrowIfNull(gate);
        FleetHostFacts[] look = [.. Hosts.Where(h => h.NeedsALook)];
        int failed = Hosts.Count(h => h.Verdict == VerdictKind.Fail);
        ExitCode code = failed > 0 ? ExitCode.Finding : gate.Judge(Findings);
        // Silence about a host that could not be read would pass it.
        code = code == ExitCode.Done && Unreadable > 0 ? ExitCode.Input : code;
        bool unknown = Hosts.All(h => h.Verdict == VerdictKind.CannotTell);
        (string word, VerdictKind result, Tone tone) = (code, look.Length) switch
        {
            (ExitCode.Finding, _) => ("FAIL", VerdictKind.Fail, Tone.Bad),
            (_, > 0) => ("FINDINGS", VerdictKind.Stall, Tone.Unsure),
            _ when unknown => ("CANNOT TELL", VerdictKind.CannotTell, Tone.Unsure),
            _ when Slower.Count > 0 => ("OUTLIERS", VerdictKind.Unusual, Tone.Unsure),
            _ when Together > 0 => ("SWING TOGETHER", VerdictKind.Unusual, Tone.Unsure),
            _ when Unreadable > 0 => ("INCOMPLETE", VerdictKind.CannotTell, Tone.Unsure),
            _ when Drift > 0 => ("SETTINGS DIFFER", VerdictKind.Drift, Tone.Unsure),
            _ => ("NO FINDING", VerdictKind.NoStall, Tone.Good),
        };
        return new()
        {
            Word = word,
            Text = string.Join(' ', Sentences(look, unknown)),
            Result = result,
            Tone = tone,
            ExitCode = code,
            NextSteps = [.. Steps(look)],
        };
    }

    private IEnumerable<string> Sentences(FleetHostFacts[] look, bool unknown)
    {
        yield return look.Length > 0
            ? $"{look.Length:N0} of {Counted.Of(Hosts.Count, "host")} {(look.Length == 1 ? "needs" : "need")} a look: "
                + $"{string.Join(", ", look.Take(MostNames).Select(Named))}{(look.Length > MostNames ? $" and {look.Length - MostNames:N0} more" : "")}."
            : unknown ? $"The documents of {Counted.Of(Hosts.Count, "host")} do not allow a verdict."
            : $"No finding from a warning up on {Counted.Of(Hosts.Count, "host")}.";
        if (Slower.Count > 0)
        {
            yield return $"{Slower[0].Pair} is far slower than the other pairs{(Slower.Count > 1 ? $", and so are {Slower.Count - 1:N0} more" : "")}.";
        }

        if (Together > 0)
        {
            yield return $"{Together:N0} series swing or shift together.";
        }

        if (Drift > 0)
        {
            yield return $"{Counted.Of(Drift, "setting")} {(Drift == 1 ? "differs" : "differ")} between hosts.";
        }

        if (Unreadable > 0)
        {
            yield return $"{Unreadable:N0} of {Counted.Of(Files, "file")} could not be read.";
        }
    }

    private static string Named(FleetHostFacts host) => host.Findings.Count > 0 ? $"{host.Name} ({host.Findings[0]})"
        : host.Verdict == VerdictKind.Failed ? $"{host.Name} (not measured)" : host.Name;

    private IEnumerable<NextStep> Steps(FleetHostFacts[] look)
    {
        if (look.Length > 0)
        {
            yield return new() { Command = "report", Options = [look[0].File, "--details"], Note = $"everything about {look[0].Name}" };
        }
        else if (Slower.Count > 0)
        {
            yield return new() { Command = "report", Options = [Slower[0].File, "--details"], Note = $"everything about {Slower[0].Pair}" };
        }

        if (look.FirstOrDefault(h => h.IsAdvised) is { } advised)
        {
            yield return new() { Command = "recommend", Options = ["--from", advised.File], Note = $"what to change on {advised.Name}" };
        }

        if (Snapshots.Count == 2)
        {
            yield return new() { Command = "compare", Options = [.. Snapshots], Note = "setting by setting" };
        }

        // The names of hundreds of files are no line to paste.
        yield return Files <= MostPastedFiles
            ? new() { Again = true, Options = ["--format", "html", "--output", "fleet.html"], Note = "one page of all hosts" }
            : new() { Note = "Add --format html --output fleet.html for one page of all hosts." };
    }
}
