namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Round trips of one host's data to another while there was a queue on the path: when sent and when answered, on all their connections.</summary>
internal sealed class PathQueue
{
    private const int Most = 32_768;

    // Samples further away from a request show nothing about it.
    private const long NearNs = 100_000_000;

    // A queue changes within seconds; a request between samples may have met the longest round trip of the nearest samples on either side.
    private const long WindowNs = 10_000_000_000;
    private const int Around = 16;

    private CompactList<Sample> _samples;
    private int _keep = 1;
    private int _seen;
    private bool _sorted = true;

    public void Add(long sentNs, long answeredNs)
    {
        if (_seen++ % _keep != 0)
        {
            return;
        }

        if (_samples.Count == Most)
        {
            // Every other sample is dropped; of later samples only the same share is kept.
            for (int i = 0; i < Most / 2; i++)
            {
                _samples[i] = _samples[i * 2];
            }

            _samples.Truncate(Most / 2);
            _keep *= 2;
        }

        _samples.Add(new Sample(sentNs, answeredNs));
        _sorted = false;
    }

    /// <summary>When the answer to data sent at a time would have passed the tap: the times of the answers to data sent just before and just after.</summary>
    /// <returns>Null when nothing was sent near that time.</returns>
    public (long BeforeNs, long AfterNs)? AnswersAround(long sentNs)
    {
        int low = FirstAfter(sentNs);
        return low == 0 || low == _samples.Count || sentNs - _samples[low - 1].SentNs > NearNs || _samples[low].SentNs - sentNs > NearNs ? null
            : (_samples[low - 1].AnsweredNs, Math.Max(_samples[low].AnsweredNs, _samples[low - 1].AnsweredNs));
    }

    /// <summary>The longest round trip through the queue among the nearest samples within some seconds before and after a time, nanoseconds.</summary>
    /// <returns>0 without a sample.</returns>
    public long LongestAround(long sentNs)
    {
        int middle = FirstAfter(sentNs);
        long longest = 0;
        for (int i = Math.Max(0, middle - Around); i < Math.Min(_samples.Count, middle + Around); i++)
        {
            longest = Math.Abs(_samples[i].SentNs - sentNs) <= WindowNs ? Math.Max(longest, _samples[i].AnsweredNs - _samples[i].SentNs) : longest;
        }

        return longest;
    }

    private int FirstAfter(long sentNs)
    {
        if (!_sorted)
        {
            Sort(_samples.Span);
            _sorted = true;
        }

        int low = 0;
        int high = _samples.Count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            (low, high) = _samples[middle].SentNs <= sentNs ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    /// <summary>
    /// Merge sort: samples come nearly in order, and the framework's own sort would have to be compiled for them at run time. Equal samples are
    /// identical, so their order does not matter.
    /// </summary>
    private static void Sort(Span<Sample> samples)
    {
        Sample[] room = new Sample[samples.Length];
        Span<Sample> from = samples;
        Span<Sample> to = room;
        for (int length = 1; length < samples.Length; length *= 2)
        {
            for (int start = 0; start < samples.Length; start += 2 * length)
            {
                int middle = Math.Min(start + length, samples.Length);
                Merge(from[start..middle], from[middle..Math.Min(middle + length, samples.Length)], to[start..]);
            }

            Span<Sample> merged = to;
            to = from;
            from = merged;
        }

        from.CopyTo(samples);
    }

    private static void Merge(Span<Sample> left, Span<Sample> right, Span<Sample> to)
    {
        int at = 0;
        int next = 0;
        for (int i = 0; i < left.Length + right.Length; i++)
        {
            bool takeLeft = next == right.Length || (at < left.Length && !right[next].IsBefore(left[at]));
            to[i] = takeLeft ? left[at++] : right[next++];
        }
    }

    private readonly record struct Sample(long SentNs, long AnsweredNs)
    {
        internal bool IsBefore(in Sample other) => SentNs != other.SentNs ? SentNs < other.SentNs : AnsweredNs < other.AnsweredNs;
    }
}
