using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>The notes that a reader of recommendations needs besides them.</summary>
internal static class AdviceNotes
{
    internal static List<string> Of(AdviceInputs inputs, IReadOnlyList<Finding> findings, HostAuditResult audit, bool hasCures)
    {
        List<string> notes = [];
        foreach (EvidenceFile? file in inputs.Files.Where(f => !f.Complete))
        {
            notes.Add($"The measurement in {file.File} ended early. Its figures come from the time until then.");
        }

        if (hasCures)
        {
            notes.AddRange(
                inputs.Files.Where(f => f.Paths.Count > 0 && f.Paths.All(p => p.IsLoopback))
                    .Select(f => $"{f.File} tested loopback: both ends are the machine where it was made, and no network was tested."));
        }

        if (inputs.Snapshot is { } snapshot && hasCures)
        {
            foreach ((string? file, EvidencedPath? path) in inputs.Files.SelectMany(f => f.Paths.Select(p => (f.File, Path: p)))
                .DistinctBy(f => (f.File, f.Path.ServerOs)))
            {
                if (path is { IsOfWindows: false })
                {
                    notes.Add(
                        $"{file} was measured against {path.ServerOs}, but the snapshot is of "
                        + $"{snapshot.Machine ?? "a host"}{(snapshot.Os.Product is { } product ? $" with {product}" : "")}. Timers differ, so measure "
                        + "there too.");
                }
            }
        }
        else if (hasCures)
        {
            notes.Add("Without --snapshot the current values of the settings are unknown.");
        }

        foreach (Finding? finding in findings.Where(f => f.Cause == Cause.SettingHasNoEffect))
        {
            if (SettingAdvice.SettingOf(finding, inputs.Catalogue) is { } setting)
            {
                notes.Add(
                    $"{setting.Title} is set, but has no effect (LT202): {setting.Flagged?.Because ?? setting.Effect}. It cures nothing. To clean up: "
                    + $"{setting.Undo}.");
            }
        }

        List<string> waiting = audit.Entries.Where(e => e.State == AuditState.PendingRestart).Select(e => e.Id).Distinct().ToList();
        if (waiting.Count > 0)
        {
            notes.Add($"Written, but not in force before a restart: {string.Join(", ", waiting)}.");
        }

        List<string> newer = findings.Where(f => f.Cause == Cause.Unknown).Select(f => $"{f.Id} in {f.File}").Distinct().ToList();
        if (newer.Count > 0)
        {
            notes.Add($"Findings of a newer version are left out: {string.Join(", ", newer)}.");
        }

        List<string> ignored = inputs.Files.SelectMany(f => f.Findings)
            .Concat(audit.Findings)
            .Where(f => inputs.Ignore.Contains(f.Id, StringComparer.OrdinalIgnoreCase)).GroupBy(f => f.Id).Select(g => $"{g.Count()} {g.Key}").ToList();
        if (ignored.Count > 0)
        {
            notes.Add($"Left out, as asked: {string.Join(", ", ignored)}.");
        }

        return notes;
    }
}
