using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class Verifications
{
    private static readonly DateTimeOffset Written = FixedClock.Start;
    private static readonly DateTimeOffset Now = Written.AddHours(2);

    public static TheoryData<RestartNeed, int?, int?, RestartNeed?> Times => new()
    {
        // Need, minutes from the change to the boot, and to the start of the adapter; what is still pending.
        { RestartNeed.None, null, null, RestartNeed.None },
        { RestartNeed.NewConnections, null, null, RestartNeed.NewConnections },
        { RestartNeed.Windows, null, 5, null },
        { RestartNeed.Windows, -5, 5, RestartNeed.Windows },
        { RestartNeed.Windows, 0, null, RestartNeed.Windows },
        { RestartNeed.Windows, 5, null, RestartNeed.None },
        { RestartNeed.Windows, 500, null, null },
        { RestartNeed.Adapter, -5, null, null },
        { RestartNeed.Adapter, -5, -5, RestartNeed.Adapter },
        { RestartNeed.Adapter, -5, 5, RestartNeed.None },
        { RestartNeed.Adapter, 5, null, RestartNeed.None },
        { RestartNeed.Adapter, null, 500, null },
    };

    [Theory]
    [MemberData(nameof(Times))]
    public void Pending_IsDecidedByTheTimes(RestartNeed need, int? boot, int? adapter, RestartNeed? expected)
    {
        Bench bench = new();
        RestartTimes times = new(At(boot), _ => At(adapter));

        Assert.Equal(expected, times.Pending(bench.Change(0, SettingValue.Dword(1)) with { Restart = need }, Written, Now));

        static DateTimeOffset? At(int? minutes) => minutes is { } m ? Written.AddMinutes(m) : null;
    }

    [Fact]
    public void Pending_CannotBeToldWhenTheChangeLiesInTheFuture()
    {
        Change change = new Bench().Change(0, SettingValue.Dword(1));

        Assert.Null(new RestartTimes(Written, _ => Written).Pending(change, Now.AddDays(1), Now));
        Assert.Null(new RestartTimes(Written, _ => Written).Pending(change, null, Now));
    }

    [Fact]
    public void Verify_ComparesTheNewestChangeOfAPlace()
    {
        Bench bench = new();
        bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1)), bench.Change(1, SettingValue.Of("x"))));
        bench.Apply(Bench.Plan("b2", bench.Change(0, SettingValue.Dword(3))));
        bench.Clock.Now = Now;
        RestartTimes never = new(null, _ => null);
        Verification verification = new(bench.Context);

        TuningResult good = verification.Verify(null, never, MeasuredEffect.CannotTell("Only the peer feels it."));
        Assert.Equal(TuningOutcome.Done, good.Outcome);
        Assert.Equal(2, good.Changes.Count);
        Assert.Equal("cannot-tell", good.Effect!.Verdict);

        bench.Store.Put(Bench.Places[1], SettingValue.Expand("x"));
        TuningResult bad = verification.Verify(null, never);
        Assert.Equal(TuningOutcome.Incomplete, bad.Outcome);
        Assert.Equal(ChangeStatus.Drifted, bad.Changes.Single(c => c.Change.Location == Bench.Places[1]).Change.Status);

        bench.RollBack(new RollbackSelection.All(), force: true);
        Assert.Equal(TuningOutcome.NoChange, verification.Verify(null, never).Outcome);
        Assert.Equal(["b1", "b1", "b2"], verification.History().Changes.Select(c => c.Batch));
        Assert.All(verification.History().Changes, c => Assert.Equal(ChangeStatus.RolledBack, c.Change.Status));
    }
}
