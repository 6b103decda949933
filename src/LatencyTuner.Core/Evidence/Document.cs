namespace LatencyTuner.Core.Evidence;

/// <summary>
/// A published document: what scripts read, and what every output is made from. Each begins with a field <c>schema</c>: its kind and version.
/// </summary>
public abstract record Document;
