using System.Globalization;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>What a cure brings: measured where an experiment did, else what the wait that it removes costs.</summary>
internal static class EffectOf
{
    internal static RecommendedEffect Basis(Basis basis)
    {
        var cost = basis.Finding is { CostMs: > 0 and { } total, Count: > 0 } ? total / basis.Finding.Count : (double?)null;
        if (basis.Fix is not { Fix.P50UsAfter: not null } measured)
        {
            return new()
            {
                Basis = cost is null ? EffectBasis.Unknown : EffectBasis.Expected,
                SavesMs = cost,
                File = cost is null ? null : basis.Finding.File,
                Because = cost is null ? "the report does not say what the wait costs"
                    : string.Create(CultureInfo.InvariantCulture, $"the wait that it ends costs that much, on average of {basis.Finding.Count:N0}; 'latencytuner diagnose' measures it"),
            };
        }

        var fix = measured.Fix;
        return new()
        {
            Basis = basis.Cure.MeasuredByAnother ? EffectBasis.Expected : EffectBasis.Measured,
            SavesMs = measured.SavesMs,
            P50UsBefore = fix.P50UsBefore,
            P50UsAfter = fix.P50UsAfter,
            P50UsAfterLow = measured.AfterLowUs,
            P50UsAfterHigh = measured.AfterHighUs,
            P99UsAfter = fix.P99UsAfter,
            NBefore = measured.BeforeN,
            N = fix.N,
            File = basis.FixFile,
            Because = basis.Cure.MeasuredByAnother ? "measured with the socket call; that this setting does the same was not" : null,
        };
    }
}
