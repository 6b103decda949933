using System.Management;
using System.Runtime.Versioning;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Cim;

namespace LatencyTuner.Windows;

/// <summary>
/// The TCP templates and transport filters of this machine over CIM, one property or filter at a time. A refusal of Windows becomes a sentence, not a crash.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class NetTcpSettingStore(HostOs os) : ISettingsStore
{
    /// <summary>The time after which a write counts as hanging; a write is never repeated.</summary>
    private static readonly TimeSpan WriteLimit = TimeSpan.FromSeconds(30);

    public string Source => "this machine";

    public bool IsReadOnly => false;

    public SettingValue Read(SettingLocation location) => location switch
    {
        SettingLocation.Template template => TemplateRows.Read(Rows(CimClasses.Templates, location), template),
        SettingLocation.Filter filter => TemplateRows.Read(Rows(CimClasses.Filters, location), filter),
        _ => throw new ExpectedFailureException(ExitCode.Platform, $"{location} is neither a TCP template nor a transport filter."),
    };

    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value)
    {
        SettingValue actual = Read(location);
        TemplateRows.CheckWrite(location, value, actual);
        if (actual.Equals(value))
        {
            return [];
        }

        (string? written, CimFailure? failure) = CimReader.Within(WriteLimit, location.ToString()!, () =>
        {
            switch (location)
            {
                case SettingLocation.Template template:
                    Set(template, (uint)value.Number!.Value);
                    break;
                case SettingLocation.Filter filter when value.IsAbsent:
                    Remove(filter);
                    break;
                case SettingLocation.Filter filter:
                    Add(filter.Which, value.Text!);
                    break;
            }

            return "";
        });
        if (failure is not null)
        {
            throw TemplateRows.NotWritten(failure, location, os);
        }

        SettingValue readBack = Read(location);
        return readBack.Equals(value)
            ? []
            : throw new ExpectedFailureException(ExitCode.Change, $"{location} is {readBack} after {value} was written.");
    }

    public bool ContainerExists(string container) => false;

    public bool RemoveEmptyContainer(string container) => false;

    private static IReadOnlyList<CimRow> Rows(CimQuery query, SettingLocation location)
    {
        CimResult result = CimReader.Query(query);
        return result.Failure is null ? result.Rows
            : throw new ExpectedFailureException(ExitCode.Platform, $"{location} cannot be read: {result.Failure.Sentence}");
    }

    private static void Set(SettingLocation.Template location, uint value)
    {
        using ManagementObject instance = Find(CimClasses.Templates, row => TemplateRows.IsOf(row, location));
        instance[location.Property] = value;
        instance.Put(new PutOptions { Type = PutType.UpdateOnly });
    }

    private static void Remove(SettingLocation.Filter location)
    {
        using ManagementObject instance = Find(CimClasses.Filters, row => TemplateRows.IsOf(row, location));
        instance.Delete();
    }

    // Every port range is given: one that the provider fills in could not be compared with the request.
    private static void Add(TransportFilter filter, string template)
    {
        using ManagementClass owner = new(CimReader.ScopeOf(CimClasses.Filters.Namespace), new ManagementPath(CimClasses.Filters.Class), null);
        using ManagementObject instance = owner.CreateInstance();
        instance["SettingName"] = template;
        instance["Protocol"] = (ushort)(filter.Protocol == "UDP" ? 17 : 6);
        instance["DestinationPrefix"] = filter.DestinationPrefix;
        instance["LocalPortStart"] = filter.LocalPortStart;
        instance["LocalPortEnd"] = filter.LocalPortEnd;
        instance["RemotePortStart"] = filter.RemotePortStart;
        instance["RemotePortEnd"] = filter.RemotePortEnd;
        instance.Put(new PutOptions { Type = PutType.CreateOnly });
    }

    private static ManagementObject Find(CimQuery query, Func<CimRow, bool> which)
    {
        using ManagementObjectSearcher searcher = new(CimReader.ScopeOf(query.Namespace), new ObjectQuery(query.Wql));
        using ManagementObjectCollection found = searcher.Get();
        foreach (ManagementObject instance in found.Cast<ManagementObject>())
        {
            if (which(CimReader.RowOf(instance, query.Properties)))
            {
                return instance;
            }

            instance.Dispose();
        }

        throw new ManagementException($"{query.Class}: the instance no longer exists.");
    }
}
