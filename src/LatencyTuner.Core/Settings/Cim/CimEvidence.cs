namespace LatencyTuner.Core.Settings.Cim;

/// <summary>The answers of CIM about a host, class by class.</summary>
public sealed class CimEvidence
{
    private readonly Dictionary<CimQuery, CimResult> _results;

    private CimEvidence(Dictionary<CimQuery, CimResult> results) => _results = results;

    /// <summary>The evidence of a reader without CIM: none.</summary>
    /// <param name="because">Why there is none, a sentence.</param>
    public static CimEvidence None(string because) => Collect(CimClasses.OfSnapshot, _ => CimResult.Of(new(CimFailureReason.NotThere, because)));

    /// <summary>
    /// Queries classes one after the other. Without CIM the first query is the last, and only one query may time out: a host with a broken
    /// repository must not wait for each.
    /// </summary>
    /// <param name="queries">The queries, one for each class.</param>
    /// <param name="ask">Runs one query.</param>
    public static CimEvidence Collect(IReadOnlyList<CimQuery> queries, Func<CimQuery, CimResult> ask)
    {
        ArgumentNullException.ThrowIfNull(queries);
        ArgumentNullException.ThrowIfNull(ask);
        Dictionary<CimQuery, CimResult> results = new();
        CimFailure? end = null;
        int late = 0;
        foreach (CimQuery query in queries)
        {
            CimResult result = end is null ? ask(query) : CimResult.Of(end);
            results[query] = result;
            if (result.Failure is { Reason: CimFailureReason.NotThere } gone)
            {
                end = gone;
            }
            else if (result.Failure is { Reason: CimFailureReason.TimedOut } waited && ++late == 2)
            {
                end = new(CimFailureReason.NotThere, $"CIM was not queried further, because {waited.Sentence}");
            }
        }

        return new(results);
    }

    /// <summary>The instances of a class; null when it could not be read.</summary>
    /// <param name="query">The query of the class.</param>
    public IReadOnlyList<CimRow>? Rows(CimQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return _results.TryGetValue(query, out CimResult? result) && result.Failure is null ? result.Rows : null;
    }

    /// <summary>Why a class could not be read, a sentence; null when it could.</summary>
    /// <param name="query">The query of the class.</param>
    public string? Because(CimQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return _results.TryGetValue(query, out CimResult? result) ? result.Failure?.Sentence : $"{query.Class} was not queried.";
    }

    /// <summary>The classes that could not be read, a sentence for each reason. A class that this Windows does not have needs no sentence.</summary>
    public IReadOnlyList<string> Notes =>
    [
        .. _results.Where(r => r.Value.Failure is { Reason: not CimFailureReason.NoSuchClass }).GroupBy(r => r.Value.Failure!.Sentence)
            .Select(g => $"{string.Join(", ", g.Select(r => r.Key.Class))}: not read, because {Clause(g.Key)}"),
    ];

    private static string Clause(string sentence) => sentence.StartsWith("This ", StringComparison.Ordinal) ? "t" + sentence[1..] : sentence;
}
