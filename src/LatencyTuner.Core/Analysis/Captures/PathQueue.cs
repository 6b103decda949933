namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Round trips of one host's data to another while a queue stood on the path: when sent, when answered, of all connections between them.</summary>
internal sealed class PathQueue
{
    private const int Most = 32_768;

    // Samples further away say nothing about a request.
    private const long NearNs = 100_000_000;

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

        return low == 0 || low == _samples.Count || sentNs - _samples[low - 1].SentNs > NearNs || _samples[low].SentNs - sentNs > NearNs ? null
            : (_samples[low - 1].AnsweredNs, Math.Max(_samples[low].AnsweredNs, _samples[low - 1].AnsweredNs));
    }
}
