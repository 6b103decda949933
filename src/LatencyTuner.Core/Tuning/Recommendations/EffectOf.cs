using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>The effect of a cure: as measured by an experiment, else the cost of the wait that it removes.</summary>
internal static class EffectOf
{
    internal static RecommendedEffect Basis(Basis basis, EvidencedPath? path)
    {
        double? cost = basis.Finding is { CostMs: > 0 and { } total, Count: > 0 } ? total / basis.Finding.Count : (double?)null;
        if (basis.Fix is not { Fix.P50UsAfter: not null } measured)
        {
            return new()
            {
                Basis = cost is null ? EffectBasis.Unknown : EffectBasis.Expected,
                SavesMs = cost,
                File = cost is null ? null : basis.Finding.File,
                Because = cost is null ? "the report does not say what the wait costs"
                    : $"the mean of {basis.Finding.Count:N0} waits; 'latencytuner diagnose' measures the effect",
            };
        }

        // Other systems have another call for immediate ACKs, so the figure is not that of the recommended call.
        bool byCounterpart = basis.Cure.Kind == RecommendationKind.SocketCall && path is { IsOfWindows: false }
            && (path.IsLoopback || basis.Sender == Side.Client);
        DiagnosisFix fix = measured.Fix;
        return new()
        {
            Basis = basis.Cure.MeasuredByAnother || byCounterpart ? EffectBasis.Expected : EffectBasis.Measured,
            SavesMs = measured.SavesMs,
            P50UsBefore = fix.P50UsBefore,
            P50UsAfter = fix.P50UsAfter,
            P50UsAfterLow = measured.AfterLowUs,
            P50UsAfterHigh = measured.AfterHighUs,
            P99UsAfter = fix.P99UsAfter,
            NBefore = measured.BeforeN,
            N = fix.N,
            File = basis.FixFile,
            Because = basis.Cure.MeasuredByAnother ? "measured by a call on the socket, not by this setting"
                : byCounterpart ? $"measured with the counterpart of {path!.ServerOs}"
                : null,
        };
    }
}
