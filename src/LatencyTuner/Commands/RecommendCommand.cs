using System.CommandLine;
using System.CommandLine.Parsing;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Recommendations;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>recommend</c>: makes recommendations from findings and a snapshot; changes nothing.</summary>
internal static class RecommendCommand
{
    public static Command Create(CliHost host)
    {
        Option<string[]> from = new("--from")
        {
            Description = "Reports with findings: diagnose, check, measure, sweep, settings (--format json); - is standard input.",
            HelpName = "report.json",
            AllowMultipleArgumentsPerToken = true,
        };
        Option<string?> snapshotFile = new("--snapshot") { Description = "The settings of a host: a snapshot or a .reg export.", HelpName = "file" };
        Option<string> profile = ProfileOption.Create();
        Option<string[]> ignore = new("--ignore") { Description = "Findings to leave out.", HelpName = "LT101,...", CustomParser = Ignored };
        Option<string[]> languages = new("--language")
        {
            Description = "Show code in these languages (default: csharp and c).",
            HelpName = string.Join('|', CodeSnippet.Languages),
            CustomParser = result => Words(result, "--language", CodeSnippet.Languages, lower: true),
        };
        ignore.CompletionSources.Add([.. CauseIds.All]);
        languages.CompletionSources.Add([.. CodeSnippet.Languages]);
        Option<string> failOn = FailOn.Option("none");
        CommonOptions common = new();
        Command command = new(
            "recommend",
            "Recommends what to change, where, and what it gains: the cheapest effective cure first. Changes nothing.") {
                from, snapshotFile, profile, ignore, languages, failOn };
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            string[] files = [.. (parse.GetValue(from) ?? []).Distinct()];
            string? path = parse.GetValue(snapshotFile);
            if (files.Length == 0 && path is null)
            {
                throw new ExpectedFailureException(ExitCode.Usage, "Nothing to recommend from: give --from REPORT.json, --snapshot FILE, or both.");
            }

            HostSnapshot? snapshot = path is null ? null : SnapshotFiles.Read(host, path);
            RecommendationReport report = RecommendationReportBuilder.From(new AdviceInputs
            {
                Files = [.. files.Select(f => EvidenceReader.Read(SnapshotFiles.Bytes(host, f), CliHost.NameOf(f)))],
                Catalogue = SettingsCatalogue.Current,
                Snapshot = snapshot,
                SnapshotSource = path ?? "",
                Profile = ProfileOption.Value(parse, profile),
                Ignore = parse.GetValue(ignore) ?? [],
                Languages = parse.GetValue(languages) is { Length: > 0 } chosen ? [.. chosen.Distinct()] : SnippetLibrary.Defaults,
            }, FailOn.Parse(parse.GetValue(failOn)));
            output.Write(report);
            return report.Judgement.ExitCode;
        }));
        return command;
    }

    private static string[]? Ignored(ArgumentResult result) => Words(result, "--ignore", CauseIds.All, lower: false);

    /// <summary>Words of a list, each given on its own or several joined by commas; an unknown word is refused with the nearest valid one.</summary>
    private static string[]? Words(ArgumentResult result, string option, IReadOnlyList<string> known, bool lower)
    {
        List<string> words = [];
        foreach (string text in result.Tokens.SelectMany(t => t.Value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)))
        {
            string word = lower ? text.ToLowerInvariant() : text.ToUpperInvariant();
            if (!known.Contains(word))
            {
                string hint = NearMatches.Of(word, known).Count > 0 ? NearMatches.Hint(word, known) : $"; valid are {string.Join(", ", known)}.";
                result.AddError($"{option} '{text}' is not known{hint}");
                return null;
            }

            words.Add(word);
        }

        return [.. words];
    }
}
