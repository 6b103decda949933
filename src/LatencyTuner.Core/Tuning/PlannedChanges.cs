using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Changes to and from their JSON form, which plan and journal share.</summary>
internal static class PlannedChanges
{
    internal static string StoreName(SettingLocation location) => location is SettingLocation.Registry ? "registry" : "template";

    internal static PlannedChange From(Change change) => new()
    {
        SettingId = change.SettingId,
        Scope = change.Scope,
        Interface = change.Interface,
        Template = change.Template,
        Filter = change.Filter,
        Store = StoreName(change.Location),
        Container = change.Location is SettingLocation.Registry r ? r.Key : ((SettingLocation.Template)change.Location).TemplateName,
        Name = change.Location is SettingLocation.Registry v ? v.Value : ((SettingLocation.Template)change.Location).Property,
        Before = StoredValues.From(change.Before),
        After = StoredValues.From(change.After),
        Restart = change.Restart,
    };

    /// <summary>The change of a JSON form; null, with what was expected, when it is none.</summary>
    internal static Change? Read(PlannedChange? form, out string expected)
    {
        expected = "a change with its setting, place, before and after";
        if (form is null || string.IsNullOrEmpty(form.SettingId) || form.Scope is null || form.Before is null || form.After is null)
            return null;

        if (LocationOf(form) is not { } location)
        {
            expected = form.Store is "registry" or "template"
                ? $"a key such as \"HKLM\\SYSTEM\\...\" or the name of a template, without control characters, found {Quote(form.Container)}"
                : $"the store to be \"registry\" or \"template\", found {Quote(form.Store)}";
            return null;
        }

        if (StoredValues.TryRead(form.Before, out var before) is { } badBefore)
        {
            expected = badBefore + " in \"before\"";
            return null;
        }

        if (StoredValues.TryRead(form.After, out var after) is { } badAfter)
        {
            expected = badAfter + " in \"after\"";
            return null;
        }

        return new Change
        {
            SettingId = form.SettingId,
            Scope = form.Scope,
            Interface = form.Interface,
            Template = form.Template,
            Filter = form.Filter,
            Location = location,
            Before = before,
            After = after,
            Restart = form.Restart,
        };
    }

    internal static string Quote(string? value) => value is null ? "nothing" : Quoting.Quote(value);

    private static SettingLocation? LocationOf(PlannedChange form)
    {
        if (form.Container is null || form.Name is null || form.Container.Concat(form.Name).Any(char.IsControl))
            return null;

        return form.Store switch
        {
            "registry" when RegistryPaths.IsUsable(form.Container) => new SettingLocation.Registry(form.Container, form.Name),
            "template" when form.Container.Length > 0 && form.Name.Length > 0 => new SettingLocation.Template(form.Container, form.Name),
            _ => null,
        };
    }
}
