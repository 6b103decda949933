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
                int at = Place(sorted, held, values[enters]);
                Array.Copy(sorted, at, sorted, at + 1, held - at);
                sorted[at] = values[enters];
                held++;
            }
            int leaves = i - half - 1;
            if (leaves >= 0 && !double.IsNaN(values[leaves]))
            {
                int at = Place(sorted, held, values[leaves]);
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

    /// <summary>The place of the first value that is not below; the framework's search compares twice, for values that may be NaN.</summary>
    private static int Place(double[] sorted, int held, double value)
    {
        int low = 0;
        int high = held;
        while (low < high)
        {
            int middle = (low + high) >> 1;
            if (sorted[middle] < value)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }
}
