using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class Kills
{
    /// <summary>Dies at every step of an apply, then at every step of the rollback after it: every value, type, absence and key is restored.</summary>
    [Fact]
    public void RollBack_RestoresExactlyAfterDeathAtAnyStep()
    {
        // The seed decides how many bytes of an interrupted append reach the disk.
        int kills = 0;
        for (int seed = 0; seed < 3; seed++)
        {
            kills += KillEverywhere(seed, _ => { }, b => b.Apply(Bench.Plan("b1", Six(b))));
            kills += KillEverywhere(
                seed,
                b =>
                {
                    b.Apply(Bench.Plan("b1", Six(b)));
                    b.Apply(Bench.Plan("b2", b.Change(0, SettingValue.Multi(["x"])), b.Change(3, SettingValue.Absent)));
                },
                b => b.RollBack(new RollbackSelection.All()));
        }

        Assert.InRange(kills, 400, int.MaxValue);
    }

    /// <summary>Dies at every step while it puts a failed batch back.</summary>
    [Fact]
    public void RollBack_RestoresExactlyAfterDeathWhilePuttingBack()
    {
        Bench steps = new();
        steps.Apply(Bench.Plan("b1", Six(steps)));
        int kills = 0;
        for (int fail = 0; fail < steps.Faults.Steps; fail += 3)
        {
            for (int k = fail + 1; k < steps.Faults.Steps + 40; k += 5)
            {
                Bench bench = new(k);
                string before = bench.Store.Dump();
                (bench.Faults.FailAt, bench.Faults.KillAt) = (fail, k);
                if (!Dies(() => Expected(() => bench.Apply(Bench.Plan("b1", Six(bench))))))
                {
                    break;
                }

                kills++;
                bench.Restart();
                AssertRestores(bench, before);
            }
        }

        Assert.InRange(kills, 100, int.MaxValue);
    }

    /// <summary>A single failure (access denied, disk full) at any step leaves everything as it was, or says that it does not.</summary>
    [Fact]
    public void Apply_PutsBackAfterAFailureAtAnyStep()
    {
        for (int k = 0; ; k++)
        {
            Bench bench = new(k);
            string before = bench.Store.Dump();
            bench.Faults.FailAt = k;
            TuningResult? result = null;
            string? refused = Expected(() => result = bench.Apply(Bench.Plan("b1", Six(bench))));
            if (bench.Faults.Steps <= k)
            {
                break;
            }

            if (result?.Outcome == TuningOutcome.Done)
            {
                continue;
            }

            Assert.True(
                refused is null ? result!.Outcome == TuningOutcome.RolledBack
                    : refused.Contains("Nothing was changed", StringComparison.Ordinal) || refused == "Access is denied."
                        || refused.Contains("disk", StringComparison.Ordinal), refused ?? result!.Text);
            Assert.Equal(before, bench.Store.Dump());
            Assert.True(Journal.Read(bench.Folder).Tail != JournalTail.Damaged);
            bench.Restart();
            if (Journal.Read(bench.Folder).Interrupted is not null)
            {
                bench.RollBack(new RollbackSelection.Interrupted());
            }

            Assert.Equal(TuningOutcome.Done, bench.Apply(Bench.Plan("b2", Six(bench))).Outcome);
        }
    }

    internal static Change[] Six(Bench bench) =>
    [
        bench.Change(0, SettingValue.Dword(1)), bench.Change(1, SettingValue.Qword(5)), bench.Change(2, SettingValue.Multi(["a", "b"])),
        bench.Change(3, SettingValue.Binary([1, 2])), bench.Change(4, SettingValue.Of("x")), bench.Change(5, SettingValue.Dword(1)),
    ];

    private static int KillEverywhere(int seed, Action<Bench> prepare, Action<Bench> act)
    {
        for (int k = 0; ; k++)
        {
            Bench bench = new((1000 * seed) + k);
            string before = bench.Store.Dump();
            prepare(bench);
            bench.Restart();
            bench.Faults.KillAt = k;
            if (!Dies(() => act(bench)))
            {
                return k;
            }

            bench.Restart();
            AssertRestores(bench, before);
        }
    }

    private static void AssertRestores(Bench bench, string before)
    {
        TuningResult result = bench.RollBack(new RollbackSelection.All());
        Assert.True(result.Outcome is TuningOutcome.Done or TuningOutcome.NoChange, result.Text);
        Assert.Equal(before, bench.Store.Dump());
        Assert.All(bench.Store.Written, place => Assert.Contains(place, Bench.Places));
        JournalContents contents = Journal.Read(bench.Folder);
        Assert.Null(contents.Interrupted);
        Assert.Equal(TuningOutcome.NoChange, bench.RollBack(new RollbackSelection.All()).Outcome);
        Assert.Equal(TuningOutcome.Done, bench.Apply(Bench.Plan("again", Six(bench))).Outcome);
    }

    internal static bool Dies(Action action)
    {
        try
        {
            action();
            return false;
        }
        catch (KilledException)
        {
            return true;
        }
    }

    internal static string? Expected(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception failure) when (failure is ExpectedFailureException or IOException)
        {
            return failure.Message;
        }
    }
}
