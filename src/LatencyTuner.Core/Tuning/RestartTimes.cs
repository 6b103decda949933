using System.Text.Json.Serialization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>When Windows and the adapters last started, for changes that wait for a restart.</summary>
/// <param name="BootUtc">When Windows started; null when unknown.</param>
/// <param name="AdapterStartUtc">When the adapter of a change last started; null when unknown.</param>
public sealed record RestartTimes(DateTimeOffset? BootUtc, Func<Change, DateTimeOffset?> AdapterStartUtc)
{
    /// <summary>The number of this start of Windows; null when unknown. It stays when the clock is set, or a virtual machine is saved and resumed.</summary>
    public uint? BootId { get; init; }

    /// <summary>When the interface of a change last went up or down, so that its adapter has not started since; null when unknown.</summary>
    public Func<Change, DateTimeOffset?> InterfaceStateUtc { get; init; } = _ => null;

    /// <summary>The times that a snapshot knows.</summary>
    /// <param name="snapshot">The machine as it is now.</param>
    public static RestartTimes Of(HostSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        NetworkInterface? Of(Change change) => change.Location is SettingLocation.Registry registry
            ? snapshot.Interfaces.FirstOrDefault(i => registry.Key.EndsWith('\\' + i.Guid, StringComparison.OrdinalIgnoreCase)) : null;
        return new(snapshot.BootUtc, change => Of(change)?.StartedUtc) { BootId = snapshot.BootId, InterfaceStateUtc = change => Of(change)?.StateSinceUtc };
    }

    /// <summary>What a change still waits for.</summary>
    /// <param name="change">The change.</param>
    /// <param name="writtenUtc">When it was written.</param>
    /// <param name="nowUtc">The current time.</param>
    /// <param name="writtenBoot">The number of the start of Windows in which it was written; null when unknown. Known, it decides instead of the times.</param>
    /// <returns><see cref="RestartNeed.None"/> when it is in force; null when that is unknown.</returns>
    public RestartNeed? Pending(Change change, DateTimeOffset? writtenUtc, DateTimeOffset nowUtc, uint? writtenBoot = null)
    {
        ArgumentNullException.ThrowIfNull(change);
        if (change.Restart is RestartNeed.None or RestartNeed.NewConnections)
        {
            return change.Restart;
        }

        bool? restarted = Restarted(writtenUtc, nowUtc, writtenBoot);
        if (restarted == true)
        {
            return RestartNeed.None;
        }

        if (change.Restart == RestartNeed.Windows)
        {
            return restarted is null ? null : RestartNeed.Windows;
        }

        // A clock that was set back between the change and now makes every comparison meaningless.
        if (writtenUtc is not { } written || written > nowUtc)
        {
            return null;
        }

        if (AdapterStartUtc(change) is { } adapter && adapter <= nowUtc)
        {
            return adapter > written ? RestartNeed.None : RestartNeed.Adapter;
        }

        // A link that came and went since looks the same as an adapter that was restarted.
        return InterfaceStateUtc(change) <= written ? RestartNeed.Adapter : null;
    }

    /// <summary>Whether Windows was started since; null when that is unknown.</summary>
    private bool? Restarted(DateTimeOffset? writtenUtc, DateTimeOffset nowUtc, uint? writtenBoot) =>
        BootId is { } now && writtenBoot is { } then ? now != then
        : BootUtc is { } boot && boot <= nowUtc && writtenUtc is { } written && written <= nowUtc ? boot > written
        : null;
}

/// <summary>What must happen before a change takes effect. This program never restarts anything; it only says what is needed.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<RestartNeed>))]
public enum RestartNeed
{
    /// <summary>Takes effect at once.</summary>
    None,

    /// <summary>Connections opened after the change use it.</summary>
    NewConnections,

    /// <summary>The adapter must be disabled and enabled, or Windows restarted.</summary>
    Adapter,

    /// <summary>Windows must be restarted.</summary>
    Windows,
}
