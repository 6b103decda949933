using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>Plans changes of TCP templates: for a prefix by a transport filter to a custom template, or for a whole template, with the scope.</summary>
internal static class TemplatePlanning
{
    /// <summary>Makes the plan for one setting of a template.</summary>
    /// <param name="snapshot">The machine; the notes describe its templates, filters and connections.</param>
    /// <param name="setting">A setting of a template, or <c>template.automaticusecustom</c>.</param>
    /// <param name="value">The value to write.</param>
    /// <param name="template">The template; null when none was named.</param>
    /// <param name="filter"><c>PREFIX[:PORT]</c>; null for none.</param>
    /// <param name="store">Holds the values before; null to take them from the snapshot.</param>
    /// <exception cref="ExpectedFailureException">
    /// <see cref="ExitCode.Usage"/>: template or filter are missing or not valid; <see cref="ExitCode.Change"/>: this Windows is known not to allow the
    /// change, or a filter prevents it; <see cref="ExitCode.Platform"/>: a value before is not known.
    /// </exception>
    public static TemplatePlan Of(
        HostSnapshot snapshot, ApplicableSetting setting, SettingValue value, string? template, string? filter, ISettingsStore? store = null)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        ArgumentNullException.ThrowIfNull(setting);
        ArgumentNullException.ThrowIfNull(value);
        if (setting.Definition.Store is not SettingStore.Template property)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage, $"{setting.Definition.Id} is not a setting of a TCP template: it takes neither --template nor --filter.");
        }

        setting.Validate(value);
        ISettingsStore values = store ?? new SnapshotStore(snapshot, "the snapshot");
        string name = property.OnlyTemplate ?? Named(snapshot.Os, setting, property, template, filter);
        List<string> notes = new();
        RequireWritable(snapshot.Os, name, property.Property, notes);
        SettingLocation location = setting.Locate(template: name);
        Change change = new()
        {
            SettingId = setting.Definition.Id,
            Scope = SettingNames.Of(setting.Definition.Scope),
            Template = name,
            Location = location,
            Before = values.Read(location),
            After = value,
            Restart = RestartNeed.NewConnections,
        };
        TemplateScope reach = new(snapshot, change);
        if (property.OnlyTemplate is not null)
        {
            if (filter is not null)
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"{setting.Definition.Id} is one switch for the whole machine: it takes no --filter.");
            }

            notes.AddRange(reach.OfSwitch(on: value.Number == 1));
            return new([change], notes);
        }

        if (filter is null)
        {
            notes.AddRange(reach.OfTemplate(name));
            return new([change], notes);
        }

        TransportFilter which = TransportFilter.Parse(filter);
        notes.AddRange(reach.OfFilter(name, which));

        // The template first: with a filter before it, connections would get the values that were there.
        return new([change with { Filter = which.ToString() }, .. Filter(snapshot.Os, name, which, values)], notes);
    }

    private static string Named(HostOs os, ApplicableSetting setting, SettingStore.Template property, string? template, string? filter)
    {
        if (template is null)
        {
            string which = filter is null ? string.Join(", ", TemplateWritability.TemplatesFor(os, property.Property)) : "InternetCustom or DatacenterCustom";
            throw new ExpectedFailureException(
                ExitCode.Usage,
                filter is null
                    ? $"{setting.Definition.Id} is a setting of each template: give --template with one of "
                        + $"{(which.Length > 0 ? which : string.Join(", ", TcpTemplates.All))}, and --filter PREFIX[:PORT] to limit it to a prefix."
                    : $"--filter needs --template with {which}: the connections to the prefix take all values of that template. Without a filter Windows "
                        + "uses Datacenter for connections with a round trip of at most 10 ms, and Internet for the rest.");
        }

        string name = TcpTemplates.Find(template)
            ?? throw new ExpectedFailureException(
                ExitCode.Usage, $"There is no TCP template '{template}'; the templates are {string.Join(", ", TcpTemplates.All)}.");
        if (filter is not null && !TcpTemplates.IsCustom(name))
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--filter needs a custom template, but {name} is not one. Give --template with InternetCustom or DatacenterCustom; the other templates "
                + "stay as they are.");
        }

        return name;
    }

    private static void RequireWritable(HostOs os, string template, string property, List<string> notes)
    {
        TemplateWritability known = TemplateWritability.Of(os, template, property);
        if (known.Writable == false)
        {
            IReadOnlyList<string> others = TemplateWritability.TemplatesFor(os, property);
            throw new ExpectedFailureException(
                ExitCode.Change,
                $"{property} of template {template} cannot be changed: {known.Because}."
                    + (others.Count == 0 ? "" : $" It can be changed in {string.Join(", ", others)}.") + " Nothing was changed.");
        }

        if (known.Confidence != SettingConfidence.High)
        {
            notes.Add(
                $"It is {(known.Writable is null ? "not known" : "not certain")} that {property} of {template} can be changed here: {known.Because}. If "
                + "Windows refuses, nothing is changed.");
        }
    }

    private static IEnumerable<Change> Filter(HostOs os, string template, TransportFilter which, ISettingsStore values)
    {
        if (os.IsServer == false)
        {
            throw new ExpectedFailureException(
                ExitCode.Change,
                $"Transport filters exist on Windows Server only, and this is {os.Product ?? "a client edition"}. Give --template without --filter. "
                + "Nothing was changed.");
        }

        SettingLocation.Filter location = new(which);
        SettingValue before = values.Read(location);
        if (before.Text is { } bound)
        {
            if (string.Equals(bound, template, StringComparison.OrdinalIgnoreCase))
            {
                yield break;
            }

            throw new ExpectedFailureException(
                ExitCode.Change,
                $"There is already a filter for {which}, bound to {bound}. A filter cannot be bound to another template. Use --template {bound}, or remove "
                + "the filter first (Remove-NetTransportFilter). Nothing was changed.");
        }

        yield return new Change
        {
            SettingId = FilterRules.SettingId,
            Scope = SettingNames.Of(SettingScope.Filter),
            Template = template,
            Filter = which.ToString(),
            Location = location,
            Before = before,
            After = SettingValue.Of(template),
            Restart = RestartNeed.NewConnections,
        };
    }
}

/// <summary>The changes that a template setting takes, and what an admin must know before they are applied.</summary>
/// <param name="Changes">The changes in the order in which they are written; undone in reverse.</param>
/// <param name="Notes">What the admin must know, a sentence or two each.</param>
internal sealed record TemplatePlan(IReadOnlyList<Change> Changes, IReadOnlyList<string> Notes);
