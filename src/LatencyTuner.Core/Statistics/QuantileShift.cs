namespace LatencyTuner.Core.Statistics;

/// <summary>The difference B − A at one quantile.</summary>
/// <param name="Quantile">Such as 0.99.</param>
/// <param name="BeforeNs">A's quantile, nanoseconds.</param>
/// <param name="AfterNs">B's quantile.</param>
/// <param name="DeltaNs">B − A; positive is slower.</param>
/// <param name="LowNs">Lower end of the interval of the difference.</param>
/// <param name="HighNs">Upper end.</param>
/// <param name="P">p-value, Holm-corrected over all judged quantiles.</param>
/// <param name="PracticalLimitNs">Differences up to this do not matter to the user.</param>
/// <param name="LimitNs">What a difference must exceed: the largest of the practical limit, the resolution and the difference between the
/// two halves of the same set of runs.</param>
/// <param name="Differs">Whether a difference is declared.</param>
public readonly record struct QuantileShift(
    double Quantile,
    long BeforeNs,
    long AfterNs,
    long DeltaNs,
    double LowNs,
    double HighNs,
    double P,
    double PracticalLimitNs,
    double LimitNs,
    bool Differs);
