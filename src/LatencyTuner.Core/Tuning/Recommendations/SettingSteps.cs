using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>The commands of a cure that is a setting of Windows, for the interface or template that the connections use.</summary>
internal static class SettingSteps
{
    /// <summary>Windows Server gives a connection the Datacenter template when its first round trip is at most this long, in microseconds.</summary>
    private const double DatacenterRttUs = 10_000;

    internal static SettingChange Of(
        Cure cure, Side? side, EvidencedPath? path, SnapshotOwner owner, AdviceInputs inputs, HostAuditResult audit, RecommendedEffect effect)
    {
        if (cure.Value is null)
        {
            return new(
                [], cure.Snippet is null ? []
                    : [$"In the code of the application: see the snippets (--language {string.Join('|', CodeSnippet.Languages)})."], []);
        }

        SettingDefinition definition = inputs.Catalogue.Find(cure.SettingId!);
        return definition.Scope == SettingScope.Interface
            ? Interface(cure, definition, owner, audit)
            : Template(cure, definition, side, path, owner, inputs, audit, effect);
    }

    private static SettingChange Interface(Cure cure, SettingDefinition definition, SnapshotOwner owner, HostAuditResult audit)
    {
        List<CurrentSetting> current = [.. owner.Candidates.Select(i => Current(
            definition,
            cure.Value!,
            audit.Entries.FirstOrDefault(
                e => e.Id == definition.Id && e.Scope == "interface" && string.Equals(e.Interface, i.Guid, StringComparison.OrdinalIgnoreCase))) with
        {
            Interface = i.Guid,
            InterfaceName = i.Addresses.Count > 0 ? $"{i.Alias ?? i.Guid} ({i.Addresses[0]})" : i.Alias ?? i.Guid,
        })];
        IEnumerable<string> todo = owner.Candidates.Where((_, n) => current[n].State != CurrentState.AlreadySet).Select(i => Quote(i.Alias ?? i.Guid))
            .DefaultIfEmpty("NAME");
        List<string> caveats = [];
        if (owner.NotOfThisEndBecause is { } other)
        {
            current.Add(new() { SettingId = definition.Id, State = CurrentState.Unknown, Because = other });
        }
        else if (!owner.IsCertain && owner.Candidates.Count > 1)
        {
            caveats.Add("It is unknown which interface carries the connections. Choose the one that owns their local address.");
        }

        caveats.AddRange(AlreadySet(current));
        IReadOnlyList<string> how = current.Count > 0 && current.TrueForAll(c => c.State == CurrentState.AlreadySet) ? []
            : [.. todo.Select(i => $"latencytuner apply --setting {definition.Id}={cure.Value} --interface {i}")];
        return new(current, how, caveats);
    }

    private static SettingChange Template(
        Cure cure, SettingDefinition definition, Side? side, EvidencedPath? path, SnapshotOwner owner, AdviceInputs inputs, HostAuditResult audit,
        RecommendedEffect effect)
    {
        // Without the snapshot of that end its edition is unknown; the command is the one for a server, where templates are meant for this.
        bool isClientEdition = owner.NotOfThisEndBecause is null && inputs.Snapshot?.Os.IsServer == false;
        bool near = path?.IsLoopback == true || effect.P50UsAfter is null or <= DatacenterRttUs;
        string template = isClientEdition ? "Internet" : near ? "DatacenterCustom" : "InternetCustom";
        CurrentSetting current = owner.NotOfThisEndBecause is { } other
            ? new CurrentSetting { SettingId = definition.Id, State = CurrentState.Unknown, Because = other }
            : Current(definition, cure.Value!, audit.Entries.FirstOrDefault(e => e.Id == definition.Id && e.Template == template));
        current = current with { Template = template };
        string peer = side == Side.Client && path is { IsLoopback: false, Address: { } address } ? address + (path.IsIPv6 == true ? "/128" : "/32")
            : side == Side.Server ? "CLIENT-PREFIX" : "SERVER-PREFIX";
        string apply = $"latencytuner apply --setting {definition.Id}={cure.Value} --template {template}";
        List<string> caveats = [];
        if (isClientEdition)
        {
            caveats.Add("Client editions of Windows have no transport filters: the template applies to every new connection.");
        }
        else
        {
            caveats.Add("Only the filter gives connections this template. 'Get-NetTCPConnection | select AppliedSetting' shows which one they have.");
        }

        // A template that has the value says nothing about the connections: the filter decides which of them use it.
        if (current.State == CurrentState.AlreadySet)
        {
            current = current with
            {
                State = CurrentState.Unknown,
                Because = "the template has it, but the snapshot does not show whether a filter gives it to the connections",
            };
        }

        return new([current], [isClientEdition ? apply : $"{apply} --filter {peer}"], caveats, isClientEdition ? "all new connections of this host" : null);
    }

    private static CurrentSetting Current(SettingDefinition definition, string wanted, AuditedSetting? entry) => new()
    {
        SettingId = definition.Id,
        State = entry is null || (!entry.Absent && entry.Value is null) ? CurrentState.Unknown
            : entry.Absent ? CurrentState.Absent
            : entry.Value == wanted ? CurrentState.AlreadySet
            : CurrentState.Differs,
        Value = entry?.Value,
        Because = entry is null ? "the snapshot does not have this value" : entry.State is AuditState.Unknown or AuditState.PendingRestart ? entry.Because
            : entry.Absent && definition.AbsentMeans is { } means ? $"that means {means}" : null,
    };

    private static IEnumerable<string> AlreadySet(List<CurrentSetting> current)
    {
        if (current.Exists(c => c.State == CurrentState.AlreadySet))
        {
            yield return "Where it is set and the wait remains, Windows may not have been restarted since, or the connections may use another interface.";
        }
    }

    private static string Quote(string name) => name.Contains(' ', StringComparison.Ordinal) ? $"\"{name}\"" : name;
}
