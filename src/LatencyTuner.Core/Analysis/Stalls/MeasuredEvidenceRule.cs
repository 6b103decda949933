using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Analysis.Stalls;

/// <summary>The evidence is incomplete (LT301): <c>warning</c>, <c>error</c> when it is too thin for any verdict.</summary>
internal static class MeasuredEvidenceRule
{
    internal static Finding? Evaluate(MeasurementFacts facts)
    {
        const long FewestForVerdict = 6;
        return facts.Complete && facts.Received >= FewestForVerdict
            ? null
            : new Finding
            {
                Cause = Cause.EvidenceIncomplete,
                Confidence = Confidence.Confirmed,
                Severity = facts.Received < FewestForVerdict ? Severity.Error : Severity.Warning,
                Count = 1,
                Connections = [facts.Target],
                For = [
                    facts.Complete ? $"only {facts.Received} replies were measured; {FewestForVerdict} are needed for a median"
                        : $"the measurement ended early, after {facts.Received} replies"],
                Against = [],
                Recommendation = "Measure longer, or find out why the measurement ended.",
            };
    }
}
