using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Tests.Tuning;

/// <summary>A machine in memory with its journal.</summary>
public sealed class Bench
{
    internal const string Interfaces = @"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\{4f2c0001}";
    internal const string Missing = @"HKLM\SYSTEM\CurrentControlSet\Services\Missing\Deep";

    internal static readonly MachineIdentity Here = new("6e4f", "SRV01");

    /// <summary>Every type, absence, a template, a filter, and two places in a key that is not there.</summary>
    internal static readonly SettingLocation[] Places =
    [
        new SettingLocation.Registry(Interfaces, "TcpAckFrequency"),
        new SettingLocation.Registry(Interfaces, "TcpDelAckTicks"),
        new SettingLocation.Registry(Missing, "A"),
        new SettingLocation.Registry(Missing, "B"),
        new SettingLocation.Registry(@"HKLM\SYSTEM\CurrentControlSet\Services\Missing", "C"),
        new SettingLocation.Template("InternetCustom", "DelayedAckFrequency"),
        new SettingLocation.Filter(TransportFilter.Parse("10.1.0.0/16:1433")),
    ];

    internal static readonly SettingValue[] Samples =
    [
        SettingValue.Absent, SettingValue.Dword(1), SettingValue.Dword(uint.MaxValue), SettingValue.Qword(ulong.MaxValue), SettingValue.Of("1"),
        SettingValue.Of("lone \ud800 \"\\\r\n"),
        SettingValue.Expand("%SystemRoot%\\x"), SettingValue.Multi(["a", "b ü"]), SettingValue.Multi([]), SettingValue.Binary([0, 255, 10]),
        SettingValue.Binary([]), SettingValue.Other(8, [1, 2, 3]),
    ];

    internal Bench(int seed = 1)
    {
        Store = new MemoryStore(Faults);
        Folder = new MemoryFolder(Faults, seed);
        Store.Put(Places[0], SettingValue.Dword(2));
        Store.Put(new SettingLocation.Registry(@"HKLM\SYSTEM\CurrentControlSet\Services\Other", "Left"), SettingValue.Of("alone"));
    }

    internal Faults Faults { get; } = new();

    internal MemoryStore Store { get; }

    internal MemoryFolder Folder { get; }

    internal FixedClock Clock { get; } = new();

    internal uint? BootId { get; init; }

    internal string? MissingPrivilege { get; set; }

    internal TuningContext Context => new()
    {
        Store = Store,
        Folder = Folder,
        Rules = Rules,
        Machine = Here,
        BootId = BootId,
        Clock = Clock,
        MissingPrivilege = () => MissingPrivilege,
    };

    internal static ChangeRules Rules { get; } = new(
        c => c.SettingId.StartsWith("setting.", StringComparison.Ordinal) ? null : $"there is no setting '{c.SettingId}'.",
        (place, _) => Places.Contains(place));

    internal static ChangePlan Plan(string batch, params Change[] changes) => new()
    {
        Batch = batch,
        Machine = Here,
        CreatedUtc = FixedClock.Start,
        Operator = @"CORP\anna",
        Changes = changes,
    };

    internal Change Change(int place, SettingValue after) => new()
    {
        SettingId = $"setting.{place}",
        Scope = place switch { 5 => "template", 6 => "filter", _ => "interface" },
        Interface = place < 2 ? "Ethernet 2" : null,
        Template = place == 5 ? "InternetCustom" : null,
        Location = Places[place],
        Before = Store.Values.GetValueOrDefault(Places[place], SettingValue.Absent),
        After = after,
        Restart = place >= 5 ? RestartNeed.NewConnections : RestartNeed.Adapter,
    };

    internal TuningResult Apply(ChangePlan plan, bool whatIf = false) => new PlanExecutor(Context).Apply(plan, whatIf);

    internal TuningResult RollBack(RollbackSelection selection, bool force = false, bool whatIf = false, bool untilDamage = false) =>
        new Rollback(Context).Run(selection, whatIf, force, untilDamage);

    /// <summary>The dead process is replaced by a new one.</summary>
    internal void Restart()
    {
        Faults.Restart();
        Folder.Unlock();
    }
}
