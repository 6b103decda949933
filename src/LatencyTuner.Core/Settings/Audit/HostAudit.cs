using System.Globalization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Settings.Audit;

/// <summary>
/// Compares the settings of a host with the catalogue. It judges settings only. Only a measurement can show that a setting makes something
/// slow, so that no finding is more than <see cref="Confidence.Possible"/> or <see cref="Severity.Warning"/>.
/// </summary>
public static class HostAudit
{
    /// <summary>Audits the settings of a host for a kind of workload.</summary>
    /// <param name="catalogue">The known settings.</param>
    /// <param name="snapshot">The snapshot of the host. Values of settings that the catalogue does not know are left out.</param>
    /// <param name="profile">The kind of workload of the host.</param>
    /// <param name="source">The origin of the snapshot, for failures.</param>
    /// <exception cref="ExpectedFailureException">Type and data of a value do not fit (<see cref="ExitCode.Input"/>).</exception>
    public static HostAuditResult Of(SettingsCatalogue catalogue, HostSnapshot snapshot, WorkloadProfile profile, string source)
    {
        ArgumentNullException.ThrowIfNull(catalogue);
        ArgumentNullException.ThrowIfNull(snapshot);
        List<AuditedSetting> entries = new();
        Dictionary<(AuditState, string), List<AuditedSetting>> findings = new();
        foreach (SnapshotValue value in snapshot.Values)
        {
            if (catalogue.TryFind(value.Id) is not { } definition)
            {
                continue;
            }

            AuditedSetting entry = Entry(definition, value, snapshot, profile, source);
            entries.Add(entry);
            if (entry.State is AuditState.NotRecommended or AuditState.NoEffect or AuditState.Misplaced or AuditState.Conflict)
            {
                if (!findings.TryGetValue((entry.State, entry.Id), out List<AuditedSetting>? group))
                {
                    findings[(entry.State, entry.Id)] = group = [];
                }

                group.Add(entry);
            }
        }

        return new(
            entries,
            [.. findings.Select(f => FindingOf(catalogue.Find(f.Key.Item2), f.Key.Item1, f.Value, snapshot)).OrderBy(f => f.Id, StringComparer.Ordinal)]);
    }

    private static AuditedSetting Entry(SettingDefinition definition, SnapshotValue stored, HostSnapshot snapshot, WorkloadProfile profile, string source)
    {
        SettingValue? value = SnapshotStore.ValueOf(stored, source);
        NetworkInterface? owner = stored.Interface is null ? null
            : snapshot.Interfaces.FirstOrDefault(i => string.Equals(i.Guid, stored.Interface, StringComparison.OrdinalIgnoreCase));
        bool wrongKey = definition.Store is SettingStore.Registry registry
            && !string.Equals(
                stored.Path, registry.Key.Replace(SettingStore.InterfaceGuid, stored.Interface, StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase);
        (AuditState state, string? because) = Judge(definition, stored, value, owner, snapshot, profile, wrongKey);
        RecommendedValues? suits = definition.Recommended.GetValueOrDefault(profile);
        string fallback = definition.DefaultOn(snapshot.Os.DefaultsOf());
        return new AuditedSetting
        {
            Id = definition.Id,
            Scope = SettingNames.Of(wrongKey ? SettingScope.Machine : definition.Scope),
            Interface = stored.Interface,
            InterfaceAlias = owner?.Alias,
            Template = stored.Template,
            Path = stored.Store == "template" ? $"{stored.Path}.{stored.Template}.{stored.Name}" : $@"{stored.Path}\{stored.Name}",
            Absent = stored.Absent,
            Type = stored.Type,
            Value = value is null || value.IsAbsent ? null : Show(definition, value),
            Default = fallback,
            Effective = state is AuditState.NoEffect or AuditState.Misplaced or AuditState.Conflict or AuditState.PendingRestart or AuditState.Unknown
                || value is null ? null
                : value.IsAbsent ? definition.AbsentMeans ?? fallback
                : definition.Id == "tcp.ackfrequency" && value.Number == 0 ? "2 (0 is treated as 2)"
                : Show(definition, value),
            Recommended = IsPrimary(definition, stored) && suits is not null ? ShowText(definition, suits.Best) : null,
            State = state,
            Because = because,
            Action = SettingNames.Of(definition.Action),
            TakesEffect = SettingNames.Of(definition.TakesEffect),
            Source = definition.Sources[0],
            Confidence = SettingNames.Of(definition.Confidence),
        };
    }

    private static (AuditState State, string? Because) Judge(
        SettingDefinition definition, SnapshotValue stored, SettingValue? value, NetworkInterface? owner, HostSnapshot snapshot, WorkloadProfile profile,
        bool wrongKey)
    {
        if (value is null)
        {
            return (AuditState.Unknown, stored.NotReadBecause?.TrimEnd('.') ?? "it was not read");
        }

        if (value.IsAbsent)
        {
            return (AuditState.Ok, null);
        }

        string text = value.Data is [var only] ? only : "";
        if (definition.Flagged is { } flagged)
        {
            bool harmless = flagged.Unless.Contains(text, StringComparer.OrdinalIgnoreCase) || (flagged.From is { } from && value.Number >= (ulong)from);
            return harmless && !wrongKey ? (AuditState.Ok, null) : (flagged.HasEffect ? AuditState.NotRecommended : AuditState.NoEffect, flagged.Because);
        }

        if (wrongKey)
        {
            return (AuditState.Misplaced, $"nothing reads it there; it is read under {((SettingStore.Registry)definition.Store).Key} only");
        }

        // A NIC keyword belongs to the physical adapter, team member or not; an IP setting does not.
        if (definition.Scope == SettingScope.Interface && owner?.NotUsedBecause() is { } unused)
        {
            return (AuditState.Misplaced, unused);
        }

        if (definition.Store is SettingStore.Registry registry && value.Kind != registry.Type)
        {
            return (AuditState.Unknown, $"its type is {value.TypeName}, but Windows expects REG_DWORD; it is unknown whether Windows reads it");
        }

        if (definition.TakesEffect == TakesEffect.Reboot && stored.WrittenUtc > snapshot.BootUtc)
        {
            return (AuditState.PendingRestart, "it was written after the last restart of Windows and takes effect with the next one");
        }

        if (definition.TakesEffect == TakesEffect.AdapterRestart && stored.WrittenUtc > (owner?.StartedUtc ?? owner?.StateSinceUtc))
        {
            return (AuditState.PendingRestart, "it was written after the last restart of the adapter and takes effect with the next one, which drops its link");
        }

        if (definition.Id == "tcp.ackfrequency" && ConflictingTemplates(value, snapshot) is { Count: > 0 } templates)
        {
            return (AuditState.Conflict, $"it differs from DelayedAckFrequency of {string.Join(", ", templates)}; which one wins is not documented");
        }

        if (stored.Template is "Compat" or "Automatic")
        {
            return (AuditState.Ok, null);
        }

        if (stored.Template is "InternetCustom" or "DatacenterCustom" && !UsesCustomTemplates(snapshot))
        {
            return (AuditState.Ok, null);
        }

        return IsPrimary(definition, stored) && definition.Recommended.GetValueOrDefault(profile) is { } suits
            && !suits.Values.Contains(text, StringComparer.OrdinalIgnoreCase)
            ? (AuditState.NotRecommended, suits.Because)
            : (AuditState.Ok, null);
    }

    /// <summary>The templates with another frequency than the registry's. A template at its default of 2 does not count.</summary>
    private static List<string> ConflictingTemplates(SettingValue registry, HostSnapshot snapshot)
    {
        ulong frequency = registry.Number is 0 or null ? 2 : registry.Number.Value;
        return
        [
            .. snapshot.Values
                .Where(
                    v => v.Id == "template.delayedackfrequency" && v.Data is [var data] && data != "2"
                        && data != frequency.ToString(CultureInfo.InvariantCulture))
                .Select(v => $"template {v.Template} ({v.Data[0]})"),
        ];
    }

    private static bool UsesCustomTemplates(HostSnapshot snapshot) => snapshot.Values.Any(v => v.Id == "template.automaticusecustom" && v.Data is ["1"]);

    /// <summary>Recommendations are about the first value of a setting; its further parts have meanings of their own.</summary>
    private static bool IsPrimary(SettingDefinition definition, SnapshotValue stored) => definition.Store switch
    {
        SettingStore.Adapter adapter => string.Equals(adapter.Keywords[0], stored.Name, StringComparison.OrdinalIgnoreCase),
        SettingStore.Registry registry => string.Equals(registry.Values[0], stored.Name, StringComparison.OrdinalIgnoreCase),
        _ => true,
    };

    private static string Show(SettingDefinition definition, SettingValue value) => value.Number is { } number
        ? definition.Allowed is { Words.Count: > 0 } allowed ? allowed.NameOf(number) : number.ToString(CultureInfo.InvariantCulture)
        : string.Join(", ", value.Data);

    private static string ShowText(SettingDefinition definition, string text) =>
        definition.Allowed is { Words.Count: > 0 } allowed && ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong number)
            ? allowed.NameOf(number) : text;

    private static Finding FindingOf(SettingDefinition definition, AuditState state, List<AuditedSetting> entries, HostSnapshot snapshot)
    {
        Cause cause = state switch
        {
            AuditState.NotRecommended => Cause.SettingNotRecommended,
            AuditState.NoEffect => Cause.SettingHasNoEffect,
            AuditState.Misplaced => Cause.SettingMisplaced,
            _ => Cause.SettingConflict,
        };
        return new Finding
        {
            Cause = cause,
            Side = Side.Host,
            Host = snapshot.Machine,
            Confidence = Confidence.Possible,
            Severity = state == AuditState.NoEffect ? Severity.Info : Severity.Warning,
            Count = entries.Count,
            Setting = definition.Id,
            For =
            [
                .. entries.Select(e => $"{definition.Id}: {e.Path} is {e.Value}: {e.Because}."),
                $"Source: {definition.Sources[0]} (confidence {SettingNames.Of(definition.Confidence)}).",
            ],
            Against = [
                state == AuditState.NoEffect ? "It does nothing, so it costs nothing."
                    : "A setting alone proves no stall: only a measurement shows whether this one costs anything."],
            Recommendation = state switch
            {
                AuditState.NoEffect =>
                    definition.Store is SettingStore.Registry ? "Delete the value; nothing depends on it." : "Leave it at its default; nothing depends on it.",
                AuditState.Misplaced =>
                    "Delete the value there. Set it for the interface that carries the connections, but only if a measurement shows that it helps.",
                AuditState.Conflict => "Keep one of the two: the template if this edition allows changing it, otherwise the registry value.",
                _ => entries[0].Recommended is { } best and not "absent" ? $"Set it to {best}: {definition.Set}. Takes effect: {definition.TakesEffectText}."
                    : definition.Flagged?.Unless is [var harmless, ..] ? $"Set it back to {harmless}, or delete the value."
                    : "Delete the value.",
            },
        };
    }
}
