namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Round trips of one host's data to another while a queue stood on the path: when sent, when answered, of all connections between them.</summary>
internal sealed class PathQueue
{
    private const int Most = 32_768;

    // Samples further away say nothing about a request.
    private const long NearNs = 100_000_000;

    // A queue changes in the course of seconds; of a request in between, the longest of these on either side is what it may have met.
    private const long WindowNs = 10_000_000_000;
    private const int Around = 16;

    private readonly List<(long SentNs, long AnsweredNs)> _samples = [];
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
            // Every other one goes; the rest of the capture is thinned the same way.
            for (int i = 0; i < Most / 2; i++)
            {
                _samples[i] = _samples[i * 2];
            }

            _samples.RemoveRange(Most / 2, Most / 2);
            _keep *= 2;
        }

        _samples.Add((sentNs, answeredNs));
        _sorted = false;
    }

    /// <summary>When an answer to something sent at a time would have passed the tap: the answers to what was sent just before and just after.</summary>
    /// <returns>Null when nothing was sent near that time.</returns>
    public (long BeforeNs, long AfterNs)? AnswersAround(long sentNs)
    {
        int low = FirstAfter(sentNs);
        return low == 0 || low == _samples.Count || sentNs - _samples[low - 1].SentNs > NearNs || _samples[low].SentNs - sentNs > NearNs ? null
            : (_samples[low - 1].AnsweredNs, Math.Max(_samples[low].AnsweredNs, _samples[low - 1].AnsweredNs));
    }

    /// <summary>The longest round trip through the queue among the nearest samples of some seconds before and after a time, nanoseconds.</summary>
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
            _samples.Sort();
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
}
