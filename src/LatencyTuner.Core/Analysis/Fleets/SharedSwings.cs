namespace LatencyTuner.Core.Analysis.Fleets;

/// <summary>What several series share: oscillations of the same period, and level shifts at the same time.</summary>
/// <remarks>
/// Two series may have the same period without one cause: timers are set to round numbers. In step means that their highest points fall together, which two
/// independent oscillations do by chance in a share of the cases that <see cref="InStepShare"/> bounds; a member more divides that chance again.
/// </remarks>
internal static class SharedSwings
{
    /// <summary>The part of a period, either side, within which highest points fall together.</summary>
    internal const double InStepShare = 0.1;

    /// <summary>Groups oscillations whose intervals of the period have a point in common.</summary>
    /// <param name="oscillations">The most certain oscillation of each metric of each series.</param>
    /// <returns>Groups of two hosts or more, the largest first.</returns>
    internal static IReadOnlyList<FleetSwing> Oscillations(IEnumerable<SeriesOscillation> oscillations)
    {
        List<FleetSwing> groups = [];
        foreach (IGrouping<string, SeriesOscillation> metric in oscillations.Where(o => o.PeriodS > 0).GroupBy(o => o.Metric))
        {
            List<SeriesOscillation> left = [.. metric.OrderBy(o => o.PeriodS)];
            while (left.Count > 0)
            {
                SeriesOscillation first = left[0];
                SeriesOscillation[] same = [.. left.Where(o => o.PeriodLowS <= first.PeriodHighS && first.PeriodLowS <= o.PeriodHighS)];
                left.RemoveAll(same.Contains);
                string[] members = [.. same.Select(o => o.Member).Distinct(StringComparer.Ordinal)];
                if (members.Length > 1)
                {
                    double period = same.Select(o => o.PeriodS).Order().ElementAt(same.Length / 2);
                    groups.AddRange(ByPhase(same, period).Select(g => new FleetSwing(metric.Key, g.Members, period, null, g.InStep)));
                }
            }
        }

        return [.. groups.OrderByDescending(g => g.Members.Count)];
    }

    /// <summary>Groups level shifts in the same direction whose intervals of the time overlap.</summary>
    /// <param name="shifts">The shifts of all series.</param>
    /// <returns>Groups of two hosts or more, the largest first.</returns>
    internal static IReadOnlyList<FleetSwing> Shifts(IEnumerable<SeriesShift> shifts)
    {
        List<FleetSwing> groups = [];
        foreach (IGrouping<(string, bool), SeriesShift> kind in shifts.GroupBy(s => (s.Metric, s.IsUp)))
        {
            List<SeriesShift> left = [.. kind.OrderBy(s => s.At)];
            while (left.Count > 0)
            {
                SeriesShift first = left[0];
                SeriesShift[] same = [.. left.Where(s => s.Low <= first.High && first.Low <= s.High)];
                left.RemoveAll(same.Contains);
                string[] members = [.. same.Select(s => s.Member).Distinct(StringComparer.Ordinal)];
                if (members.Length > 1)
                {
                    groups.Add(new(kind.Key.Item1, members, null, same[same.Length / 2].At, null));
                }
            }
        }

        return [.. groups.OrderByDescending(g => g.Members.Count)];
    }

    /// <summary>
    /// The series that are in step; all of them where none are, or where the periods are too uncertain to say how far the phases have run apart between the
    /// times of the highest points.
    /// </summary>
    private static List<(IReadOnlyList<string> Members, bool? InStep)> ByPhase(SeriesOscillation[] same, double period)
    {
        SeriesOscillation first = same[0];
        double widest = same.Max(o => o.PeriodHighS - o.PeriodLowS) / 2 / period;
        double longest = same.Max(o => Math.Abs((o.Peak - first.Peak).TotalSeconds)) / period;
        IReadOnlyList<string> all = Members(same);
        if (longest * widest > InStepShare)
        {
            return [(all, null)];
        }

        List<(IReadOnlyList<string> Members, bool? InStep)> groups = [];
        List<SeriesOscillation> left = [.. same];
        while (left.Count > 0)
        {
            SeriesOscillation[] together = [.. left.Where(o => Apart(left[0], o, period) <= InStepShare)];
            left.RemoveAll(together.Contains);
            if (Members(together) is { Length: > 1 } members)
            {
                groups.Add((members, true));
            }
        }

        return groups.Count > 0 ? groups : [(all, false)];
    }

    private static double Apart(SeriesOscillation a, SeriesOscillation b, double period)
    {
        double phase = (b.Peak - a.Peak).TotalSeconds / period;
        return Math.Abs(phase - Math.Round(phase));
    }

    private static string[] Members(SeriesOscillation[] same) => [.. same.Select(o => o.Member).Distinct(StringComparer.Ordinal)];
}

/// <summary>An oscillation of one series.</summary>
/// <param name="Member">The host, and the series where it has several.</param>
/// <param name="Metric">What oscillates, in words.</param>
/// <param name="PeriodS">The period, seconds.</param>
/// <param name="PeriodLowS">Lower end of its 95 % interval, seconds.</param>
/// <param name="PeriodHighS">Upper end of its 95 % interval, seconds.</param>
/// <param name="Peak">A time at which it is highest.</param>
internal sealed record SeriesOscillation(string Member, string Metric, double PeriodS, double PeriodLowS, double PeriodHighS, DateTimeOffset Peak);

/// <summary>A level shift of one series.</summary>
/// <param name="Member">The host, and the series where it has several.</param>
/// <param name="Metric">What shifted, in words.</param>
/// <param name="At">Its time.</param>
/// <param name="Low">Lower end of the 95 % interval of the time.</param>
/// <param name="High">Upper end of the 95 % interval of the time.</param>
/// <param name="IsUp">True when the level rose.</param>
internal sealed record SeriesShift(string Member, string Metric, DateTimeOffset At, DateTimeOffset Low, DateTimeOffset High, bool IsUp);

/// <summary>What several series have in common.</summary>
/// <param name="Metric">What oscillates or shifted, in words.</param>
/// <param name="Members">The series.</param>
/// <param name="PeriodS">The period of an oscillation, seconds; null for a shift.</param>
/// <param name="At">The time of a shift; null for an oscillation.</param>
/// <param name="InStep">Whether the highest points of an oscillation fall together; null for a shift, and where it cannot be said.</param>
internal sealed record FleetSwing(string Metric, IReadOnlyList<string> Members, double? PeriodS, DateTimeOffset? At, bool? InStep);
