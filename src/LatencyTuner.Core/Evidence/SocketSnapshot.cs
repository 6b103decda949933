using System.ComponentModel.DataAnnotations;

namespace LatencyTuner.Core.Evidence;

/// <summary>The TCP sockets of a host at one moment.</summary>
public sealed record SocketSnapshot
{
    /// <summary>The connections and listeners, by process, then by address.</summary>
    public required IReadOnlyList<HostSocket> Sockets { get; init; }

    /// <summary>The processes whose sockets could not be read, and the rule that forbids it.</summary>
    public IReadOnlyList<UnreadableProcess> Unreadable { get; init; } = [];

    /// <summary>Connections without a process that were left out: they ended, or their process could not be found.</summary>
    public int WithoutProcess { get; init; }

    /// <summary>What the reader must know about this reading, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>A process whose sockets could not be read.</summary>
/// <param name="Pid">Its id.</param>
/// <param name="Process">Its name; null when unknown.</param>
/// <param name="Why">The rule of the system that forbids it, a clause.</param>
public sealed record UnreadableProcess(int Pid, [property: Required] string? Process, string Why);
