using System.Globalization;

namespace LatencyTuner.Core.Settings;

/// <summary>
/// A setting that this program can change and restore exactly. Only a <see cref="SettingAction.CanApply"/> setting in the registry
/// or in a TCP template becomes one, so that a plan cannot hold a change of anything else.
/// </summary>
public sealed class ApplicableSetting
{
    private ApplicableSetting(SettingDefinition definition) => Definition = definition;

    /// <summary>The entry of the catalogue.</summary>
    public SettingDefinition Definition { get; }

    /// <summary>The setting as one that can be changed; null when this program does not change it.</summary>
    /// <param name="definition">The entry of the catalogue.</param>
    public static ApplicableSetting? TryFrom(SettingDefinition definition)
    {
        ArgumentNullException.ThrowIfNull(definition);
        return definition.Action == SettingAction.CanApply && definition.Store is SettingStore.Registry { Values.Count: 1 } or SettingStore.Template
            ? new ApplicableSetting(definition)
            : null;
    }

    /// <summary>The place where its value is stored.</summary>
    /// <param name="interfaceGuid">GUID with braces, for a setting of an interface; otherwise null.</param>
    /// <param name="template">Name of the template, for a setting of a template; otherwise null.</param>
    /// <exception cref="ExpectedFailureException">Interface or template are missing or do not belong here (<see cref="ExitCode.Usage"/>).</exception>
    public SettingLocation Locate(string? interfaceGuid = null, string? template = null)
    {
        switch (Definition.Store)
        {
            case SettingStore.Registry { IsPerInterface: true } registry when interfaceGuid is not null && template is null:
                if (!Guid.TryParseExact(interfaceGuid, "B", out _))
                {
                    throw new ExpectedFailureException(
                        ExitCode.Usage, $"'{interfaceGuid}' is not an interface GUID such as {{6c1e5b0a-0000-0000-0000-000000000000}}.");
                }

                return new SettingLocation.Registry(
                    registry.Key.Replace(SettingStore.InterfaceGuid, interfaceGuid, StringComparison.Ordinal), registry.Values[0]);
            case SettingStore.Registry { IsPerInterface: false } registry when interfaceGuid is null && template is null:
                return new SettingLocation.Registry(registry.Key, registry.Values[0]);
            case SettingStore.Template property when interfaceGuid is null && (template ?? property.OnlyTemplate) is { } name
                && (property.OnlyTemplate is null || property.OnlyTemplate == name):
                return new SettingLocation.Template(name, property.Property);
            default:
                string wanted = Definition.Scope switch
                {
                    SettingScope.Interface => "needs --interface and no --template",
                    SettingScope.Template => "needs --template and no --interface",
                    _ => "is one value for the whole machine: it takes neither --interface nor --template",
                };
                throw new ExpectedFailureException(ExitCode.Usage, $"{Definition.Id} {wanted}.");
        }
    }

    /// <summary>A value from the command line: a number (decimal or 0x), a word of the property, or <c>absent</c>.</summary>
    /// <param name="text">The value as the user wrote it.</param>
    /// <exception cref="ExpectedFailureException">It is not valid here (<see cref="ExitCode.Usage"/>); the sentence lists the valid values.</exception>
    public SettingValue Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (text == "absent" && Definition.Store is SettingStore.Registry)
        {
            return SettingValue.Absent;
        }

        ulong? words = Definition.Allowed?.Words.Where(w => string.Equals(w.Key, text, StringComparison.OrdinalIgnoreCase)).Select(w => (ulong?)w.Value)
            .FirstOrDefault();
        ulong number = 0;
        bool isNumber = words is not null
            || (text.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
                ? ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number)
                : ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number));
        number = words ?? number;
        if (!isNumber || number > uint.MaxValue)
        {
            throw Invalid(text);
        }

        SettingValue value = SettingValue.Dword((uint)number);
        Validate(value);
        return value;
    }

    /// <summary>Checks type and range of a value that is to be written.</summary>
    /// <param name="value">The value to write; absent deletes it.</param>
    /// <exception cref="ExpectedFailureException">It is not valid here (<see cref="ExitCode.Usage"/>).</exception>
    public void Validate(SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(value);
        bool absent = value.IsAbsent && Definition.Store is SettingStore.Registry;
        bool typed = value.Kind == SettingValueKind.Dword && (Definition.Allowed is null || Definition.Allowed.Allows(value.Number!.Value));
        if (!absent && !typed)
        {
            throw Invalid(value.ToString());
        }
    }

    private ExpectedFailureException Invalid(string text)
    {
        string allowed = Definition.Allowed?.ToString() ?? Definition.Range;
        string absent = Definition.Store is SettingStore.Registry ? ", or absent" : "";
        return new(ExitCode.Usage, $"'{text}' is not a value of {Definition.Id}; valid are {allowed}{absent}.");
    }
}
