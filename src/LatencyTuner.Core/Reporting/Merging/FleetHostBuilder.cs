using LatencyTuner.Core.Analysis.Fleets;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Tuning.Recommendations;

namespace LatencyTuner.Core.Reporting.Merging;

/// <summary>Gathers what the documents of one host say.</summary>
/// <param name="name">Name of the host.</param>
internal sealed class FleetHostBuilder(string name)
{
    private readonly HashSet<string> _kinds = new(StringComparer.Ordinal);
    private readonly List<Finding> _findings = [];
    private VerdictKind? _verdict;
    private string _text = "";
    private string _file = "";
    private string? _os;
    private DateTime _started;
    private long _documents;
    private (string File, DateTimeOffset? TakenUtc)? _oldest;
    private (string File, DateTimeOffset? TakenUtc)? _newest;

    internal string Name => name;

    /// <summary>Its newest snapshot with its file, for recommendations; null without one.</summary>
    internal (HostSnapshot Snapshot, string File)? Snapshot { get; private set; }

    /// <summary>What recommendations are drawn from.</summary>
    internal List<EvidenceFile> Evidence { get; } = [];

    /// <summary>Recommendations that documents hold already, with their files.</summary>
    internal List<(Recommendation Recommendation, string File)> Recommendations { get; } = [];

    /// <summary>Keeps a snapshot, unless a newer one is kept.</summary>
    internal void Keep(HostSnapshot snapshot, string file)
    {
        if (Snapshot is not { } kept || !(snapshot.TakenUtc < kept.Snapshot.TakenUtc))
        {
            Snapshot = (snapshot, file);
        }
    }

    internal void Add(Document document, string file)
    {
        (VerdictKind verdict, string text, DateTime started) = document switch
        {
            Report r => (r.Verdict, r.Text, r.StartedUtc),
            HostSnapshot s => (VerdictKind.Done, s.Text, s.StartedUtc),
            _ => (VerdictKind.Done, "", default),
        };
        if (_verdict is not { } worst || FleetHostFacts.Rank(verdict) > FleetHostFacts.Rank(worst))
        {
            (_verdict, _text, _file) = (verdict, text, file);
        }

        if (document is HostSnapshot taken)
        {
            _oldest = _oldest is { } old && !(taken.TakenUtc < old.TakenUtc) ? old : (file, taken.TakenUtc);
            _newest = _newest is { } last && taken.TakenUtc < last.TakenUtc ? last : (file, taken.TakenUtc);
        }

        _documents++;
        _kinds.Add(PublishedDocuments.Find(document.GetType())?.Name ?? "document");
        _os ??= FleetDocument.OsOf(document);
        _started = started > _started ? started : _started;
        _findings.AddRange(FleetDocument.FindingsOf(document).Where(f => f.Severity >= Severity.Warning));
    }

    internal FleetHost Build(IReadOnlyList<FleetPair> pairs, long drift, long recommendations)
    {
        FleetPair? slowest = pairs.Where(p => (p.P99Us ?? p.AtLeastUs) is not null).OrderBy(p => p.Server == FleetPairFacts.Loopback)
            .ThenByDescending(p => p.P99Us ?? p.AtLeastUs).FirstOrDefault();
        return new()
        {
            Name = name,
            Verdict = _verdict ?? VerdictKind.Done,
            Text = _text,
            File = _file,
            Kinds = [.. _kinds],
            Snapshots = [.. new[] { _oldest?.File, _newest?.File }.OfType<string>().Distinct()],
            Documents = _documents,
            Os = _os,
            StartedUtc = _started == default ? null : _started,
            Findings = [.. _findings.WorstFirst().Select(f => f.Id).Distinct()],
            P99Us = slowest?.P99Us,
            AtLeastUs = slowest?.AtLeastUs,
            Server = slowest?.Server,
            Outliers = pairs.Count(p => p.Outlier != FleetOutlier.None),
            Drift = drift,
            Recommendations = recommendations,
        };
    }
}
