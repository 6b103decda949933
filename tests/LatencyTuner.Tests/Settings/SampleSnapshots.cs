using System.Runtime.CompilerServices;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Tests.Settings;

/// <summary>Snapshots made by hand after published dumps: a Hyper-V host with a team, and a desktop that a script has tuned.</summary>
internal static class SampleSnapshots
{
    internal const string Team = "{5f2c7a10-8b3e-4d66-9c1f-2a7b90e4d301}";
    internal const string TeamMember = "{0c9d4e21-17aa-4b0b-8f5d-61b2c3d4e5f6}";
    internal const string VSwitchBound = "{2e9f6a43-39cc-4d2d-af7f-83d4e5f60718}";

    internal static HostSnapshot Server2022 { get; } = Read("server2022.json");

    internal static HostSnapshot Win11 { get; } = Read("win11.json");

    internal static SettingsReport List { get; } =
        SettingsReportBuilder.From(SettingsCatalogue.Current, Server2022, "server2022.json", WorkloadProfile.LowLatency);

    internal static SettingsReport Explain { get; } = SettingsReportBuilder.From(
        SettingsCatalogue.Current, Server2022, "server2022.json", WorkloadProfile.LowLatency, SettingsCatalogue.Current.Find("tcp.ackfrequency"),
        explain: true);

    internal static SettingsReport Myth { get; } = SettingsReportBuilder.From(
        SettingsCatalogue.Current, Win11, "win11.json", WorkloadProfile.Balanced, SettingsCatalogue.Current.Find("tcp.nodelay.interface"), explain: true);

    internal static SnapshotComparisonReport Comparison { get; } = SnapshotComparisons.From("before.json", Server2022, "after.json", Changed());

    internal static HostSnapshot Changed() => Server2022 with
    {
        Os = Server2022.Os with { Revision = 2966 },
        Values =
        [
            .. Server2022.Values.Select(v => v switch
            {
                { Id: "tcp.ackfrequency", Interface: Team } => v with { Absent = true, Type = null, Data = [] },
                { Id: "template.cwndrestart", Template: "Datacenter" } => v with { Data = ["1"] },
                _ => v,
            }),
        ],
    };

    /// <summary>The server without what was set by hand.</summary>
    internal static HostSnapshot Untouched() => Server2022 with
    {
        Values =
        [
            .. Server2022.Values.Select(v => v.Id is "tcp.ackfrequency" or "tcp.nodelay.interface" or "legacy.tcptimedwaitdelay"
                ? v with { Absent = true, Type = null, Data = [] } : v),
        ],
    };

    internal static string PathOf(string name) => Path.Combine(Folder(), "Samples", name);

    internal static HostSnapshot Read(string name) => ReportJson.Read<HostSnapshot>(File.ReadAllBytes(PathOf(name)), name);

    private static string Folder([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;
}
