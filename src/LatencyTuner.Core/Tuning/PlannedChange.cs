using System.ComponentModel.DataAnnotations;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>A change in a plan.</summary>
internal sealed record PlannedChange
{
    /// <summary>Id of the setting in the catalogue.</summary>
    public required string SettingId { get; init; }

    /// <summary>What it governs, for example <c>interface</c>.</summary>
    public required string Scope { get; init; }

    /// <summary>The interface; null when the change belongs to no interface.</summary>
    public string? Interface { get; init; }

    /// <summary>The TCP template; null when the change belongs to no template.</summary>
    public string? Template { get; init; }

    /// <summary>The transport filter; null for none.</summary>
    public string? Filter { get; init; }

    /// <summary><c>registry</c>, <c>template</c> or <c>filter</c>.</summary>
    [AllowedValues("registry", "template", "filter")]
    public required string Store { get; init; }

    /// <summary>The registry key, the name of the template, or the prefix of the filter.</summary>
    public required string Container { get; init; }

    /// <summary>The name of the value or property, or the ports of the filter.</summary>
    public required string Name { get; init; }

    /// <summary>The value when the plan was made.</summary>
    public required StoredValue Before { get; init; }

    /// <summary>The value to write.</summary>
    public required StoredValue After { get; init; }

    /// <summary>What must happen before it takes effect.</summary>
    public required RestartNeed Restart { get; init; }

    internal static string StoreName(SettingLocation location) => location switch
    {
        SettingLocation.Registry => "registry",
        SettingLocation.Filter => "filter",
        _ => "template",
    };

    internal static PlannedChange From(Change change) => new()
    {
        SettingId = change.SettingId,
        Scope = change.Scope,
        Interface = change.Interface,
        Template = change.Template,
        Filter = change.Filter,
        Store = StoreName(change.Location),
        Container = PlaceOf(change.Location).Container,
        Name = PlaceOf(change.Location).Name,
        Before = StoredValue.From(change.Before),
        After = StoredValue.From(change.After),
        Restart = change.Restart,
    };

    /// <summary>The change of a JSON form; null, with what was expected, when the form is not valid.</summary>
    internal static Change? Read(PlannedChange? form, out string expected)
    {
        expected = "a change with its setting, place, before and after";
        if (form is null || string.IsNullOrEmpty(form.SettingId) || form.Scope is null || form.Before is null || form.After is null)
        {
            return null;
        }

        if (LocationOf(form) is not { } location)
        {
            expected = form.Store switch
            {
                "registry" or "template" =>
                    $"a key such as \"HKLM\\SYSTEM\\...\" or the name of a template, without control characters, found {Quote(form.Container)}",
                "filter" =>
                    $"a prefix such as \"10.1.0.0/16\" with ports such as \"TCP local 0-65535 remote 1433-1433\", found {Quote(form.Container)} with "
                    + $"{Quote(form.Name)}",
                _ => $"the store to be \"registry\", \"template\" or \"filter\", found {Quote(form.Store)}",
            };
            return null;
        }

        if (form.Before.TryRead(out SettingValue? before) is { } badBefore)
        {
            expected = badBefore + " in \"before\"";
            return null;
        }

        if (form.After.TryRead(out SettingValue? after) is { } badAfter)
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

    private static (string Container, string Name) PlaceOf(SettingLocation location) => location switch
    {
        SettingLocation.Registry registry => (registry.Key, registry.Value),
        SettingLocation.Template template => (template.TemplateName, template.Property),
        SettingLocation.Filter filter => (filter.Which.DestinationPrefix, filter.Which.Ports),
        _ => throw new ArgumentException($"{location.GetType().Name} is not a place.", nameof(location)),
    };

    private static SettingLocation? LocationOf(PlannedChange form)
    {
        if (form.Container is null || form.Name is null || form.Container.Concat(form.Name).Any(char.IsControl))
        {
            return null;
        }

        return form.Store switch
        {
            "registry" when RegistryPaths.IsUsable(form.Container) => new SettingLocation.Registry(form.Container, form.Name),
            "template" when form.Container.Length > 0 && form.Name.Length > 0 => new SettingLocation.Template(form.Container, form.Name),
            "filter" when TransportFilter.TryRead(form.Container, form.Name) is { } filter => new SettingLocation.Filter(filter),
            _ => null,
        };
    }
}
