namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>An item of a list.</summary>
/// <param name="Text">The item.</param>
/// <param name="Details">Lines below it.</param>
public sealed record ListItem(string Text, params string[] Details);
