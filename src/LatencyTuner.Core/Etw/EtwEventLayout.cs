using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Etw;

/// <summary>The fields of an event's payload, in order.</summary>
public sealed record EtwEventLayout
{
    /// <summary>GUID of the provider, or of the class of kernel events.</summary>
    public required Guid Provider { get; init; }

    /// <summary>Event id, or opcode of classic and kernel events.</summary>
    public required int Number { get; init; }

    /// <summary>Version of the payload.</summary>
    public required byte Version { get; init; }

    /// <summary>True for classic and kernel events.</summary>
    public bool IsClassic { get; init; }

    /// <summary>Name in the manifest; for a description from the trace, task and opcode.</summary>
    public required string Name { get; init; }

    /// <summary>Name of the provider from the description in the trace; empty for built-in layouts.</summary>
    public string ProviderName { get; init; } = "";

    /// <summary>Level at which the provider writes the event, 0 to 5; 0 means at every level, or not known.</summary>
    public byte Level { get; init; }

    /// <summary>Keywords of the event, one of which must be enabled; 0 means any keyword, or not known.</summary>
    public ulong Keywords { get; init; }

    /// <summary>The meaning of the event for TCP; <see cref="TcpEventKind.None"/> when it is not used.</summary>
    public TcpEventKind Meaning { get; init; }

    /// <summary>True when real events agreed with the layout; false when it is based on a manifest or description only.</summary>
    public bool IsVerified { get; init; }

    /// <summary>True when the trace itself describes the event.</summary>
    public bool IsFromTrace { get; init; }

    /// <summary>Number of leading fields that every event of this version has; further fields came with later builds of Windows.</summary>
    public required int Required { get; init; }

    /// <summary>The fields in payload order; empty when only the name is known. A payload can be longer.</summary>
    public required IReadOnlyList<EtwField> Fields { get; init; }
}
