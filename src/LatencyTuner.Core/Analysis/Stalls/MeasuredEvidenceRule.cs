using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>The evidence is incomplete (LT301): <c>warning</c>, <c>error</c> when it is too thin for any verdict.</summary>
internal static class MeasuredEvidenceRule
{
    private const long FewestForVerdict = 6;

    internal static Finding? Evaluate(MeasurementFacts facts)
    {
        string[] gaps = [.. Gaps(facts)];
        return gaps.Length == 0 ? null : new Finding
        {
            Cause = Cause.EvidenceIncomplete,
            Confidence = Confidence.Confirmed,
            Severity = facts.Received < FewestForVerdict ? Severity.Error : Severity.Warning,
            Count = 1,
            Connections = [facts.Target],
            For = gaps,
            Against = [],
            Recommendation = facts.Complete && facts.Received >= FewestForVerdict
                ? "Find out what answers at the target: its build of latencytuner, or something between that changes its data, is not to be trusted."
                : "Measure longer, or find out why the measurement ended.",
        };
    }

    private static IEnumerable<string> Gaps(MeasurementFacts facts)
    {
        if (!facts.Complete)
        {
            yield return $"the measurement ended early, after {Counted.Of(facts.Received, "reply")}";
        }
        else if (facts.Received < FewestForVerdict)
        {
            yield return $"only {Counted.Were(facts.Received, "reply")} measured; {FewestForVerdict} are needed for a median";
        }

        if (facts.ImpossibleStamps > 0)
        {
            yield return $"{facts.ImpossibleStamps} of {Counted.Of(facts.Received, "reply")} came with a time at the server that is negative or longer than "
                + "the whole "
                + "request; these times are left out";
        }

        if (facts.ImpossibleResults > 0)
        {
            yield return $"the responder reported kernel counters that cannot be, on {Counted.Of(facts.ImpossibleResults, "connection")}; they are left out";
        }
    }
}
