using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Makes a plan from the request of an admin and the values that are there.</summary>
public static class PlanBuilding
{
    /// <summary>Makes the plan. Nothing is written; the values before are read.</summary>
    /// <param name="request">The changes that the admin wants.</param>
    /// <param name="catalogue">The settings.</param>
    /// <param name="snapshot">The machine: its interfaces, and the connections that changes of templates affect.</param>
    /// <param name="store">Holds the values before.</param>
    /// <exception cref="ExpectedFailureException">
    /// <see cref="ExitCode.Usage"/>: unknown setting or interface, a value that is not valid, a setting that this program does not change;
    /// <see cref="ExitCode.Change"/>: an interface whose values change nothing, a template that this Windows does not allow to be changed, or a
    /// value that could not be restored;
    /// <see cref="ExitCode.Platform"/>: a value that cannot be read.
    /// </exception>
    public static BuiltPlan From(PlanRequest request, SettingsCatalogue catalogue, HostSnapshot snapshot, ISettingsStore store)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(catalogue);
        ArgumentNullException.ThrowIfNull(snapshot);
        ArgumentNullException.ThrowIfNull(store);
        List<(ApplicableSetting Setting, SettingValue After)> asked = request.Settings.Select(s => Parse(s, catalogue)).ToList();
        NetworkInterface? chosen = Chosen(request, asked, snapshot.Interfaces);
        RequireTemplateSetting(request, asked);
        List<Change> changes = new();
        List<string> notes = new();
        foreach ((ApplicableSetting? setting, SettingValue? after) in asked)
        {
            if (IsOfTemplate(setting))
            {
                TemplatePlan plan = TemplatePlanning.Of(snapshot, setting, after, request.Template, request.Filter, store);
                changes.AddRange(plan.Changes);
                notes.AddRange(plan.Notes);
            }
            else
            {
                changes.Add(Change(setting, after, chosen, store));
            }
        }

        // Several settings of one template share its filter, which comes after all of them.
        List<Change> filters = changes.Where(c => c.Location is SettingLocation.Filter).DistinctBy(c => RegistryPaths.Identity(c.Location)).ToList();
        ChangePlan made = new()
        {
            Batch = $"{request.Now.UtcDateTime:yyyyMMdd-HHmmss}-{request.Suffix}",
            Machine = request.Machine,
            CreatedUtc = request.Now,
            Operator = request.Operator,
            Ticket = request.Ticket,
            NotAfterUtc = request.NotAfterUtc,
            Changes = [.. changes.Where(c => c.Location is not SettingLocation.Filter), .. filters],
        };
        return new BuiltPlan(made, [.. notes.Distinct()]);
    }

    /// <summary>One plan of several, with their changes in one batch. A value that several write is written once.</summary>
    /// <param name="plans">The plans, at least one, which agree about each value.</param>
    public static BuiltPlan Together(IReadOnlyList<BuiltPlan> plans)
    {
        ArgumentNullException.ThrowIfNull(plans);
        List<Change> changes = [.. plans.SelectMany(p => p.Plan.Changes).DistinctBy(c => RegistryPaths.Identity(c.Location))];

        // As in one plan, filters come after the templates that they bind to.
        return new(
            plans[0].Plan with { Changes = [.. changes.OrderBy(c => c.Location is SettingLocation.Filter)] }, [.. plans.SelectMany(p => p.Notes).Distinct()]);
    }

    /// <summary>What must happen before a written value of a setting is in force.</summary>
    /// <param name="effect">What the catalogue says.</param>
    public static RestartNeed NeedOf(TakesEffect effect) => effect switch
    {
        TakesEffect.Immediate or TakesEffect.NotApplicable => RestartNeed.None,
        TakesEffect.NewConnections => RestartNeed.NewConnections,
        TakesEffect.AdapterRestart => RestartNeed.Adapter,

        // No setting that is applied belongs to a service; a restart of Windows restarts them all.
        _ => RestartNeed.Windows,
    };

    private static (ApplicableSetting Setting, SettingValue After) Parse(string text, SettingsCatalogue catalogue)
    {
        int equals = text.IndexOf('=', StringComparison.Ordinal);
        if (equals <= 0 || equals == text.Length - 1)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage, $"--setting {PlannedChange.Quote(text)} is not valid: ID=VALUE is expected, such as tcp.ackfrequency=1.");
        }

        ApplicableSetting setting = catalogue.Find(text[..equals].Trim()).Applicable();
        return (setting, setting.Parse(text[(equals + 1)..].Trim()));
    }

    private static NetworkInterface? Chosen(
        PlanRequest request, List<(ApplicableSetting Setting, SettingValue After)> asked, IReadOnlyList<NetworkInterface> interfaces)
    {
        ApplicableSetting? perInterface = asked.Find(a => IsPerInterface(a.Setting)).Setting;
        if (request.Interface is not { } name)
        {
            if (perInterface is null)
            {
                return null;
            }

            List<NetworkInterface> usable = interfaces.Where(i => i.NotUsedBecause() is null).ToList();
            string list = usable.Count == 0 ? "none was found" : string.Join(", ", usable.Select(Described));
            throw new ExpectedFailureException(
                ExitCode.Usage, $"{perInterface.Definition.Id} is a setting of each interface: give --interface with one of: {list}.");
        }

        if (perInterface is null && asked.Count > 0)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--interface {PlannedChange.Quote(name)} applies to none of the settings: "
                + $"{string.Join(", ", asked.Select(a => a.Setting.Definition.Id).Distinct())}.");
        }

        NetworkInterface chosen = InterfaceLookup.Find(interfaces, name);
        InterfaceLookup.RequireWritable(chosen, interfaces, request.Force);
        return chosen;
    }

    private static void RequireTemplateSetting(PlanRequest request, List<(ApplicableSetting Setting, SettingValue After)> asked)
    {
        (string? option, string? text) = request.Template is not null ? ("--template", request.Template) : ("--filter", request.Filter);
        if (text is not null && !asked.Exists(a => IsOfTemplate(a.Setting)))
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"{option} {PlannedChange.Quote(text)} applies to none of the settings: "
                + $"{string.Join(", ", asked.Select(a => a.Setting.Definition.Id).Distinct())}.");
        }
    }

    private static Change Change(ApplicableSetting setting, SettingValue after, NetworkInterface? chosen, ISettingsStore store)
    {
        SettingDefinition definition = setting.Definition;
        NetworkInterface? owner = IsPerInterface(setting) ? chosen : null;
        SettingLocation location = setting.Locate(owner?.Guid);
        SettingValue before = store.Read(location);
        if (definition.Store is SettingStore.Registry registry && !before.IsAbsent && before.Kind != registry.Type)
        {
            throw new ExpectedFailureException(
                ExitCode.Change,
                $"{location} is {ChangeSentences.Show(before)}, but Windows expects a REG_{registry.Type.ToString().ToUpperInvariant()} there. This program "
                + "does not restore a value of another type. Delete the value first if nobody needs it. Nothing was changed.");
        }

        return new Change
        {
            SettingId = definition.Id,
            Scope = SettingNames.Of(definition.Scope),
            Interface = owner?.ToString(),
            Location = location,
            Before = before,
            After = after,
            Restart = NeedOf(definition.TakesEffect),
        };
    }

    private static string Described(NetworkInterface known)
    {
        string name = known.Alias is null ? known.Guid : $"'{known.Alias}'";
        return known.Addresses.Count == 0 ? name : $"{name} ({string.Join(", ", known.Addresses.Take(2))})";
    }

    private static bool IsPerInterface(ApplicableSetting? setting) => setting?.Definition.Store is SettingStore.Registry { IsPerInterface: true };

    private static bool IsOfTemplate(ApplicableSetting setting) => setting.Definition.Store is SettingStore.Template;
}

/// <summary>A plan, and what an admin must know about its scope before it is applied.</summary>
/// <param name="Plan">The plan.</param>
/// <param name="Notes">What the admin must know, a sentence or two each.</param>
public sealed record BuiltPlan(ChangePlan Plan, IReadOnlyList<string> Notes);
