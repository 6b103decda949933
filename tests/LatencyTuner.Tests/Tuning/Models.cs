using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

/// <summary>Random sequences of apply, rollback, edits by others, failures and deaths, against a model that knows nothing of a journal.</summary>
public sealed class Models
{
    private static readonly int Sequences = Repository.Times(20_000);

    [Fact]
    public void Everything_EqualsTheModelAfterAnySequence()
    {
        Dictionary<string, int> seen = new();
        for (int seed = 0; seed < Sequences; seed++)
        {
            Sequence(seed, seen);
        }

        // A sequence that never meets a case proves nothing about it.
        foreach (string? name in new[] { "apply", "refused", "batch", "setting", "all", "forced", "drift", "death", "failure", "edit", "interrupted" })
        {
            Assert.True(seen.GetValueOrDefault(name) > Sequences * 3 / 100, $"{name}: {seen.GetValueOrDefault(name)}");
        }
    }

    private static void Sequence(int seed, Dictionary<string, int> seen)
    {
        Random random = new(seed);
        Bench bench = new(seed);
        Model model = new(bench.Store);
        for (int step = random.Next(3, 9); step > 0; step--)
        {
            bench.Faults.Restart();
            switch (random.Next(6))
            {
                case 0 or 1 or 2:
                    Apply(bench, model, random, seen);
                    break;
                case 3 or 4:
                    RollBack(bench, model, random, seen);
                    break;
                default:
                    Count(seen, "edit");
                    int place = random.Next(Bench.Places.Length);
                    SettingValue value = Bench.Samples[random.Next(Bench.Samples.Length)];
                    bench.Store.Put(Bench.Places[place], value);
                    model.Edit(place, value);
                    break;
            }

            bench.Restart();
            model.AssertSame(bench.Store, seed);
            Assert.NotEqual(JournalTail.Damaged, Journal.Read(bench.Folder).Tail);
        }

        bench.Restart();
        bench.RollBack(new RollbackSelection.All(), force: true);
        model.RollBack(_ => true);
        model.AssertSame(bench.Store, seed);
        Assert.All(bench.Store.Written, p => Assert.Contains(p, Bench.Places));
        Assert.DoesNotContain(Journal.Read(bench.Folder).Batches, b => b.IsActive);
    }

    private static void Apply(Bench bench, Model model, Random random, Dictionary<string, int> seen)
    {
        List<int> places = Enumerable.Range(0, Bench.Places.Length).OrderBy(_ => random.Next()).Take(random.Next(1, 5)).ToList();
        List<Change> changes = places.ConvertAll(p => bench.Change(p, Bench.Samples[random.Next(Bench.Samples.Length)]));
        Fault(bench, random);
        string batch = $"b{Journal.Read(Unfaulted(bench)).Batches.Count}";
        TuningResult? result = null;
        string? refused = null;
        if (Kills.Dies(() => refused = Kills.Expected(() => result = bench.Apply(Bench.Plan(batch, [.. changes])))))
        {
            Count(seen, "death");
            bench.Restart();
            JournaledBatch? interrupted = Journal.Read(bench.Folder).Interrupted;

            // Whole batches only: what is left of a dead apply is either all of it or put back by the next rollback.
            if (interrupted is not null)
            {
                Count(seen, "interrupted");
                Assert.Contains(
                    "interrupted", Kills.Expected(() => bench.Apply(Bench.Plan("next", bench.Change(0, SettingValue.Of("next"))))) ?? "interrupted",
                    StringComparison.Ordinal);
                Assert.Equal(TuningOutcome.Done, bench.RollBack(new RollbackSelection.Interrupted()).Outcome);
            }
            else if (Journal.Read(bench.Folder).Batches is [.., { IsActive: true, IsApplied: true } last] && last.Id == batch)
            {
                model.Apply(batch, places, changes);
            }

            return;
        }

        if (result?.Outcome == TuningOutcome.Done)
        {
            Count(seen, "apply");
            model.Apply(batch, places, changes);
        }
        else
        {
            Count(seen, result?.Outcome == TuningOutcome.RolledBack ? "failure" : "refused");
            Assert.NotEqual(TuningOutcome.Incomplete, result?.Outcome);
            bench.Restart();
            if (Journal.Read(bench.Folder).Interrupted is not null)
            {
                Assert.Equal(TuningOutcome.Done, bench.RollBack(new RollbackSelection.Interrupted()).Outcome);
            }
        }
    }

    private static void RollBack(Bench bench, Model model, Random random, Dictionary<string, int> seen)
    {
        bool force = random.Next(3) == 0;
        int place = random.Next(Bench.Places.Length);
        IReadOnlyList<JournaledBatch> batches = Journal.Read(bench.Folder).Batches;
        if (batches.Count == 0)
        {
            return;
        }

        string batch = batches[random.Next(batches.Count)].Id;
        (string? name, RollbackSelection? selection, Func<Model.Applied, bool>? chosen) = random.Next(3) switch
        {
            0 => ("batch", (RollbackSelection)new RollbackSelection.Batch(batch), (Func<Model.Applied, bool>)(a => a.Batch == batch)),
            1 => ("setting", new RollbackSelection.Setting($"setting.{place}"), a => a.Place == place),
            _ => ("all", new RollbackSelection.All(), _ => true),
        };
        Count(seen, force ? "forced" : name);
        bool allowed = force || model.CanRollBack(chosen);
        if (random.Next(2) == 0)
        {
            Fault(bench, random);
        }

        TuningResult? result = null;
        string? refused = null;
        if (Kills.Dies(() => refused = Kills.Expected(() => result = bench.RollBack(selection, force))))
        {
            Count(seen, "death");
            bench.Restart();
            refused = Kills.Expected(() => result = bench.RollBack(selection, force));
            Assert.True(refused is not null || result!.Outcome is TuningOutcome.Done or TuningOutcome.NoChange or TuningOutcome.Refused, result?.Text);
        }
        else if (bench.Faults.FailAt >= 0 && bench.Faults.Steps > bench.Faults.FailAt)
        {
            // Whatever a failure left undone, the same command completes; with the journal's records lost, nothing else is left to do.
            Count(seen, "failure");
            bench.Restart();
            refused = Kills.Expected(() => result = bench.RollBack(selection, force));
        }

        if (refused is not null)
        {
            Assert.StartsWith("/journal", refused, StringComparison.Ordinal);
            return;
        }

        if (!allowed)
        {
            Count(seen, "drift");
            Assert.Equal(TuningOutcome.Refused, result!.Outcome);
            return;
        }

        Assert.True(result!.Outcome is TuningOutcome.Done or TuningOutcome.NoChange, result.Text);
        model.RollBack(chosen);
    }

    private static void Fault(Bench bench, Random random)
    {
        switch (random.Next(4))
        {
            case 0:
                bench.Faults.KillAt = random.Next(120);
                break;
            case 1:
                bench.Faults.FailAt = random.Next(80);
                break;
            default:
                break;
        }
    }

    private static MemoryFolder Unfaulted(Bench bench) => new(new Faults()) { Bytes = bench.Folder.Bytes };

    private static void Count(Dictionary<string, int> seen, string name) => seen[name] = seen.GetValueOrDefault(name) + 1;
}
