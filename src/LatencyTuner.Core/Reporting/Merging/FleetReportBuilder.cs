using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Fleets;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Merging;

/// <summary>Merges documents into a <c>fleet</c> document, one after the other: of each only the facts stay.</summary>
public sealed class FleetReportBuilder
{
    // Each is some hundred kilobytes; without them the drift is still counted, and recommendations say less about settings.
    private const int MostSnapshots = 1000;
    private readonly Dictionary<string, FleetHostBuilder> _hosts = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<FleetPair> _pairs = [];
    private readonly Dictionary<(string, Severity), (Finding Worst, string File, HashSet<string> Hosts)> _findings = [];
    private readonly SettingsDrift _drift = new();
    private readonly FleetProcesses _processes = new();
    private readonly List<SeriesOscillation> _oscillations = [];
    private readonly List<SeriesShift> _shifts = [];
    private readonly List<FleetUnreadable> _unreadable = [];
    private int _snapshots;
    private long _unnamed;
    private bool _complete = true;

    /// <summary>Number of documents that were merged.</summary>
    public long Documents { get; private set; }

    /// <summary>Number of files that could not be read.</summary>
    public int Unreadable => _unreadable.Count;

    /// <summary>Takes the facts of a document.</summary>
    /// <param name="document">A document of any kind but <c>fleet</c>, judged under the gate of the user.</param>
    /// <param name="file">Its file, as it was given.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: it is merged already, or a value in it is not valid.</exception>
    public void Add(Document document, string file)
    {
        ArgumentNullException.ThrowIfNull(document);
        if (document is FleetReport)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{file} is a report of several hosts. Give the documents that it was made from.");
        }

        string? named = PublishedDocuments.HostOf(document);
        string name = named ?? Path.GetFileNameWithoutExtension(file);
        if (document is HostSnapshot snapshot)
        {
            // First, because a damaged value refuses the document as a whole.
            _drift.Add(name, snapshot, file);
            FleetHostBuilder host = Host(name, document, file);
            if (_snapshots++ < MostSnapshots)
            {
                host.Keep(snapshot, file);
            }
        }
        else
        {
            Host(name, document, file);
        }

        Documents++;
        _unnamed += named is null ? 1 : 0;
        _complete &= document is not Report { Complete: false };
        _pairs.AddRange(FleetDocument.PairsOf(document, name, file));
        Found(name, FleetDocument.FindingsOf(document), file);
        switch (document)
        {
            case SocketsReport sockets:
                _processes.Add(name, sockets.Processes);
                break;
            case SeriesReport series:
                Swings(series.Series, f => $"{name}: {f.Name}");
                break;
            case RecommendationReport made:
                _hosts[name].Recommendations.AddRange(made.Recommendations.Select(r => (r, file)));
                break;
            default:
                break;
        }

        if (EvidenceReader.HasFindings(document))
        {
            _hosts[name].Evidence.Add(EvidenceReader.From(document, file));
        }
    }

    /// <summary>Takes the facts of series that come from files without a document; each is a host of its own.</summary>
    /// <param name="series">Their figures.</param>
    /// <param name="findings">Their findings.</param>
    public void AddSeries(IReadOnlyList<SeriesFigures> series, IReadOnlyList<Finding> findings)
    {
        ArgumentNullException.ThrowIfNull(series);
        ArgumentNullException.ThrowIfNull(findings);
        foreach (SeriesFigures figures in series)
        {
            Finding[] own = [.. findings.Where(f => f.Host == figures.Name)];
            SeriesReport report = SeriesReportBuilder.Judge(new() { Complete = true, Series = [figures], Findings = own }, Gate.Open);
            string name = Path.GetFileNameWithoutExtension(figures.Name);
            Host(name, report, figures.Name);
            _pairs.AddRange(FleetDocument.PairsOf(report, name, figures.Name).Select(p => p with { Server = $"{figures.Kind} file" }));
            Found(name, own, figures.Name);
            Swings([figures], _ => name);
            Documents++;
        }
    }

    /// <summary>Lists a file that could not be read.</summary>
    /// <param name="file">The file as it was given.</param>
    /// <param name="because">Why, a sentence.</param>
    public void AddUnreadable(string file, string because) => _unreadable.Add(new() { File = file, Because = because });

    /// <summary>Makes the document.</summary>
    /// <param name="files">Number of files that were given.</param>
    /// <param name="gate">The gate of the user.</param>
    public FleetReport Build(long files, Gate gate)
    {
        IReadOnlyList<FleetPairJudgement> judged = OutlyingPairs.Judge(
            [.. _pairs.Select(p => new FleetPairFacts(p.Client, p.Server, p.Workload, p.P99Us, p.P99LowUs, p.P99HighUs))]);
        FleetPair[] pairs =
        [
            .. _pairs.Select((p, i) => p with { Z = judged[i].Z, UsualUs = judged[i].UsualUs, Outlier = judged[i].Outlier })
                .OrderBy(p => p.Server == FleetPairFacts.Loopback).ThenByDescending(p => p.P99Us ?? p.AtLeastUs ?? 0)
                .ThenBy(p => p.Client, StringComparer.OrdinalIgnoreCase),
        ];
        IReadOnlyList<DriftedSetting> drifted = _drift.Differences();
        Dictionary<string, long> drift = drifted.SelectMany(d => d.Values.Skip(1).SelectMany(v => v.Hosts))
            .GroupBy(h => h, StringComparer.OrdinalIgnoreCase).ToDictionary(g => g.Key, g => g.LongCount(), StringComparer.OrdinalIgnoreCase);
        FleetAdvice advice = new();
        ILookup<string, FleetPair> byClient = pairs.ToLookup(p => p.Client, StringComparer.OrdinalIgnoreCase);
        FleetHost[] hosts =
        [
            .. _hosts.Values.Select(h => h.Build([.. byClient[h.Name]], drift.GetValueOrDefault(h.Name), advice.Add(h)))
                .OrderByDescending(h => FleetHostFacts.Rank(h.Verdict)).ThenByDescending(h => h.Findings.Count).ThenByDescending(h => h.Outliers)
                .ThenByDescending(h => h.P99Us ?? h.AtLeastUs ?? 0).ThenBy(h => h.Name, StringComparer.OrdinalIgnoreCase),
        ];
        return FleetVerdict.Judge(new FleetReport
        {
            Complete = _complete && _unreadable.Count == 0,
            Files = files,
            Hosts = hosts,
            Pairs = pairs,
            Findings =
            [
                .. _findings.Values.OrderByDescending(f => f.Worst.Severity).ThenByDescending(f => f.Hosts.Count)
                    .Select(f => new FleetFinding { Worst = f.Worst with { Predictions = [] }, File = f.File, Hosts = [.. f.Hosts] }),
            ],
            Shared = [.. SharedSwings.Oscillations(_oscillations).Concat(SharedSwings.Shifts(_shifts)).Select(Of)],
            Drift = [.. drifted.Select(Of)],
            Processes = _processes.Build(),
            Recommendations = advice.Build(),
            Unreadable = _unreadable,
            Notes = [.. Notes(pairs, advice)],
        }, gate);
    }

    private FleetHostBuilder Host(string name, Document document, string file)
    {
        if (!_hosts.TryGetValue(name, out FleetHostBuilder? host))
        {
            _hosts[name] = host = new(name);
        }

        host.Add(document, file);
        return host;
    }

    private void Found(string host, IReadOnlyList<Finding> findings, string file)
    {
        foreach (Finding finding in findings)
        {
            bool isNew = !_findings.TryGetValue((finding.Id, finding.Severity), out (Finding Worst, string File, HashSet<string> Hosts) known);
            if (isNew)
            {
                _findings[(finding.Id, finding.Severity)] = known = (finding, file, new(StringComparer.OrdinalIgnoreCase));
            }

            known.Hosts.Add(host);
            if (!isNew && new[] { known.Worst, finding }.WorstFirst().First() == finding)
            {
                _findings[(finding.Id, finding.Severity)] = (finding, file, known.Hosts);
            }
        }
    }

    private void Swings(IEnumerable<SeriesFigures> series, Func<SeriesFigures, string> member)
    {
        foreach (SeriesFigures figures in series)
        {
            string name = member(figures);
            _oscillations.AddRange(figures.Oscillations.DistinctBy(o => o.Metric)
                .Select(o => new SeriesOscillation(name, Format.Kebab(o.Metric), o.PeriodS, o.PeriodLowS, o.PeriodHighS, o.PeakUtc)));
            _shifts.AddRange(figures.Shifts.Select(s => new SeriesShift(name, Format.Kebab(s.Metric), s.AtUtc, s.AtLowUtc, s.AtHighUtc, s.After > s.Before)));
        }
    }

    private static FleetShared Of(FleetSwing swing) => new()
    {
        Kind = swing.PeriodS is null ? "level-shift" : "oscillation",
        Metric = swing.Metric,
        Members = swing.Members,
        PeriodS = swing.PeriodS,
        AtUtc = swing.At,
        InStep = swing.InStep,
    };

    private static FleetDrift Of(DriftedSetting drifted) => new()
    {
        Id = drifted.Id,
        Path = drifted.Path,
        Interface = drifted.Interface,
        InForce = drifted.InForce,
        Values =
        [
            .. drifted.Values.Select((v, i) => new FleetValue { Value = v.Value, Count = v.Hosts.Count, Hosts = i == 0 && v.Hosts.Count > 2 ? [] : v.Hosts }),
        ],
    };

    private IEnumerable<string> Notes(FleetPair[] pairs, FleetAdvice advice)
    {
        if (_unnamed > 0)
        {
            yield return $"{Counted.Of(_unnamed, "document")} {(_unnamed == 1 ? "does" : "do")} not name the host; the name of the file stands for it.";
        }

        if (pairs.Length > 0 && pairs.All(p => p.Z is null))
        {
            yield return $"No outliers are named: that needs {OutlyingPairs.FewestPairs} pairs of the same workload with a 99th percentile.";
        }

        if (_drift.Hosts.Count == 1)
        {
            yield return "Settings were not compared: there are snapshots of one host only.";
        }

        if (_snapshots > MostSnapshots)
        {
            yield return $"Recommendations know the settings of the first {MostSnapshots:N0} snapshots only.";
        }

        foreach (string sentence in advice.Failures)
        {
            yield return sentence;
        }
    }
}
