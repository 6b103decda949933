namespace LatencyTuner.Core.Recordings;

/// <summary>The files of a capture that was written in several are often given in another order than they were written in.</summary>
internal static class FileOrder
{
    private const string StandardInput = "-";

    /// <summary>
    /// The inputs in order of time, where each ends before the next begins and they were not given so; null otherwise, and where one cannot be read twice.
    /// </summary>
    public static IReadOnlyList<RecordingInput>? ByTime(IReadOnlyList<RecordingInput> inputs, IReadOnlyList<RecordingFileFacts> files)
    {
        if (files.Count != inputs.Count || inputs.Any(i => i.Path == StandardInput) || inputs.Select(i => i.Path).Distinct().Count() < inputs.Count)
        {
            return null;
        }

        int[] dated = [.. Enumerable.Range(0, files.Count).Where(i => files[i].FirstNs is not null)];
        int[] order = [.. dated.OrderBy(i => files[i].FirstNs)];
        bool apart = order.Zip(order.Skip(1)).All(p => files[p.First].LastNs <= files[p.Second].FirstNs);
        return !apart || order.SequenceEqual(dated) ? null : [.. order.Concat(Enumerable.Range(0, files.Count).Except(dated)).Select(i => inputs[i])];
    }
}
