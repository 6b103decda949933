using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>What apply and rollback work on.</summary>
public sealed record TuningContext
{
    /// <summary>Reads and writes the values.</summary>
    public required ISettingsStore Store { get; init; }

    /// <summary>Folder of the journal and the backups.</summary>
    public required IJournalFolder Folder { get; init; }

    /// <summary>The catalogue's rules.</summary>
    public required ChangeRules Rules { get; init; }

    /// <summary>This machine.</summary>
    public required MachineIdentity Machine { get; init; }

    /// <summary>The number of this start of Windows (<see cref="HostSnapshot.BootId"/>); null when unknown.</summary>
    public uint? BootId { get; init; }

    /// <summary>Gives the times of the records.</summary>
    public required TimeProvider Clock { get; init; }

    /// <summary>Why this process may not change settings, a sentence; null when it may.</summary>
    public required Func<string?> MissingPrivilege { get; init; }

    /// <summary>Fails unless settings can be changed at all.</summary>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Platform"/>.</exception>
    internal void RequireWritable()
    {
        if (Store.IsReadOnly)
        {
            throw new ExpectedFailureException(
                ExitCode.Platform, $"{Store.Source} is read-only, so nothing can be changed there. Without --yes the changes are only shown.");
        }

        if (MissingPrivilege() is { } missing)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{missing} Nothing was changed.");
        }
    }
}
