namespace LatencyTuner.Core.Statistics;

/// <summary>A series without the oscillations found in it, so that the slow ones are not taken for shifts.</summary>
internal static class OscillationRemoval
{
    internal static BinnedSeries Of(BinnedSeries series, IReadOnlyList<Oscillation> oscillations)
    {
        if (oscillations.Count == 0)
        {
            return series;
        }

        double[] values = (double[])series.Values.Clone();
        foreach (Oscillation oscillation in oscillations.Where(o => o.Profile.Count > 1))
        {
            double centre = oscillation.Profile.Average(p => p.Mean);
            for (int i = 0; i < values.Length; i++)
            {
                double turns = (series.TimeOf(i) - oscillation.FirstPeakSeconds) / oscillation.PeriodSeconds;
                values[i] -= At(oscillation.Profile, turns - Math.Floor(turns)) - centre;
            }
        }
        return new BinnedSeries(series.StartSeconds, series.StepSeconds, values);
    }

    /// <summary>The profile between its points, which go round.</summary>
    private static double At(IReadOnlyList<ProfilePoint> profile, double phase)
    {
        int next = 0;
        while (next < profile.Count && profile[next].Phase < phase)
        {
            next++;
        }

        ProfilePoint right = profile[next % profile.Count];
        ProfilePoint left = profile[(next + profile.Count - 1) % profile.Count];
        double width = right.Phase - left.Phase + (right.Phase <= left.Phase ? 1 : 0);
        double from = phase - left.Phase + (phase < left.Phase ? 1 : 0);
        return left.Mean + ((right.Mean - left.Mean) * Math.Clamp(from / width, 0, 1));
    }
}
