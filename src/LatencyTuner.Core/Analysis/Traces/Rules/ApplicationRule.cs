using System.Globalization;

namespace LatencyTuner.Core.Analysis.Traces.Rules;

/// <summary>Data lay ready before the application took it: its own time at the server (LT141) or the client (LT142). Stays info.</summary>
internal static class ApplicationRule
{
    private const double FewestMs = 5;
    private const int Fewest = 3;

    internal static IEnumerable<Finding> Evaluate(TraceEvidence evidence)
    {
        HashSet<uint> told = [];
        foreach (var group in evidence.Connections.Where(c => c.Receiver.LateReads > 0).GroupBy(c => (c.ProcessId, c.Side)))
        {
            TraceConnection[] connections = [.. group];
            TraceConnection first = connections[0];
            long[] waits = [.. connections.SelectMany(c => c.Receiver.ReadWaits)];
            double median = TraceCost.MedianMs(waits);
            if (waits.Length < Fewest || median < FewestMs)
            {
                continue;
            }

            told.Add(first.ProcessId ?? 0);
            yield return TraceCost.Finding(
                evidence, first.IsClient ? Cause.ClientThink : Cause.ServerThink, first.Side, connections, connections.Sum(c => c.Receiver.LateReads), connections.Sum(c => c.Receiver.LateNs), 0, Confidence.Likely,
                [string.Create(CultureInfo.InvariantCulture, $"data lay ready (1157) {median:0.0} ms in the median, {waits.Max() / 1e6:0.0} ms at most, before {first.Process ?? "the application"} took it (1158; n={waits.Length})")], [],
                $"{first.Process ?? "The application"} is late to read: look for a busy or blocked thread there.") with
            { Severity = Severity.Info };
        }

        foreach (TraceProcess process in evidence.Processes.Where(p => p.ReadWaits.Count >= Fewest && !told.Contains(p.Id)).OrderBy(p => p.Id))
        {
            double median = TraceCost.MedianMs(process.ReadWaits);
            TraceConnection[] connections = [.. evidence.Connections.Where(c => c.ProcessId == process.Id)];
            if (median < FewestMs)
            {
                continue;
            }

            bool client = connections.Length > 0 && connections.Count(c => c.IsClient) * 2 > connections.Length;
            string name = process.Name is { } known ? $"{known} ({process.Id})" : $"process {process.Id}";
            Cause cause = client ? Cause.ClientThink : Cause.ServerThink;
            yield return new Finding
            {
                Id = CauseIds.IdOf(cause),
                Cause = cause,
                Side = client ? Side.Client : Side.Server,
                Process = name,
                Confidence = Confidence.Likely,
                Severity = Severity.Info,
                Count = process.LateReads,
                CostMs = process.LateNs / 1e6,
                Connections = [.. connections.Select(c => c.Name).Distinct().Take(20)],
                For = [string.Create(CultureInfo.InvariantCulture, $"data was indicated (Winsock-AFD 3003) {median:0.0} ms in the median before a receive call of {name} ended (1004; n={process.ReadWaits.Count})")],
                Against = [TraceCost.Unverified],
                Verified = false,
                Recommendation = $"{name} is late to read: look for a busy or blocked thread there.",
            };
        }
    }
}
