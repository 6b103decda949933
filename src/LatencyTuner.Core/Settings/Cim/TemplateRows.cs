using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings.Cim;

/// <summary>Single values of templates and filters from the answers of CIM, and the sentences for those that cannot be read or written.</summary>
public static class TemplateRows
{
    /// <summary>The value of a property of a template. A template always has one: it is never absent.</summary>
    /// <param name="templates">Instances of MSFT_NetTCPSetting.</param>
    /// <param name="location">The template and the property to read.</param>
    /// <exception cref="ExpectedFailureException">This Windows does not have the template or the property (<see cref="ExitCode.Platform"/>).</exception>
    public static SettingValue Read(IReadOnlyList<CimRow> templates, SettingLocation.Template location)
    {
        ArgumentNullException.ThrowIfNull(templates);
        ArgumentNullException.ThrowIfNull(location);
        if (templates.FirstOrDefault(r => IsOf(r, location)) is not { } row)
        {
            List<string> names = templates.Select(r => r.Text("SettingName")).OfType<string>().ToList();
            throw new ExpectedFailureException(
                ExitCode.Platform,
                $"{location} cannot be read: this Windows has no template '{location.TemplateName}'"
                    + (names.Count == 0 ? "." : $"; it has {string.Join(", ", names)}."));
        }

        return row.Number(location.Property) is { } number and <= uint.MaxValue
            ? SettingValue.Dword((uint)number)
            : throw new ExpectedFailureException(ExitCode.Platform, $"{location} cannot be read: this Windows gives no value for it.");
    }

    /// <summary>The template that a filter binds to; absent when the filter does not exist.</summary>
    /// <param name="filters">Instances of MSFT_NetTransportFilter.</param>
    /// <param name="location">The filter to look up.</param>
    /// <exception cref="ExpectedFailureException">The filter names no template (<see cref="ExitCode.Platform"/>).</exception>
    public static SettingValue Read(IReadOnlyList<CimRow> filters, SettingLocation.Filter location)
    {
        ArgumentNullException.ThrowIfNull(filters);
        ArgumentNullException.ThrowIfNull(location);
        if (filters.FirstOrDefault(r => IsOf(r, location)) is not { } row)
        {
            return SettingValue.Absent;
        }

        return row.Text("SettingName") is { } template
            ? SettingValue.Of(template)
            : throw new ExpectedFailureException(ExitCode.Platform, $"{location} cannot be read: CIM gives no template for it.");
    }

    /// <summary>True when an instance is the template of a place.</summary>
    /// <param name="row">An instance of MSFT_NetTCPSetting.</param>
    /// <param name="location">The place to compare with.</param>
    public static bool IsOf(CimRow row, SettingLocation.Template location)
    {
        ArgumentNullException.ThrowIfNull(row);
        ArgumentNullException.ThrowIfNull(location);
        return row.Text("SettingName") is { } name && AdapterRows.Same(name, location.TemplateName);
    }

    /// <summary>True when an instance is the filter of a place.</summary>
    /// <param name="row">An instance of MSFT_NetTransportFilter.</param>
    /// <param name="location">The place to compare with.</param>
    public static bool IsOf(CimRow row, SettingLocation.Filter location)
    {
        ArgumentNullException.ThrowIfNull(row);
        return LocationComparer.Instance.Equals(new SettingLocation.Filter(CimValues.FilterOf(row)), location);
    }

    /// <summary>Checks what is to be written before CIM is asked.</summary>
    /// <param name="location">The property or filter.</param>
    /// <param name="value">The value to write; absent removes a filter.</param>
    /// <param name="actual">The present value.</param>
    /// <exception cref="ExpectedFailureException">It cannot be written (<see cref="ExitCode.Change"/>).</exception>
    public static void CheckWrite(SettingLocation location, SettingValue value, SettingValue actual)
    {
        ArgumentNullException.ThrowIfNull(value);
        ArgumentNullException.ThrowIfNull(actual);
        string? problem = location switch
        {
            SettingLocation.Template when value.Number is not { } number || number > uint.MaxValue =>
                value.IsAbsent ? "cannot be deleted: a template always has a value" : $"takes a number, not {value}",
            SettingLocation.Filter when !value.IsAbsent && (value.Text is not { } text || TcpTemplates.Find(text) is null) =>
                $"takes the name of a template, not {value}",
            SettingLocation.Filter when !value.IsAbsent && !actual.IsAbsent && !actual.Equals(value) =>
                $"is already bound to {actual.Text}. A filter cannot be bound to another template: remove it (Remove-NetTransportFilter) and create it again",
            SettingLocation.Template or SettingLocation.Filter => null,
            _ => "is neither a template nor a filter",
        };
        if (problem is not null)
        {
            throw new ExpectedFailureException(ExitCode.Change, $"{location} {problem}.");
        }
    }

    /// <summary>The failure of a write.</summary>
    /// <param name="failure">The failure that CIM reported.</param>
    /// <param name="location">The property or filter.</param>
    /// <param name="os">This Windows version, which decides what the sentence offers instead.</param>
    public static ExpectedFailureException NotWritten(CimFailure failure, SettingLocation location, HostOs os)
    {
        ArgumentNullException.ThrowIfNull(failure);
        ArgumentNullException.ThrowIfNull(location);
        ArgumentNullException.ThrowIfNull(os);
        string sentence = (failure.Reason, location) switch
        {
            (CimFailureReason.ReadOnly, SettingLocation.Template template) =>
                $"This Windows does not allow changing {template.Property} of template {template.TemplateName} ({Only(os, template)}): {failure.Sentence}",
            (CimFailureReason.ReadOnly or CimFailureReason.NoSuchClass, SettingLocation.Filter filter) =>
                $"This Windows does not accept the transport filter {filter.Which}: client editions allow none. {failure.Sentence}",
            (CimFailureReason.TimedOut, _) =>
                $"{location}: {failure.Sentence} It is unknown whether it was written: check it before you change anything else.",
            (CimFailureReason.Denied, _) => $"{location} cannot be written: {SnapshotValue.AccessDenied}. Run the command as administrator.",
            _ => $"{location} cannot be written: {failure.Sentence}",
        };
        return new(ExitCode.Change, sentence);
    }

    private static string Only(HostOs os, SettingLocation.Template location)
    {
        List<string> others = TemplateWritability.TemplatesFor(os, location.Property).Where(t => !AdapterRows.Same(t, location.TemplateName)).ToList();
        return others.Count == 0 ? "as far as is known, in no template" : $"as far as is known, only in {string.Join(", ", others)}";
    }
}
