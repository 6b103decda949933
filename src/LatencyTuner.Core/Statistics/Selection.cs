using System.Numerics;

namespace LatencyTuner.Core.Statistics;

/// <summary>Finds a value by its rank without sorting the others.</summary>
internal static class Selection
{
    // Shorter ranges are sorted, which is faster than partitioning them further.
    private const int Short = 32;

    /// <summary>The value that sorting would put at an index; the order of the values changes.</summary>
    /// <param name="values">The values; at least one.</param>
    /// <param name="index">From 0 (the smallest) to the last.</param>
    /// <exception cref="ArgumentOutOfRangeException">The index is out of range.</exception>
    public static long At(Span<long> values, int index)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, values.Length);
        // If the pivots are bad for too long, the values are sorted, so that no input takes quadratic time.
        int rounds = 2 * BitOperations.Log2((uint)values.Length);
        while (values.Length > Short && rounds-- > 0)
        {
            (int low, int high) = Partition(values);
            if (index <= high)
            {
                values = values[..(high + 1)];
            }
            else if (index >= low)
            {
                values = values[low..];
                index -= low;
            }
            else
            {
                return values[index];
            }
        }

        Sort(values);
        return values[index];
    }

    /// <summary>
    /// Sorts values from the smallest to the largest. The sort of the framework is not compiled ahead of time and is too slow for thousands of
    /// short ranges.
    /// </summary>
    public static void Sort(Span<long> values)
    {
        int rounds = 2 * BitOperations.Log2((uint)values.Length | 1);
        while (values.Length > Short)
        {
            if (rounds-- == 0)
            {
                values.Sort();
                return;
            }

            (int low, int high) = Partition(values);
            bool left = high + 1 < values.Length - low;
            Sort(left ? values[..(high + 1)] : values[low..]);
            values = left ? values[low..] : values[..(high + 1)];
        }

        Insert(values);
    }

    /// <summary>The upper median, <c>sorted[n / 2]</c>; 0 without values. The order of the values changes.</summary>
    public static long Median(Span<long> values) => values.Length == 0 ? 0 : At(values, values.Length / 2);

    /// <summary>Puts small values before large ones.</summary>
    /// <returns>The start of the large values and the end of the small values; all values between them are equal.</returns>
    private static (int Low, int High) Partition(Span<long> values)
    {
        long pivot = MiddleOf(values[0], values[values.Length / 2], values[^1]);
        int low = 0;
        int high = values.Length - 1;
        while (low <= high)
        {
            while (values[low] < pivot)
            {
                low++;
            }

            while (values[high] > pivot)
            {
                high--;
            }

            if (low <= high)
            {
                (values[low], values[high]) = (values[high], values[low]);
                low++;
                high--;
            }
        }

        return (low, high);
    }

    private static void Insert(Span<long> values)
    {
        for (int i = 1; i < values.Length; i++)
        {
            long value = values[i];
            int at = i;
            for (; at > 0 && values[at - 1] > value; at--)
            {
                values[at] = values[at - 1];
            }

            values[at] = value;
        }
    }

    private static long MiddleOf(long a, long b, long c) => Math.Max(Math.Min(a, b), Math.Min(Math.Max(a, b), c));
}
