namespace LatencyTuner.Core.Tuning;

/// <summary>One line of the journal.</summary>
internal sealed record JournalRecord
{
    /// <summary>First record of a file: the version of the format.</summary>
    internal const string Header = "journal";

    /// <summary>Intent of a batch: every change with before and after, before the first write.</summary>
    internal const string Begin = "begin";

    /// <summary>A change was written and read back.</summary>
    internal const string Done = "done";

    /// <summary>Every change of the batch is done.</summary>
    internal const string Applied = "applied";

    /// <summary>The reason of an undo that somebody requested; a failed apply gives another.</summary>
    internal const string Requested = "requested";

    /// <summary>Intent to put changes back.</summary>
    internal const string Undo = "undo";

    /// <summary>Changes were put back and read back.</summary>
    internal const string Undone = "undone";

    public required string Kind { get; init; }

    public int? Version { get; init; }

    public required DateTimeOffset TimeUtc { get; init; }

    public MachineIdentity? Machine { get; init; }

    public string? Batch { get; init; }

    public string? Operator { get; init; }

    public string? Ticket { get; init; }

    /// <summary>For <see cref="Begin"/>: the number of the start of Windows in which it was written.</summary>
    public uint? BootId { get; init; }

    public IReadOnlyList<PlannedChange>? Changes { get; init; }

    /// <summary>For <see cref="Begin"/>: per change the containers that its write will create, outermost first.</summary>
    public IReadOnlyList<IReadOnlyList<string>>? Missing { get; init; }

    public int? Index { get; init; }

    /// <summary>For <see cref="Done"/> the containers created, for <see cref="Undone"/> those removed.</summary>
    public IReadOnlyList<string>? Containers { get; init; }

    public IReadOnlyList<JournalItem>? Items { get; init; }

    public string? Because { get; init; }

    public bool? Forced { get; init; }
}

/// <summary>A change by its place in the journal.</summary>
/// <param name="Batch">Id of the batch.</param>
/// <param name="Index">Place in the batch, from 0.</param>
internal sealed record JournalItem(string Batch, int Index);
