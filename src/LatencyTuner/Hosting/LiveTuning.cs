using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Hosting;

/// <summary>Access to the settings of this machine and what a change of them needs.</summary>
internal sealed record LiveTuning
{
    public required ISettingsStore Store { get; init; }

    public required IJournalFolder Folder { get; init; }

    public required MachineIdentity Machine { get; init; }

    /// <summary>The number of this start of Windows; null when unknown.</summary>
    public uint? BootId { get; init; }

    /// <summary>The user who runs this process, as DOMAIN\user.</summary>
    public required string Operator { get; init; }

    /// <summary>Why this process may not change settings, a sentence; null when it may.</summary>
    public required Func<string?> MissingPrivilege { get; init; }

    /// <summary>Takes a snapshot: interfaces, times of the last starts, what manages settings.</summary>
    public required Func<HostSnapshot> Snapshot { get; init; }

    /// <summary>Writes an entry into the Event Log and returns null, or a sentence that says why it did not.</summary>
    public required Func<BatchEvent, string?> Report { get; init; }

    public TuningContext Context(ChangeRules rules, TimeProvider clock) => new()
    {
        Store = Store,
        Folder = Folder,
        Rules = rules,
        Machine = Machine,
        BootId = BootId,
        Clock = clock,
        MissingPrivilege = MissingPrivilege,
    };
}
