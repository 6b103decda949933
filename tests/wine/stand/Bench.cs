using System.Runtime.Versioning;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Wine;

/// <summary>A plan over every type, absence, a value that goes and keys that are not there, with rules that allow just that.</summary>
[SupportedOSPlatform("windows")]
internal sealed class Bench
{
    /// <summary>Of a key per process that kills, handed on to the processes it starts: so several can go on beside each other.</summary>
    public static readonly string Root = @"HKLM\SOFTWARE\LatencyTunerWine" + Environment.GetEnvironmentVariable("LATENCYTUNER_STAND");

    private static readonly string Kept = Root + @"\Kept";
    private static readonly string Made = Root + @"\Made\Deep";

    private static readonly MachineIdentity Here = new("wine", "WINE");

    /// <summary>Wine makes the key volatile, as Windows does, and below such a key none that stays can be made: a real failure of a real call.</summary>
    private static readonly SettingLocation.Registry Refused = new(@"HKLM\HARDWARE\LatencyTunerWine\Sub", "Value");

    private static readonly (SettingLocation.Registry Place, SettingValue After)[] Wanted =
    [
        (new(Kept, "Dword"), SettingValue.Dword(uint.MaxValue)), (new(Kept, "Qword"), SettingValue.Qword(ulong.MaxValue)),
        (new(Kept, "Text"), SettingValue.Of("a\u00fc")),
        (new(Kept, "Expand"), SettingValue.Expand("%SystemRoot%\\x")), (new(Kept, "Multi"), SettingValue.Multi(["x", "\u00fc", "bc"])),
        (new(Kept, "Binary"), SettingValue.Binary([0, 255, 10])),
        (new(Kept, "None"), SettingValue.Dword(1)), (new(Kept, "Goes"), SettingValue.Absent), (new(Kept, "Comes"), SettingValue.Dword(1)),
        (new(Made, "A"), SettingValue.Of("x")), (new(Made, "B"), SettingValue.Multi([])), (new(Root + @"\Made", "C"), SettingValue.Binary([])),
    ];

    private readonly TuningContext _context;

    public Bench(string folder, Steps steps) => _context = new TuningContext
    {
        Store = new SteppedStore(steps),
        Folder = new SteppedFolder(steps, folder),
        Rules = new(
            _ => null,
            (place, _) => place is SettingLocation.Registry registry && (registry.Key.StartsWith(Root, StringComparison.Ordinal) || place == Refused)),
        Machine = Here,
        Clock = TimeProvider.System,
        MissingPrivilege = () => null,
    };

    public TuningResult Apply(string batch, bool refused) =>
        new PlanExecutor(_context).Apply(Plan(batch, refused ? [.. Wanted, (Refused, SettingValue.Dword(1))] : Wanted), whatIf: false);

    public TuningResult RollBack(bool force = false) => new Rollback(_context).Run(new RollbackSelection.All(), whatIf: false, force);

    public TuningResult Verify() => new Verification(_context).Verify(null, new RestartTimes(null, _ => null));

    public JournalContents Journal() => Core.Tuning.Journal.Read(_context.Folder);

    private ChangePlan Plan(string batch, (SettingLocation.Registry Place, SettingValue After)[] wanted) => new()
    {
        Batch = batch,
        Machine = Here,
        CreatedUtc = TimeProvider.System.GetUtcNow(),
        Operator = "wine",
        Changes =
        [
            .. wanted.Select((w, i) => new Change
            {
                SettingId = $"wine.{i}",
                Scope = "machine",
                Location = w.Place,
                Before = _context.Store.Read(w.Place),
                After = w.After,
            }),
        ],
    };
}
