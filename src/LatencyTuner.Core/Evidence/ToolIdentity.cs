namespace LatencyTuner.Core.Evidence;

/// <summary>Who measured: goes into every report.</summary>
/// <param name="Version">Version of this program.</param>
/// <param name="Os">Operating system.</param>
/// <param name="Runtime">.NET runtime.</param>
/// <param name="Processors">Processors this process may use.</param>
public sealed record ToolIdentity(string Version, string Os, string Runtime, int Processors);
