using System.Text.Json.Serialization;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Selftest;

/// <summary>The <c>selftest</c> document: which assumptions about Windows hold on a machine. It does not name the machine.</summary>
public sealed record SelftestReport : Report
{
    /// <summary><c>latencytuner/selftest/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/selftest/2";

    /// <summary>The .NET runtime.</summary>
    public required string Runtime { get; init; }

    /// <summary>Processors the process could use.</summary>
    public required int Processors { get; init; }

    /// <summary>The operating system.</summary>
    public required HostOs Os { get; init; }

    /// <summary>True on a virtual machine; null when unknown.</summary>
    public bool? VirtualMachine { get; init; }

    /// <summary>The hypervisor; null when none or unknown.</summary>
    public string? Hypervisor { get; init; }

    /// <summary>True when the selftest ran with administrative rights; null when unknown.</summary>
    public bool? Elevated { get; init; }

    /// <summary>Every assumption, in the order of the documentation.</summary>
    public required IReadOnlyList<SelftestProbe> Probes { get; init; }

    /// <summary>The steps of a proof, where the document was made of the evidence of one.</summary>
    public IReadOnlyList<SelftestStep> Steps { get; init; } = [];
}

/// <summary>A step of a proof on a machine.</summary>
public sealed record SelftestStep
{
    /// <summary>Stable id of the step.</summary>
    public required string Id { get; init; }

    /// <summary>How it ended; null when it was not run.</summary>
    public int? ExitCode { get; init; }

    /// <summary>Why it was not run; null when it was.</summary>
    public string? NotRun { get; init; }

    /// <summary>What was expected, a clause; null for a step that this version does not know.</summary>
    public string? Expected { get; init; }
}

/// <summary>An assumption about Windows, and what its probe found.</summary>
public sealed record SelftestProbe
{
    /// <summary>Stable id of the assumption, as in the documentation.</summary>
    public required string Id { get; init; }

    /// <summary>The group of the assumption in the documentation.</summary>
    public required string Group { get; init; }

    /// <summary>The assumption, a sentence.</summary>
    public required string Assumption { get; init; }

    /// <summary>Whether the assumption holds.</summary>
    public required AssumptionState Result { get; init; }

    /// <summary>What the probe is expected to find on this build of Windows; null when the build is unknown.</summary>
    public AssumptionState? Expected { get; init; }

    /// <summary>True when the result is worse than expected: it does not hold, or cannot be told although it should hold on this build.</summary>
    public bool Worse { get; init; }

    /// <summary>The reason for the result, a sentence.</summary>
    public required string Because { get; init; }

    /// <summary>What the probe saw, without names or addresses of the machine.</summary>
    public IReadOnlyList<string> Evidence { get; init; } = [];

    /// <summary>What to run to test the assumption; null when the probe tested it.</summary>
    public string? Run { get; init; }
}
