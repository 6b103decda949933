namespace LatencyTuner.Core.Evidence;

/// <summary>
/// A published document, which scripts read and from which every output is made. Each begins with a field <c>schema</c>: its kind and version.
/// </summary>
public abstract record Document;
