using System.Globalization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Describes the scope of a change of a template: which connections it affects, and what else changes for them.</summary>
internal sealed class TemplateScope(HostSnapshot snapshot, Change change)
{
    private const string Switch = "AutomaticUseCustom";

    /// <summary>The scope of the switch from the stock templates to the custom ones, or back.</summary>
    internal IEnumerable<string> OfSwitch(bool on)
    {
        yield return on
            ? "All connections without a filter move to InternetCustom and DatacenterCustom. A transport filter (--filter PREFIX[:PORT]) would "
                + "limit the change to a prefix."
            : "All connections without a filter move back to Internet and Datacenter.";
        foreach (string? stock in new[] { "Internet", "Datacenter" })
        {
            string custom = TcpTemplates.CustomOf(stock)!;
            (string? from, string? to) = on ? (stock, custom) : (custom, stock);
            yield return $"{from} to {to}: {Differences(from, to)}; {Connections(from)}.";
        }
    }

    /// <summary>The scope of a change of a whole template.</summary>
    internal IEnumerable<string> OfTemplate(string template)
    {
        List<string> filters = Filters(template).ToList();
        string bound = filters.Count == 0 ? "no filter binds to it"
            : $"{Count(filters.Count, "filter")} {(filters.Count == 1 ? "binds" : "bind")} to it: {string.Join("; ", filters)}";
        if (!TcpTemplates.IsCustom(template))
        {
            yield return $"Template {template} is changed for every connection that uses it ({Connections(template)}; {bound}). A transport filter to a "
                + "custom template (--template InternetCustom --filter PREFIX[:PORT]) would limit the change to a prefix.";
            if (UsesCustom() == true && TcpTemplates.CustomOf(template) is { } instead)
            {
                yield return $"{Switch} is enabled: Windows chooses {instead} instead of {template}, so only filters bind connections to {template}.";
            }

            yield break;
        }

        yield return UsesCustom() switch
        {
            true => $"{Switch} is enabled: Windows chooses template {template} ({Connections(template)}; {bound}).",
            false when filters.Count == 0 =>
                $"No connection uses template {template}: {Switch} is disabled and {bound}. The change has no effect until one does: give "
                + "--filter PREFIX[:PORT], or apply template.automaticusecustom=Enabled.",
            _ => $"Template {template} is used by the connections that filters bind to it ({Connections(template)}; {bound}).",
        };
    }

    /// <summary>The scope of a filter to a custom template.</summary>
    internal IEnumerable<string> OfFilter(string template, TransportFilter which)
    {
        yield return $"New connections to {which} take all values of {template}, not this one alone.";
        if (UsesCustom() != true)
        {
            foreach (string? stock in new[] { "Internet", "Datacenter" })
            {
                yield return $"Where Windows chose {stock} for them: {Differences(stock, template)}.";
            }
        }

        List<string> others = Filters(template).Where(f => f != which.ToString()).ToList();
        if (others.Count > 0)
        {
            yield return $"{Count(others.Count, "other filter")} {(others.Count == 1 ? "binds" : "bind")} to {template}; the connections of these filters "
                + $"change as well: {string.Join("; ", others)}.";
        }

        if (UsesCustom() == true)
        {
            yield return $"{Switch} is enabled: Windows chooses {template} for other connections too, and they change as well ({Connections(template)}).";
        }
        else if (UsesCustom() is null)
        {
            yield return $"It is not known whether {Switch} is enabled. If it is, other connections change as well.";
        }
    }

    /// <summary>Every property in which two templates differ once the change is made.</summary>
    private string Differences(string from, string to)
    {
        (Dictionary<string, string>? before, Dictionary<string, string>? after) = (Values(from), Values(to));
        if (before.Count == 0 || after.Count == 0)
        {
            return "the differences are not known";
        }

        List<string> different =
        [
            .. from property in before.Keys.Union(after.Keys).Order(StringComparer.Ordinal)
               let was = before.GetValueOrDefault(property, "unknown")
               let becomes = after.GetValueOrDefault(property, "unknown")
               where was != becomes
               select $"{property} {was} becomes {becomes}",
        ];
        return different.Count == 0 ? "nothing differs" : string.Join(", ", different);
    }

    private Dictionary<string, string> Values(string template)
    {
        Dictionary<string, string> values = snapshot.Values.Where(v => v.Store == "template" && Same(v.Template, template) && v.Data is [_])
            .GroupBy(v => v.Name).ToDictionary(g => g.Key, g => Shown(g.First().Id, g.First().Data[0]));
        if (change.Location is SettingLocation.Template own && Same(own.TemplateName, template) && values.Count > 0)
        {
            values[own.Property] = Shown(change.SettingId, change.After.Number!.Value.ToString(CultureInfo.InvariantCulture));
        }

        return values;
    }

    private static string Shown(string id, string data) =>
        SettingsCatalogue.Current.TryFind(id)?.Allowed is { Words.Count: > 0 } allowed
            && ulong.TryParse(data, NumberStyles.None, CultureInfo.InvariantCulture, out ulong number) ? allowed.NameOf(number) : data;

    private IEnumerable<string> Filters(string template) =>
        from value in snapshot.Values
        where value.Store == "filter" && value.Data is [var bound] && Same(bound, template)
        select SnapshotStore.LocationOf(value) is SettingLocation.Filter filter ? filter.Which.ToString() : value.Name;

    private bool? UsesCustom() =>
        snapshot.Values.FirstOrDefault(v => v.Id == "template.automaticusecustom" && v.Data is [_])?.Data[0] switch { "1" => true, null => null, _ => false };

    private string Connections(string template) => snapshot.TemplateUses.Count == 0
        ? "how many connections use it is not known"
        : $"{Count(snapshot.TemplateUses.FirstOrDefault(u => Same(u.Template, template))?.Connections ?? 0, "open connection")} when the snapshot was taken";

    private static string Count(int n, string noun) => ChangeSentences.Count(n, noun);

    private static bool Same(string? a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
}
