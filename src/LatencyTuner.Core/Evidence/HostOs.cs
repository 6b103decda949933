namespace LatencyTuner.Core.Evidence;

/// <summary>A Windows version.</summary>
public sealed record HostOs
{
    /// <summary>The product, for example <c>Windows Server 2022 Standard</c>; null when unknown.</summary>
    public string? Product { get; init; }

    /// <summary>The build, for example 20348; null when unknown.</summary>
    public int? Build { get; init; }

    /// <summary>The update revision of the build; null when unknown.</summary>
    public int? Revision { get; init; }

    /// <summary>The edition, for example <c>ServerStandard</c>; null when unknown.</summary>
    public string? Edition { get; init; }

    /// <summary>True on Windows Server; null when unknown.</summary>
    public bool? IsServer { get; init; }

    /// <summary>
    /// The version whose defaults apply: <c>2012R2</c>, <c>2016</c>, <c>2019</c>, <c>2022</c>, <c>2025</c>, <c>10</c>, <c>11</c>; null
    /// when it is older or unknown. A build between two releases has the defaults of the earlier one.
    /// </summary>
    /// <remarks>Builds: learn.microsoft.com, Windows Server and Windows 10/11 release information.</remarks>
    public string? DefaultsOf() => (IsServer, Build) switch
    {
        (null, _) or (_, null) => null,
        (true, >= 26100) => "2025",
        (true, >= 20348) => "2022",
        (true, >= 17763) => "2019",
        (true, >= 14393) => "2016",
        (true, >= 9600) => "2012R2",
        (false, >= 22000) => "11",
        (false, >= 10240) => "10",
        _ => null,
    };
}
