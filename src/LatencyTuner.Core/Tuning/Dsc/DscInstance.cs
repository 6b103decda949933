namespace LatencyTuner.Core.Tuning.Dsc;

/// <summary>An instance of the DSC resource, as a configuration gives it.</summary>
public sealed record DscInstance
{
    /// <summary>The settings; empty when the input has none.</summary>
    public IReadOnlyList<DscSetting> Settings { get; init; } = [];

    /// <summary><c>_exist</c>: false when none of the settings may have a value; null when it was not given, which means true.</summary>
    public bool? Exist { get; init; }

    /// <summary>True to write values and interfaces that need <c>apply --force</c>.</summary>
    public bool Force { get; init; }

    /// <summary>The change ticket for the journal; null for none.</summary>
    public string? Ticket { get; init; }
}

/// <summary>A setting of an instance.</summary>
public sealed record DscSetting
{
    /// <summary>Id in the catalogue, or the name in Windows.</summary>
    public required string Id { get; init; }

    /// <summary>The interface: name, GUID, index or address; null for none.</summary>
    public string? Interface { get; init; }

    /// <summary>The TCP template; null for none.</summary>
    public string? Template { get; init; }

    /// <summary>The peers that the template applies to, <c>PREFIX[:PORT]</c>; null for all.</summary>
    public string? Filter { get; init; }

    /// <summary>The wanted value: a number, a word of the property, or <c>absent</c>; null when none was given.</summary>
    public string? Value { get; init; }

    /// <summary>True when <see cref="Value"/> was written as a number.</summary>
    public bool IsNumber { get; init; }
}
