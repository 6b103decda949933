namespace LatencyTuner.Core.Reporting.Pages;

/// <summary>What identifies a report in a change ticket.</summary>
public sealed record PageHeader
{
    /// <summary>The hosts: the one that measured or was read, and its peer; null when unknown.</summary>
    public string? Hosts { get; init; }

    /// <summary>When the work began; null when unknown.</summary>
    public DateTimeOffset? StartedUtc { get; init; }

    /// <summary>Number of the ticket; null for none.</summary>
    public string? Ticket { get; init; }

    /// <summary>A note of the user; null for none.</summary>
    public string? Note { get; init; }

    /// <summary>Who ran the command; null when it was not given.</summary>
    public string? Operator { get; init; }

    /// <summary>The command line of the run; null when unknown.</summary>
    public string? CommandLine { get; init; }

    /// <summary>Program and version; null when unknown.</summary>
    public string? Tool { get; init; }

    /// <summary>The files that were read.</summary>
    public IReadOnlyList<PageInput> Inputs { get; init; } = [];
}

/// <summary>A file that a report was made from.</summary>
/// <param name="Path">Its path as given.</param>
/// <param name="Sha256">SHA-256 of its bytes in hexadecimal; null when they were not read to the end.</param>
public sealed record PageInput(string Path, string? Sha256);
