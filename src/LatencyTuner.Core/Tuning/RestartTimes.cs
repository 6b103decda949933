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
    /// <summary>The times that a snapshot knows.</summary>
    /// <param name="snapshot">The machine as it is now.</param>
    public static RestartTimes Of(HostSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        return new(
            snapshot.BootUtc,
            change => change.Location is SettingLocation.Registry registry
                ? snapshot.Interfaces.FirstOrDefault(i => registry.Key.EndsWith('\\' + i.Guid, StringComparison.OrdinalIgnoreCase))?.StartedUtc
                : null);
    }

    /// <summary>What a change still waits for.</summary>
    /// <param name="change">The change.</param>
    /// <param name="writtenUtc">When it was written.</param>
    /// <param name="nowUtc">The current time.</param>
    /// <returns><see cref="RestartNeed.None"/> when it is in force; null when that is unknown.</returns>
    public RestartNeed? Pending(Change change, DateTimeOffset? writtenUtc, DateTimeOffset nowUtc)
    {
        ArgumentNullException.ThrowIfNull(change);
        if (change.Restart is RestartNeed.None or RestartNeed.NewConnections)
        {
            return change.Restart;
        }

        // A clock that was set back between the change and now makes every comparison meaningless.
        if (writtenUtc is not { } written || written > nowUtc)
        {
            return null;
        }

        if (BootUtc is { } boot && boot > written && boot <= nowUtc)
        {
            return RestartNeed.None;
        }

        if (change.Restart == RestartNeed.Windows)
        {
            return BootUtc is null || BootUtc > nowUtc ? null : RestartNeed.Windows;
        }

        DateTimeOffset? adapter = AdapterStartUtc(change);
        if (adapter is null || adapter > nowUtc)
        {
            return null;
        }

        return adapter > written ? RestartNeed.None : RestartNeed.Adapter;
    }
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
