using System.Text.Json;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning.Dsc;

/// <summary>A setting of an instance with the place where its value is stored.</summary>
/// <param name="Asked">The setting as the configuration names it.</param>
/// <param name="Setting">The setting.</param>
/// <param name="Location">The place of its value.</param>
/// <param name="Template">Name of its template; null when it belongs to none.</param>
/// <param name="Filter">The transport filter that must be bound to the template; null for none.</param>
internal sealed record DscPlace(
    DscSetting Asked, ApplicableSetting Setting, SettingLocation Location, string? Template, SettingLocation.Filter? Filter)
{
    /// <summary>Finds the place of a setting.</summary>
    /// <param name="asked">The setting as the configuration names it.</param>
    /// <param name="snapshot">The machine.</param>
    /// <exception cref="ExpectedFailureException">There is no such setting, interface, template or filter (<see cref="ExitCode.Usage"/>).</exception>
    internal static DscPlace Of(DscSetting asked, HostSnapshot snapshot)
    {
        ApplicableSetting setting = SettingsCatalogue.Current.Find(asked.Id).Applicable();
        string? template = asked.Template is not { } named ? (setting.Definition.Store as SettingStore.Template)?.OnlyTemplate
            : TcpTemplates.Find(named) ?? throw new ExpectedFailureException(
                ExitCode.Usage, $"There is no TCP template {PlannedChange.Quote(named)}; the templates are {string.Join(", ", TcpTemplates.All)}.");
        string? guid = asked.Interface is { } name ? InterfaceLookup.Find(snapshot.Interfaces, name).Guid : null;
        SettingLocation location = setting.Locate(guid, template);
        if (asked.Filter is not null && (template is null || !TcpTemplates.IsCustom(template)))
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"{asked.Id}: --filter needs --template with InternetCustom or DatacenterCustom.");
        }

        return new(asked, setting, location, template, asked.Filter is { } peers ? new(TransportFilter.Parse(peers)) : null);
    }

    /// <summary>The wanted value.</summary>
    /// <param name="exists">False when the setting may not have a value.</param>
    /// <exception cref="ExpectedFailureException">There is none, or it is not valid (<see cref="ExitCode.Usage"/>).</exception>
    internal SettingValue Wanted(bool exists)
    {
        if (exists)
        {
            return Setting.Parse(Asked.Value ?? throw new ExpectedFailureException(
                ExitCode.Usage, $"{Asked.Id} has no \"{DscNames.Value}\": give the wanted value, or \"{DscNames.Absent}\" for none."));
        }

        return Setting.Definition.Store is SettingStore.Registry ? SettingValue.Absent
            : throw new ExpectedFailureException(
                ExitCode.Usage,
                $"{Asked.Id} is a property of a TCP template, which always has a value: it cannot be deleted. Give the value that you want instead.");
    }

    /// <summary>The value that is there, and whether the filter is bound to the template.</summary>
    /// <param name="store">Holds the values.</param>
    internal (SettingValue Value, bool IsBound) Read(ISettingsStore store) => (
        store.Read(Location),
        Filter is null || string.Equals(store.Read(Filter).Text, Template, StringComparison.OrdinalIgnoreCase));

    /// <summary>Writes the setting with the value that is there; in the words of the configuration where they mean the same.</summary>
    /// <param name="json">The writer, inside the array of settings.</param>
    /// <param name="value">The value.</param>
    /// <param name="isBound">False to leave the filter out, because none is bound to the template.</param>
    internal void Write(Utf8JsonWriter json, SettingValue value, bool isBound)
    {
        json.WriteStartObject();
        json.WriteString(DscNames.Id, Setting.Definition.Id);
        WriteText(json, DscNames.Interface, Asked.Interface);
        WriteText(json, DscNames.Template, Asked.Template is null ? null : Template);
        WriteText(json, DscNames.Filter, isBound ? Asked.Filter : null);
        json.WritePropertyName(DscNames.Value);
        if (Asked.Value is { } text && IsSame(text, value))
        {
            if (Asked.IsNumber)
            {
                json.WriteRawValue(text);
            }
            else
            {
                json.WriteStringValue(text);
            }
        }
        else if (value.Kind == SettingValueKind.Dword && Setting.Definition.Allowed is not { Words.Count: > 0 })
        {
            json.WriteNumberValue(value.Number!.Value);
        }
        else
        {
            json.WriteStringValue(Word(value));
        }

        json.WriteEndObject();
    }

    /// <summary>The setting with the place it applies to, for sentences.</summary>
    internal string Name => $"{Setting.Definition.Id}{((Asked.Interface ?? Template) is { } owner ? $" of {owner}" : "")}";

    /// <summary>The value in a word.</summary>
    internal string Word(SettingValue value) => value.IsAbsent ? DscNames.Absent
        : value.Kind == SettingValueKind.Dword && Setting.Definition.Allowed is { } allowed ? allowed.NameOf(value.Number!.Value) : value.ToString();

    private bool IsSame(string text, SettingValue value)
    {
        try
        {
            return Setting.Parse(text).Equals(value);
        }
        catch (ExpectedFailureException)
        {
            return false;
        }
    }

    private static void WriteText(Utf8JsonWriter json, string name, string? text)
    {
        if (text is not null)
        {
            json.WriteString(name, text);
        }
    }
}
