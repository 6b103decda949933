namespace LatencyTuner.Core.Tuning;

/// <summary>The changes that an admin wants.</summary>
public sealed record PlanRequest
{
    /// <summary>The settings with their values, each as <c>ID=VALUE</c>.</summary>
    public required IReadOnlyList<string> Settings { get; init; }

    /// <summary>Name, GUID, index or address of the interface; null for none.</summary>
    public string? Interface { get; init; }

    /// <summary>Name of the TCP template; null for none.</summary>
    public string? Template { get; init; }

    /// <summary>The peers that a template applies to, <c>PREFIX[:PORT]</c>; null for all.</summary>
    public string? Filter { get; init; }

    /// <summary>True to allow an interface without an adapter.</summary>
    public bool Force { get; init; }

    /// <summary>The change ticket; null for none.</summary>
    public string? Ticket { get; init; }

    /// <summary>When the plan expires: it is not applied after this time; null for no limit.</summary>
    public DateTimeOffset? NotAfterUtc { get; init; }

    /// <summary>The user who makes the plan, as DOMAIN\user.</summary>
    public required string Operator { get; init; }

    /// <summary>The machine it is for.</summary>
    public required MachineIdentity Machine { get; init; }

    /// <summary>The current time.</summary>
    public required DateTimeOffset Now { get; init; }

    /// <summary>Random hexadecimal digits that tell batches of the same second apart.</summary>
    public required string Suffix { get; init; }
}
