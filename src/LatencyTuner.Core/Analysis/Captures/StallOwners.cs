namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Divides overlapping stalls into pieces with one owner each, by precedence.</summary>
internal sealed class StallOwners
{
    private readonly List<(long TimeNs, int Key, bool Start)> _edges = [];

    /// <summary>Disjoint pieces in order of time.</summary>
    public List<Stall> Pieces { get; } = [];

    /// <summary>Divides them.</summary>
    public void Divide(List<Stall> stalls)
    {
        Pieces.Clear();
        _edges.Clear();
        foreach (Stall stall in stalls)
        {
            if (stall.EndNs > stall.StartNs)
            {
                _edges.Add((stall.StartNs, stall.Key, true));
                _edges.Add((stall.EndNs, stall.Key, false));
            }
        }

        _edges.Sort(static (a, b) => a.TimeNs.CompareTo(b.TimeNs));
        Span<int> open = stackalloc int[Stall.Keys];
        open.Clear();
        long since = 0;
        int owner = -1;
        foreach ((long time, int key, bool start) in _edges)
        {
            if (owner >= 0 && time > since)
            {
                Pieces.Add(new Stall(since, time, (StallKind)(owner / 2), (byte)(owner % 2)));
            }

            open[key] += start ? 1 : -1;
            since = time;
            owner = First(open);
        }
    }

    private static int First(ReadOnlySpan<int> open)
    {
        for (int key = 0; key < open.Length; key++)
        {
            if (open[key] > 0)
            {
                return key;
            }
        }

        return -1;
    }
}
