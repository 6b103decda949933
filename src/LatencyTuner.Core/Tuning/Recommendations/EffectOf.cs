using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>
/// The effect of a cure: as measured by an experiment, else as predicted by a replay of the requests, else the cost of the wait that it removes.
/// </summary>
internal static class EffectOf
{
    internal static RecommendedEffect Basis(Basis basis, EvidencedPath? path)
    {
        if (basis.Fix is not { Fix.P50UsAfter: not null } && basis.Finding.Predictions is [{ } largest, ..])
        {
            return Predicted(basis, largest);
        }

        double? cost = basis.Finding is { CostMs: > 0 and { } total, Count: > 0 } ? total / basis.Finding.Count : (double?)null;
        if (basis.Fix is not { Fix.P50UsAfter: not null } measured)
        {
            return new()
            {
                Basis = cost is null ? EffectBasis.Unknown : EffectBasis.Expected,
                SavesMs = cost,
                File = cost is null ? null : basis.Finding.File,
                Because = cost is null ? "the report does not say what the wait costs"
                    : $"the mean of {Counted.Of(basis.Finding.Count, "wait")}; 'latencytuner diagnose' measures the effect",
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

    private static RecommendedEffect Predicted(Basis basis, CurePrediction largest)
    {
        IReadOnlyList<CurePrediction> all = basis.Finding.Predictions;
        long n = all.Sum(p => p.N);
        // What is predicted for Nagle's algorithm is its end. With immediate ACKs the second write still waits one round trip.
        bool atMost = basis.Finding.Cause == Cause.NagleDelayedAck && !basis.Cure.AtSender;
        string replayed = $"predicted from {Counted.Of(n, "request")}"
            + (all.Count > 1 ? $" on {Counted.Of(all.Count, "connection")}{(atMost ? "" : $", the percentiles are those of {largest.Of}")}" : "");
        string limit = atMost ? "; at most, because the second write still waits one round trip" : largest.AtBest ? "; at best" : "";
        return new()
        {
            Basis = EffectBasis.Expected,
            SavesMs = n > 0 ? all.Sum(p => p.SavesMs) / n : null,
            P50UsBefore = atMost ? null : largest.P50Us,
            P50UsAfter = atMost ? null : largest.P50AfterUs,
            P99UsBefore = atMost ? null : largest.P99Us,
            P99UsAfter = atMost ? null : largest.P99AfterUs,
            NBefore = n,
            File = basis.Finding.File,
            Because = replayed + limit + (basis.Cure.MeasuredBy is null ? "" : "; 'latencytuner diagnose' measures the effect"),
        };
    }
}
