namespace LatencyTuner.Core.Statistics;

/// <summary>The median of a window that moves along a series. It follows drift and steps and ignores oscillations with several periods in the window.</summary>
internal static class RunningMedian
{
    /// <summary>The running median; at the ends the window is cut off. NaN where the window contains no value.</summary>
    /// <param name="values">Values of the series; NaN is a gap.</param>
    /// <param name="window">Odd number of bins; at most some hundreds, because the work grows with it.</param>
    internal static double[] Of(double[] values, int window)
    {
        int half = window / 2;
        double[] sorted = new double[window + 1];
        int held = 0;
        double[] result = new double[values.Length];
        for (int i = -half; i < values.Length; i++)
        {
            int enters = i + half;
            if (enters < values.Length && !double.IsNaN(values[enters]))
            {
                int at = Array.BinarySearch(sorted, 0, held, values[enters]);
                at = at < 0 ? ~at : at;
                Array.Copy(sorted, at, sorted, at + 1, held - at);
                sorted[at] = values[enters];
                held++;
            }
            int leaves = i - half - 1;
            if (leaves >= 0 && !double.IsNaN(values[leaves]))
            {
                int at = Array.BinarySearch(sorted, 0, held, values[leaves]);
                held--;
                Array.Copy(sorted, at + 1, sorted, at, held - at);
            }
            if (i >= 0)
            {
                result[i] = held == 0 ? double.NaN : (sorted[(held - 1) / 2] + sorted[held / 2]) / 2;
            }
        }
        return result;
    }
}
