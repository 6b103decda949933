namespace LatencyTuner.Core.Evidence;

/// <summary>The connections that use one TCP template.</summary>
public sealed record TemplateUse
{
    /// <summary>Name of the template.</summary>
    public required string Template { get; init; }

    /// <summary>Open connections that use it; listeners and closing connections are not counted.</summary>
    public required int Connections { get; init; }
}
