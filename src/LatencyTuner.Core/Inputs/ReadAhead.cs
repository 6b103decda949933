namespace LatencyTuner.Core.Inputs;

/// <summary>Works on the next inputs while the results of the earlier ones are used.</summary>
public static class ReadAhead
{
    // More would hold more in memory; a machine with more processors has the next ones ready in any case.
    private const int Most = 6;

    /// <summary>The results in the order of the inputs.</summary>
    /// <typeparam name="TInput">What is read.</typeparam>
    /// <typeparam name="TResult">What it becomes.</typeparam>
    /// <param name="inputs">The inputs; each is taken on the thread of the caller.</param>
    /// <param name="read">Reads one on another thread; changes nothing that others use.</param>
    public static IEnumerable<TResult> Select<TInput, TResult>(IEnumerable<TInput> inputs, Func<TInput, TResult> read)
    {
        ArgumentNullException.ThrowIfNull(inputs);
        Queue<Task<TResult>> pending = new(Most);
        foreach (TInput input in inputs)
        {
            if (pending.Count == Most)
            {
                yield return pending.Dequeue().GetAwaiter().GetResult();
            }

            pending.Enqueue(Task.Run(() => read(input)));
        }

        while (pending.TryDequeue(out Task<TResult>? next))
        {
            yield return next.GetAwaiter().GetResult();
        }
    }
}
