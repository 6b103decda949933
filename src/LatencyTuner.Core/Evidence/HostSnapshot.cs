using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Evidence;

/// <summary>The <c>snapshot</c> document: one host's settings at one moment, absent ones included.</summary>
public sealed record HostSnapshot : Document
{
    /// <summary><c>latencytuner/snapshot/2</c>.</summary>
    public string Schema { get; init; } = "latencytuner/snapshot/2";

    /// <summary>Always <c>done</c>: a snapshot is not judged.</summary>
    [Required]
    [AllowedValues("done")]
    public string Verdict { get; init; } = "done";

    /// <summary>How many values it has, a sentence.</summary>
    [Required]
    public string Text { get; init; } = "";

    /// <summary>Always 0: a snapshot that could not be taken is another kind of document.</summary>
    [Required]
    public int ExitCode { get; init; }

    /// <summary>Always true.</summary>
    [Required]
    public bool Complete { get; init; } = true;

    /// <summary>What to do next, the most useful first: command lines to paste, or sentences.</summary>
    [Required]
    public IReadOnlyList<string> NextSteps { get; init; } = [];

    /// <summary>When the command that took it started.</summary>
    [Required]
    public DateTime StartedUtc { get; init; }

    /// <summary>Program and version that wrote it, for example <c>latencytuner 0.1.0</c>.</summary>
    [Required]
    public string Tool { get; init; } = "";

    /// <summary>When it was taken; null when the file it comes from does not say.</summary>
    public DateTimeOffset? TakenUtc { get; init; }

    /// <summary>The program and version that took it, for example <c>latencytuner 0.1.0</c>; null when another program took it.</summary>
    public string? TakenWith { get; init; }

    /// <summary>Name of the machine; null when unknown.</summary>
    public string? Machine { get; init; }

    /// <summary>The operating system.</summary>
    public required HostOs Os { get; init; }

    /// <summary>True on a virtual machine; null when unknown.</summary>
    public bool? VirtualMachine { get; init; }

    /// <summary>The hypervisor on which the host runs, for example <c>VMware</c>; null when none or unknown.</summary>
    public string? Hypervisor { get; init; }

    /// <summary>True when the snapshot was taken with administrative rights; null when unknown.</summary>
    public bool? Elevated { get; init; }

    /// <summary>When Windows was started; null when unknown.</summary>
    public DateTimeOffset? BootUtc { get; init; }

    /// <summary>
    /// The number that Windows gives to each of its starts (KUSER_SHARED_DATA.BootId); null when unknown. It stays when a virtual machine is saved and resumed,
    /// which makes the start look later.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public uint? BootId { get; init; }

    /// <summary>The network interfaces, by index, then GUID.</summary>
    public IReadOnlyList<NetworkInterface> Interfaces { get; init; } = [];

    /// <summary>The settings, in the order of the catalogue, then by interface and template.</summary>
    public IReadOnlyList<SnapshotValue> Values { get; init; } = [];

    /// <summary>Other components in the network path, and components that manage settings: listed, but never a cause on their own.</summary>
    public IReadOnlyList<HostComponent> Components { get; init; } = [];

    /// <summary>How many open TCP connections use each template; empty when unknown.</summary>
    public IReadOnlyList<TemplateUse> TemplateUses { get; init; } = [];

    /// <summary>The TCP sockets with their processes, where they were asked for; null otherwise.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<HostSocket>? Sockets { get; init; }

    /// <summary>The processes whose sockets could not be read; null when sockets were not asked for.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<UnreadableProcess>? UnreadableProcesses { get; init; }

    /// <summary>What could not be read and why, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>A component in the network path, or one that manages settings.</summary>
public sealed record HostComponent
{
    /// <summary>
    /// Kind of component: <c>layered-service-provider</c>, <c>wfp-callout</c>, <c>ndis-filter</c>, <c>security-driver</c>, <c>policy</c>,
    /// <c>rsc</c>, <c>rss</c>, <c>sr-iov</c>, <c>dotnet-config</c>.
    /// </summary>
    public required string Kind { get; init; }

    /// <summary>Name of the component.</summary>
    public required string Name { get; init; }

    /// <summary>Version, vendor, or what it manages; null when unknown.</summary>
    public string? Detail { get; init; }
}

/// <summary>The connections that use one TCP template.</summary>
public sealed record TemplateUse
{
    /// <summary>Name of the template.</summary>
    public required string Template { get; init; }

    /// <summary>Open connections that use it; listeners and closing connections are not counted.</summary>
    public required int Connections { get; init; }
}

/// <summary>The program and the machine that measured; part of every report.</summary>
/// <param name="Version">Version of this program.</param>
/// <param name="Os">Operating system.</param>
/// <param name="Runtime">.NET runtime.</param>
/// <param name="Processors">Number of processors that this process may use.</param>
public sealed record ToolIdentity(string Version, string Os, string Runtime, int Processors);
