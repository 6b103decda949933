using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

/// <summary>Two hosts built alike have other GUIDs: what their adapters are there for says which are compared.</summary>
public sealed class AdapterPairings
{
    [Fact]
    public void From_AHostWithOtherGuids_DiffersInNoSetting()
    {
        SnapshotComparisonReport report = SnapshotComparisons.From("a", SampleSnapshots.Server2022, "b", WithOtherGuids(SampleSnapshots.Server2022));

        Assert.Equal([], report.Changes.Select(c => $"{c.What} {c.Path}: {c.Before} -> {c.After}"));
        Assert.NotEmpty(report.Notes);
    }

    [Fact]
    public void From_AHostWithOtherGuids_TellsTheOneValueThatDiffers()
    {
        SnapshotComparisonReport report = SnapshotComparisons.From("a", SampleSnapshots.Server2022, "b", WithOtherGuids(SampleSnapshots.Changed()));

        SnapshotChange first = report.Changes[0];
        Assert.Equal(("tcp.ackfrequency", "Team1", "REG_DWORD 1", "absent"), (first.Id, first.Interface, first.Before, first.After));
        Assert.Contains(SampleSnapshots.Team, first.Path, StringComparison.OrdinalIgnoreCase);
        Assert.Equal(3, report.Changes.Count);
    }

    /// <summary>Two adapters that could each be the counterpart: neither is, because a wrong pair shows differences that are none.</summary>
    [Fact]
    public void Pairs_LeaveOutWhatIsAmbiguous()
    {
        static HostSnapshot Host(params NetworkInterface[] adapters) => SampleSnapshots.Server2022 with { Interfaces = adapters, Values = [] };
        static NetworkInterface Card(string guid, string alias) => new() { Guid = guid, Alias = alias, Media = "802.3" };

        AdapterPairing two = new(Host(Card("{1}", "Ethernet")), Host(Card("{2}", "LAN"), Card("{3}", "Backup")));
        AdapterPairing one = new(Host(Card("{1}", "Ethernet")), Host(Card("{2}", "LAN")));
        AdapterPairing named = new(Host(Card("{1}", "Ethernet"), Card("{4}", "LAN")), Host(Card("{2}", "lan"), Card("{3}", "Backup")));

        Assert.Empty(two.Pairs);
        Assert.Equal(("{1}", "{2}"), (Assert.Single(one.Pairs).A.Guid, one.Pairs[0].B.Guid));
        Assert.Equal([("{4}", "{2}"), ("{1}", "{3}")], named.Pairs.Select(p => (p.A.Guid, p.B.Guid)));
    }

    private static HostSnapshot WithOtherGuids(HostSnapshot host)
    {
        Dictionary<string, string> other = host.Interfaces.Select(i => i.Guid).Concat(host.Values.Select(v => v.Interface).OfType<string>())
            .Distinct(StringComparer.OrdinalIgnoreCase)
            .Select((guid, at) => (guid, at))
            .ToDictionary(p => p.guid, p => $"{{aaaaaaaa-0000-0000-0000-{p.at:d12}}}", StringComparer.OrdinalIgnoreCase);
        return host with
        {
            Interfaces = [.. host.Interfaces.Select(i => i with { Guid = other[i.Guid] })],
            Values =
            [
                .. host.Values.Select(v => v.Interface is { } guid
                    ? v with { Interface = other[guid], Path = v.Path.Replace(guid, other[guid], StringComparison.OrdinalIgnoreCase) } : v),
            ],
        };
    }
}
