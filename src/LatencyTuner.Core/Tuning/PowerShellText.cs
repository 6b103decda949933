using System.Globalization;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>Writes of values as PowerShell, for an admin who deploys by other means. Works in Windows PowerShell 5.1 and later.</summary>
internal static class PowerShellText
{
    // Parameters of Set-NetTCPSetting whose names differ from those of the properties, learn.microsoft.com.
    private static readonly Dictionary<string, string> Parameters = new(StringComparer.OrdinalIgnoreCase)
    {
        ["DelayedAckTimeout"] = "DelayedAckTimeoutMs",
        ["MinRto"] = "MinRtoMs",
        ["InitialRto"] = "InitialRtoMs",
        ["InitialCongestionWindow"] = "InitialCongestionWindowMss",
    };

    /// <summary>The commands that make one value as given.</summary>
    /// <param name="location">The place of the value.</param>
    /// <param name="value">The value to write; absent removes it.</param>
    /// <returns>One command per element.</returns>
    public static IReadOnlyList<string> Lines(SettingLocation location, SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(location);
        ArgumentNullException.ThrowIfNull(value);
        return location switch
        {
            SettingLocation.Registry registry => Registry(registry, value),
            SettingLocation.Template template => [Template(template, value)],
            SettingLocation.Filter filter => [Filter(filter.Which, value)],
            _ => throw new ArgumentException($"{location.GetType().Name} is not a place.", nameof(location)),
        };
    }

    private static string[] Registry(SettingLocation.Registry location, SettingValue value)
    {
        string path = Quoted(@"Registry::HKEY_LOCAL_MACHINE" + location.Key[4..]);
        string name = Quoted(location.Value.Length == 0 ? "(default)" : location.Value);
        if (value.IsAbsent)
        {
            // Only a value that is not there is passed over: a refused access must be seen.
            return
            [
                $"if ((Test-Path -LiteralPath {path}) -and (Get-Item -LiteralPath {path}).Property -contains {name}) "
                    + $"{{ Remove-ItemProperty -LiteralPath {path} -Name {name} }}",
            ];
        }

        if (value.Kind == SettingValueKind.Other)
        {
            return [$"# {location}: PowerShell cannot write {StoredValue.TypeName(value)}; import the .reg text instead."];
        }

        (string? type, string? literal) = Literal(value);
        return
        [
            // New-Item -Force would empty a key that exists.
            $"if (-not (Test-Path -LiteralPath {path})) {{ New-Item -Path {path} -Force | Out-Null }}",
            $"New-ItemProperty -LiteralPath {path} -Name {name} -PropertyType {type} -Value {literal} -Force | Out-Null",
        ];
    }

    private static string Template(SettingLocation.Template location, SettingValue value) =>
        value.IsAbsent || location.Property.Length == 0 || !location.Property.All(char.IsAsciiLetterOrDigit)
            ? $"# {Quoted(location.ToString())} cannot be removed, only set."
            : $"Set-NetTCPSetting -SettingName {Quoted(location.TemplateName)} -{Parameters.GetValueOrDefault(location.Property, location.Property)} "
                + $"{Literal(value).Text}";

    private static string Filter(TransportFilter filter, SettingValue value)
    {
        string ports =
            $"-LocalPortStart {filter.LocalPortStart} -LocalPortEnd {filter.LocalPortEnd} -RemotePortStart {filter.RemotePortStart} -RemotePortEnd "
            + $"{filter.RemotePortEnd}";
        string which = $"-Protocol {filter.Protocol} -DestinationPrefix {Quoted(filter.DestinationPrefix)} {ports}";
        return value switch
        {
            { IsAbsent: true } => $"Get-NetTransportFilter {which} | Remove-NetTransportFilter -Confirm:$false",
            { Text: { } template } => $"New-NetTransportFilter -SettingName {Quoted(template)} {which} | Out-Null",
            _ => $"# {Quoted(filter.ToString())} takes the name of a template, not {value}.",
        };
    }

    // A DWORD is an Int32 to .NET, a QWORD an Int64: the upper half is written as the negative number of the same bits.
    private static (string Type, string Text) Literal(SettingValue value) => value.Kind switch
    {
        SettingValueKind.Dword => ("DWord", Number(unchecked((int)value.Number!.Value))),
        SettingValueKind.Qword => ("QWord", Number(unchecked((long)value.Number!.Value))),
        SettingValueKind.Text => ("String", Quoted(value.Text!)),
        SettingValueKind.ExpandText => ("ExpandString", Quoted(value.Text!)),
        SettingValueKind.MultiText => ("MultiString", $"([string[]]@({string.Join(", ", value.Texts!.Select(Quoted))}))"),
        _ => ("Binary", "([byte[]]@(" + string.Join(", ", value.Bytes.ToArray().Select(b => $"0x{b:x2}")) + "))"),
    };

    private static string Number(long value) => value < 0 ? $"({value})" : value.ToString(CultureInfo.InvariantCulture);

    /// <summary>A text as PowerShell takes it literally. The typographic single quotes count as the plain one.</summary>
    /// <param name="text">The text.</param>
    internal static string Quoted(string text) =>
        Quoting.ForPowerShell(text);
}
