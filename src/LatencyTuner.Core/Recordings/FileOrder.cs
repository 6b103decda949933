namespace LatencyTuner.Core.Recordings;

/// <summary>Puts the files of a capture in order of time: users often give the files of a split capture in another order.</summary>
internal static class FileOrder
{
    private const string StandardInput = "-";

    /// <summary>
    /// The inputs in order of time; null when they already are in this order, when they overlap in time, or when one of them cannot be read twice.
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
