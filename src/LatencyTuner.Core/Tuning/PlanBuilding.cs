using System.Globalization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Makes a plan of what an admin asked for and of what is there.</summary>
public static class PlanBuilding
{
    /// <summary>The plan. Nothing is written; the values before are read.</summary>
    /// <param name="request">What is asked for.</param>
    /// <param name="catalogue">The settings.</param>
    /// <param name="interfaces">The interfaces of the machine.</param>
    /// <param name="store">Holds the values before.</param>
    /// <exception cref="ExpectedFailureException">
    /// <see cref="ExitCode.Usage"/>: unknown setting or interface, a value that is not valid, a setting that this program does not change;
    /// <see cref="ExitCode.Change"/>: an interface whose values change nothing, or a value that could not be restored;
    /// <see cref="ExitCode.Platform"/>: a value that cannot be read.
    /// </exception>
    public static ChangePlan From(PlanRequest request, SettingsCatalogue catalogue, IReadOnlyList<NetworkInterface> interfaces, ISettingsStore store)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(catalogue);
        ArgumentNullException.ThrowIfNull(interfaces);
        ArgumentNullException.ThrowIfNull(store);
        var asked = request.Settings.Select(s => Parse(s, catalogue)).ToList();
        var chosen = Chosen(request, asked, interfaces);
        return new ChangePlan
        {
            Batch = string.Create(CultureInfo.InvariantCulture, $"{request.Now.UtcDateTime:yyyyMMdd-HHmmss}-{request.Suffix}"),
            Machine = request.Machine,
            CreatedUtc = request.Now,
            Operator = request.Operator,
            Ticket = request.Ticket,
            NotAfterUtc = request.NotAfterUtc,
            Changes = asked.ConvertAll(a => Change(a.Setting, a.After, request, chosen, store, asked.Exists(o => IsOfTemplate(o.Setting)))),
        };
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
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        if (equals <= 0 || equals == text.Length - 1)
            throw new ExpectedFailureException(ExitCode.Usage, $"--setting {PlannedChanges.Quote(text)} is not valid: ID=VALUE is expected, such as tcp.ackfrequency=1.");

        var setting = catalogue.Find(text[..equals].Trim()).Applicable();
        return (setting, setting.Parse(text[(equals + 1)..].Trim()));
    }

    private static NetworkInterface? Chosen(PlanRequest request, List<(ApplicableSetting Setting, SettingValue After)> asked, IReadOnlyList<NetworkInterface> interfaces)
    {
        var perInterface = asked.Find(a => IsPerInterface(a.Setting)).Setting;
        if (request.Interface is not { } name)
        {
            if (perInterface is null)
                return null;

            var usable = interfaces.Where(i => i.NotUsedBecause() is null).ToList();
            var list = usable.Count == 0 ? "none was found" : string.Join(", ", usable.Select(Described));
            throw new ExpectedFailureException(ExitCode.Usage, $"{perInterface.Definition.Id} is a setting of each interface: give --interface with one of: {list}.");
        }

        if (perInterface is null && asked.Count > 0)
            throw new ExpectedFailureException(ExitCode.Usage, $"--interface {PlannedChanges.Quote(name)} belongs to none of the settings: {string.Join(", ", asked.Select(a => a.Setting.Definition.Id).Distinct())}.");

        var chosen = InterfaceLookup.Find(interfaces, name);
        InterfaceLookup.RequireWritable(chosen, interfaces, request.Force);
        return chosen;
    }

    private static Change Change(ApplicableSetting setting, SettingValue after, PlanRequest request, NetworkInterface? chosen, ISettingsStore store, bool anyOfTemplate)
    {
        // A template given beside settings of the machine belongs to the others; where there are none it is refused by name.
        var ofTemplate = IsOfTemplate(setting) || !anyOfTemplate;
        var definition = setting.Definition;
        var owner = IsPerInterface(setting) ? chosen : null;
        var location = setting.Locate(owner?.Guid, ofTemplate ? request.Template : null);
        var before = store.Read(location);
        if (definition.Store is SettingStore.Registry registry && !before.IsAbsent && before.Kind != registry.Type)
        {
            throw new ExpectedFailureException(
                ExitCode.Change,
                $"{location} is {ChangeSentences.Show(before)}, Windows expects a REG_{registry.Type.ToString().ToUpperInvariant()} there, and a value of another type is not restored by this program; delete it first if nobody needs it. Nothing was changed.");
        }

        return new Change
        {
            SettingId = definition.Id,
            Scope = SettingNames.Of(definition.Scope),
            Interface = owner?.ToString(),
            Template = (location as SettingLocation.Template)?.TemplateName,
            Location = location,
            Before = before,
            After = after,
            Restart = NeedOf(definition.TakesEffect),
        };
    }

    private static string Described(NetworkInterface known)
    {
        var name = known.Alias is null ? known.Guid : $"'{known.Alias}'";
        return known.Addresses.Count == 0 ? name : $"{name} ({string.Join(", ", known.Addresses.Take(2))})";
    }

    private static bool IsPerInterface(ApplicableSetting? setting) => setting?.Definition.Store is SettingStore.Registry { IsPerInterface: true };

    private static bool IsOfTemplate(ApplicableSetting setting) => setting.Definition.Store is SettingStore.Template;
}
