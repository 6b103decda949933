namespace LatencyTuner.Core.Settings.Cim;

/// <summary>What CIM told about a host, class by class.</summary>
public sealed class CimEvidence
{
    private readonly Dictionary<CimQuery, CimResult> _results;

    private CimEvidence(Dictionary<CimQuery, CimResult> results) => _results = results;

    /// <summary>What a reader without CIM has.</summary>
    /// <param name="because">Why it has none, a sentence.</param>
    public static CimEvidence None(string because) => Collect(CimClasses.OfSnapshot, _ => CimResult.Of(new(CimFailureReason.NotThere, because)));

    /// <summary>
    /// Asks for classes one after the other. Once CIM turns out not to be there nothing more is asked, and after one that was late only
    /// one more may be: a host whose repository is broken must not wait for each.
    /// </summary>
    /// <param name="queries">The classes.</param>
    /// <param name="ask">Asks for one.</param>
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
                end = new(CimFailureReason.NotThere, $"CIM was given up, because {waited.Sentence}");
            }
        }

        return new(results);
    }

    /// <summary>The instances of a class; null when it could not be read.</summary>
    /// <param name="query">The class.</param>
    public IReadOnlyList<CimRow>? Rows(CimQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return _results.TryGetValue(query, out CimResult? result) && result.Failure is null ? result.Rows : null;
    }

    /// <summary>Why a class could not be read, a sentence; null when it could.</summary>
    /// <param name="query">The class.</param>
    public string? Because(CimQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return _results.TryGetValue(query, out CimResult? result) ? result.Failure?.Sentence : $"{query.Class} was not asked for.";
    }

    /// <summary>What could not be read, a sentence each; a reason that holds for several is told once. That a Windows has no such class is no loss.</summary>
    public IReadOnlyList<string> Notes =>
    [
        .. _results.Where(r => r.Value.Failure is { Reason: not CimFailureReason.NoSuchClass }).GroupBy(r => r.Value.Failure!.Sentence)
            .Select(g => $"{string.Join(", ", g.Select(r => r.Key.Class))}: not read, because {Clause(g.Key)}"),
    ];

    private static string Clause(string sentence) => sentence.StartsWith("This ", StringComparison.Ordinal) ? "t" + sentence[1..] : sentence;
}
