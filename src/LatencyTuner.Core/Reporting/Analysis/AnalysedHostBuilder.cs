using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>Builds the hosts of an analysis with their ACKs.</summary>
internal static class AnalysedHostBuilder
{
    private const int Most = 1000;

    internal static IReadOnlyList<AnalysedHost> Of(RecordingResult result) =>
        [.. result.Evidence.SelectMany(e => e.Hosts.Values.Select(h => Of(e, h))).GroupBy(h => h.Address).Select(g => g.MaxBy(h => h.LateAcks)!)
            .OrderByDescending(h => h.Harmful).ThenByDescending(h => h.AcksAbove100Ms).ThenByDescending(h => h.LateAcks)
            .ThenBy(h => h.Address, StringComparer.Ordinal).Take(Most)];

    private static AnalysedHost Of(CaptureEvidence evidence, CapturedHost host)
    {
        HostTimer? timer = evidence.TimerOf(host.Address);
        return new AnalysedHost
        {
            Address = host.Address.ToString(),
            AckTimerMs = timer?.Ms,
            AckTimerModel = timer is null ? null : timer.Known is null ? "unknown" : timer.Known.Model == AckTimerModel.Tick ? "tick" : "fixed",
            AckTimerConsistentWith = timer?.Known is { } known ? Systems(known) : [],
            Connections = host.Connections,
            ImmediateAcks = host.Acks[(int)AckClass.Immediate],
            SecondSegmentAcks = host.Acks[(int)AckClass.SecondSegment],
            LateAcks = host.Acks[(int)AckClass.Late],
            UnexplainedAcks = host.Acks[(int)AckClass.Unexplained] + host.Acks[(int)AckClass.Stretched] + host.Acks[(int)AckClass.MaybeStretched],
            PiggybackAcks = host.Acks[(int)AckClass.Piggyback],
            AcksAbove100Ms = host.AcksAbove100Ms,
            LateP50Ms = host.LateMedianNs() is { } median ? AnalysisReportBuilder.Ms(median) : null,
            LateMaxMs = host.LateCount > 0 ? AnalysisReportBuilder.Ms(host.LongestLateNs) : null,
            Harmful = timer is null ? 0 : evidence.SidesAt(host.Address)
                .Where(s => s.PeerFacts.MayHaveHeld).Sum(s => s.PeerFacts.Holds.All.LongCount(h => h.Late && timer.Fits(h.AckDelayNs))),
        };
    }

    /// <summary>The systems that use a timer value; several systems share each value.</summary>
    private static string[] Systems(AckTimer timer) => timer switch
    {
        { Model: AckTimerModel.Tick, ClusterMs: < 100 } => ["systems with a kernel tick of 10 ms"],
        { Model: AckTimerModel.Tick } => ["Windows before 8 and Server 2012 (a 200 ms timer counted in ticks)", "other systems with a coarse tick"],
        { ClusterMs: 10 } => ["the Windows TCP template Datacenter"],
        { ClusterMs: 40 } => ["Linux", "the Windows TCP template Internet of Server 2019 and later"],
        { ClusterMs: 50 } => ["the Windows TCP template Internet of Server 2012 and 2016"],
        { ClusterMs: 100 } => ["FreeBSD", "macOS"],
        { ClusterMs: 200 } => ["Windows (registry default, template Compat)"],
        _ => [],
    };
}
