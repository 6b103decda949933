using System.Text;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Settings;

namespace LatencyTuner.Tests.Commands;

/// <summary>A machine whose registry is in memory and whose journal is in a real folder, for the commands that change settings.</summary>
internal sealed class TunedMachine : IDisposable
{
    internal const string Team = SampleSnapshots.Team;
    internal const string Interfaces = SnapshotBuilding.TcpipInterfaces;

    internal static readonly SettingLocation.Registry Frequency = new($@"{Interfaces}\{Team}", "TcpAckFrequency");
    internal static readonly SettingLocation.Registry Ticks = new($@"{Interfaces}\{Team}", "TcpDelAckTicks");

    public TunedMachine()
    {
        Store.Write(Frequency, SettingValue.Dword(2));
        Store.Write(new SettingLocation.Registry(Frequency.Key, "Other"), SettingValue.Of("alone"));
        SnapshotStore known = new(SampleSnapshots.Server2022, "server2022.json");
        foreach (SettingLocation place in SampleSnapshots.Server2022.Values.Where(v => v.Store == "template").Select(v => SnapshotStore.LocationOf(v)!))
        {
            Templates.Write(place, known.Read(place));
        }

        Journal = new DiskJournalFolder(Files["LatencyTuner"]);
        Snapshot = SampleSnapshots.Server2022 with { VirtualMachine = true, Hypervisor = "Hyper-V", BootUtc = DateTimeOffset.UtcNow.AddDays(-3) };
    }

    internal TempFolder Files { get; } = new();

    internal MemorySettingsStore Store { get; } = new();

    /// <summary>The TCP templates and transport filters.</summary>
    internal MemorySettingsStore Templates { get; } = new();

    internal IJournalFolder Journal { get; set; }

    internal HostSnapshot Snapshot { get; set; }

    internal string MachineId { get; set; } = "6e4f";

    internal string? MissingPrivilege { get; set; }

    internal List<BatchEvent> Events { get; } = [];

    internal string? EventLogMissing { get; set; }

    /// <summary>Everything the registry and the templates hold, keys included.</summary>
    internal string Dump =>
        string.Join('\n', Store.Values.Concat(Templates.Values).Select(v => $"{v.Key} = {v.Value.Kind} {v.Value}").Concat(Store.Containers));

    internal CliRun Run(params string[] args) => Run(null, null, args);

    /// <summary>A run as DSC makes it: with standard input, or a terminal that nobody types into, and the level of its trace.</summary>
    internal CliRun Run(string? input, string? level, string[] args) => CliRun.On(
        (output, error) => new CliHost
        {
            Out = output,
            Error = error,
            InputIsTerminal = input is null,
            OpenInput = () => new MemoryStream(Encoding.UTF8.GetBytes(input ?? throw new InvalidOperationException("Nobody types."))),
            DscTraceLevel = level,
            LiveSnapshot = () => Snapshot,
            LiveTuning = () => new LiveTuning
            {
                Store = new MachineSettingsStore(Store, Templates),
                Folder = Journal,
                Machine = new MachineIdentity(MachineId, Snapshot.Machine!),
                Operator = @"CORP\anna",
                MissingPrivilege = () => MissingPrivilege,
                Snapshot = () => Snapshot,
                Report = entry =>
                {
                    Events.Add(entry);
                    return EventLogMissing;
                },
            },
        },
        CancellationToken.None,
        args);

    public void Dispose() => Files.Dispose();
}
