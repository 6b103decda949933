namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A list.</summary>
/// <param name="Items">Its items.</param>
/// <param name="Ordered">True to number them.</param>
/// <param name="TextLimit">Most items that the text writer prints, for reports of one screen; null for all. HTML has them all.</param>
public sealed record ListBlock(IReadOnlyList<ListItem> Items, bool Ordered = false, int? TextLimit = null) : PageBlock
{
    /// <summary>Creates a bullet list of plain sentences.</summary>
    /// <param name="items">The sentences.</param>
    /// <param name="textLimit">Most items that the text writer prints; null for all.</param>
    /// <returns>The list.</returns>
    public static ListBlock Of(IEnumerable<string> items, int? textLimit = null) => new([.. items.Select(i => new ListItem(i))], TextLimit: textLimit);
}
