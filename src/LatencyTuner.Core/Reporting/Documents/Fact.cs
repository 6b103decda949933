namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>A name with its value.</summary>
/// <param name="Name">One to three words.</param>
/// <param name="Value">The value with its unit.</param>
public sealed record Fact(string Name, string Value);
