namespace LatencyTuner.Core.Tuning;

/// <summary>What an admin asked to be changed.</summary>
public sealed record PlanRequest
{
    /// <summary>The settings with their values, each as <c>ID=VALUE</c>.</summary>
    public required IReadOnlyList<string> Settings { get; init; }

    /// <summary>Name, GUID, index or address of the interface; null for none.</summary>
    public string? Interface { get; init; }

    /// <summary>Name of the TCP template; null for none.</summary>
    public string? Template { get; init; }

    /// <summary>The peers a template is to hold for, <c>PREFIX[:PORT]</c>; null for all.</summary>
    public string? Filter { get; init; }

    /// <summary>True lets an interface without adapter pass.</summary>
    public bool Force { get; init; }

    /// <summary>The change ticket; null for none.</summary>
    public string? Ticket { get; init; }

    /// <summary>After this moment the plan is not applied any more; null for no limit.</summary>
    public DateTimeOffset? NotAfterUtc { get; init; }

    /// <summary>Who asks.</summary>
    public required string Operator { get; init; }

    /// <summary>The machine it is for.</summary>
    public required MachineIdentity Machine { get; init; }

    /// <summary>The present moment.</summary>
    public required DateTimeOffset Now { get; init; }

    /// <summary>What tells batches of one second apart: some random hexadecimal digits.</summary>
    public required string Suffix { get; init; }
}
