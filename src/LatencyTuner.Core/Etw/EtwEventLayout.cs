using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Etw;

/// <summary>The fields of an event's payload, in order.</summary>
public sealed record EtwEventLayout
{
    /// <summary>Provider, or class of kernel events.</summary>
    public required Guid Provider { get; init; }

    /// <summary>Id, or opcode of classic and kernel events.</summary>
    public required int Number { get; init; }

    /// <summary>Version of the payload.</summary>
    public required byte Version { get; init; }

    /// <summary>True for classic and kernel events.</summary>
    public bool IsClassic { get; init; }

    /// <summary>Name in the manifest; of a trace's own description, task and opcode.</summary>
    public required string Name { get; init; }

    /// <summary>Name of the provider as a trace's own description gives it; empty for built-in layouts.</summary>
    public string ProviderName { get; init; } = "";

    /// <summary>Level at which the provider writes it, 0 to 5; 0 is written at every level, or was not looked up.</summary>
    public byte Level { get; init; }

    /// <summary>Keywords of which one must be enabled for it; 0 for any, or when they were not looked up.</summary>
    public ulong Keywords { get; init; }

    /// <summary>What it says about TCP; <see cref="TcpEventKind.None"/> for nothing that is used.</summary>
    public TcpEventKind Meaning { get; init; }

    /// <summary>False when it rests on a manifest or a description alone and no real event was seen to agree with it.</summary>
    public bool IsVerified { get; init; }

    /// <summary>True when the trace itself describes the event.</summary>
    public bool IsFromTrace { get; init; }

    /// <summary>Leading fields that every event of this version has; later ones came with later builds of Windows.</summary>
    public required int Required { get; init; }

    /// <summary>The fields; none when only the name is known. A payload may be longer.</summary>
    public required IReadOnlyList<EtwField> Fields { get; init; }
}
