using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting.Merging;

/// <summary>Gathers who needs which recommendation.</summary>
internal sealed class FleetAdvice
{
    private readonly Dictionary<string, Needed> _needed = new(StringComparer.Ordinal);
    private readonly List<string> _failures = [];

    /// <summary>Why there are no recommendations for a host, a sentence each.</summary>
    internal IReadOnlyList<string> Failures => _failures;

    /// <summary>Adds the recommendations for a host.</summary>
    /// <returns>How many there are.</returns>
    internal long Add(FleetHostBuilder host)
    {
        HashSet<string> own = new(StringComparer.Ordinal);
        foreach ((Recommendation recommendation, string file) in host.Recommendations.Concat(Drawn(host)))
        {
            // What concerns applications that were not measured is no need of this host, nor what is set already.
            if (recommendation.AppliesTo is null && !recommendation.IsDone && own.Add(recommendation.Id))
            {
                if (!_needed.TryGetValue(recommendation.Id, out Needed? needed))
                {
                    _needed[recommendation.Id] = needed = new(recommendation, file, []);
                }
                else if ((recommendation.Effect.SavesMs ?? 0) > (needed.Best.Effect.SavesMs ?? 0))
                {
                    _needed[recommendation.Id] = needed = needed with { Best = recommendation, File = file };
                }

                needed.Hosts.Add(host.Name);
            }
        }

        return own.Count;
    }

    internal IReadOnlyList<FleetRecommendation> Build() =>
    [
        .. _needed.Values.OrderByDescending(n => n.Best.Effect.Basis != EffectBasis.Unknown).ThenByDescending(n => n.Hosts.Count)
            .ThenByDescending(n => n.Best.Effect.SavesMs ?? 0).ThenBy(n => n.Best.Id, StringComparer.Ordinal).Select(n => new FleetRecommendation
            {
                Id = n.Best.Id,
                Title = n.Best.Title,
                Where = n.Best.Where,
                Effect = n.Best.Effect.InBrief,
                Hosts = n.Hosts,
                File = n.File,
            }),
    ];

    private IEnumerable<(Recommendation Recommendation, string File)> Drawn(FleetHostBuilder host)
    {
        if (host.Evidence.Count == 0 && host.Snapshot is null)
        {
            return [];
        }

        try
        {
            AdviceResult advice = Advice.Of(new()
            {
                Files = host.Evidence,
                Catalogue = SettingsCatalogue.Current,
                Snapshot = host.Snapshot?.Snapshot,
                SnapshotSource = host.Snapshot?.File ?? "",
                Languages = [],
            });
            string file = host.Evidence.Count > 0 ? host.Evidence[0].File : host.Snapshot?.File ?? "";
            return [.. advice.Recommendations.Select(r => (r, r.Files.Count > 0 ? r.Files[0] : file))];
        }
        catch (ExpectedFailureException e)
        {
            _failures.Add($"No recommendations for {host.Name}: {e.Message}");
            return [];
        }
    }

    private sealed record Needed(Recommendation Best, string File, List<string> Hosts);
}
