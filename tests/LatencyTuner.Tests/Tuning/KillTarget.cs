using System.Runtime.CompilerServices;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Tests.Tuning;

/// <summary>What the killed process does: applies and rolls back without end. It is this assembly, told apart by its environment.</summary>
internal static class KillTarget
{
    internal const string Variable = "LATENCYTUNER_TESTS_KILL_TARGET";

    // Before Main and before the test runner: the process does nothing else.
#pragma warning disable CA2255 // The 'ModuleInitializer' attribute should not be used in libraries
    [ModuleInitializer]
#pragma warning restore CA2255
    internal static void Start()
    {
        if (Environment.GetEnvironmentVariable(Variable) is not { Length: > 0 } root)
        {
            return;
        }

        TuningContext context = Context(root);
        for (int n = 0; n < 10_000; n++)
        {
            new PlanExecutor(context).Apply(Plan(context, $"{Environment.ProcessId}-{n}"), whatIf: false);
            new Rollback(context).Run(new RollbackSelection.All(), whatIf: false, force: false);
            if (n > 0)
            {
                continue;
            }

            // Not before the first round, so that the kill meets work and not the compiler.
            Console.Out.WriteLine("ready");
            Console.Out.Flush();
        }

        Environment.Exit(0);
    }

    internal static TuningContext Context(string root) => new()
    {
        Store = new FileStore(root),
        Folder = new DiskJournalFolder(Path.Combine(root, "journal")),
        Rules = Bench.Rules,
        Machine = Bench.Here,
        Clock = TimeProvider.System,
        MissingPrivilege = () => null,
    };

    internal static ChangePlan Plan(TuningContext context, string batch)
    {
        SettingValue[] after = [
            SettingValue.Dword(7), SettingValue.Of("x"), SettingValue.Multi(["a", "b"]), SettingValue.Binary([1, 2, 3]), SettingValue.Of("y")];
        return Bench.Plan(batch, [.. after.Select((value, i) => new Change
        {
            SettingId = $"setting.{i}",
            Scope = "machine",
            Location = Bench.Places[i],
            Before = context.Store.Read(Bench.Places[i]),
            After = value,
        })]);
    }
}
