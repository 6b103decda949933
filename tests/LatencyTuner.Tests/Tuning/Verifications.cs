using LatencyTuner.Core.Evidence;
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

    // The machine was saved and resumed, so that its start looks later; started again while its clock stood wrong; or neither number says more than the times.
    [Theory]
    [InlineData(RestartNeed.Windows, 7, 7, 5, null, RestartNeed.Windows)]
    [InlineData(RestartNeed.Adapter, 7, 7, 5, -5, RestartNeed.Adapter)]
    [InlineData(RestartNeed.Adapter, 7, 7, 5, 5, RestartNeed.None)]
    [InlineData(RestartNeed.Adapter, 7, 7, 5, null, null)]
    [InlineData(RestartNeed.Windows, 7, 8, -5, null, RestartNeed.None)]
    [InlineData(RestartNeed.Adapter, 7, 8, -5, null, RestartNeed.None)]
    [InlineData(RestartNeed.Windows, null, 8, 5, null, RestartNeed.None)]
    [InlineData(RestartNeed.Windows, 7, null, -5, null, RestartNeed.Windows)]
    public void Pending_IsDecidedByTheNumberOfTheStart(RestartNeed need, int? written, int? now, int boot, int? adapter, RestartNeed? expected)
    {
        Bench bench = new() { BootId = (uint?)written };
        bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1)) with { Restart = need }));
        RestartTimes times = new(Written.AddMinutes(boot), _ => adapter is { } m ? Written.AddMinutes(m) : null) { BootId = (uint?)now };
        bench.Clock.Now = Now;

        Assert.Equal(expected, Assert.Single(new Verification(bench.Context).Verify(null, times).Changes).Pending);
    }

    // An interface that has not gone up or down since: its adapter has not started either. One that has may have lost its link only.
    [Theory]
    [InlineData(-5, RestartNeed.Adapter)]
    [InlineData(5, null)]
    [InlineData(null, null)]
    public void Pending_IsKnownWhereTheInterfaceIsAsBefore(int? state, RestartNeed? expected)
    {
        NetworkInterface adapter = new() { Guid = "{4f2c0001}", StateSinceUtc = state is { } m ? Written.AddMinutes(m) : null };
        RestartTimes times = RestartTimes.Of(new HostSnapshot { Os = new HostOs(), BootUtc = Written.AddMinutes(-9), Interfaces = [adapter] });

        Assert.Equal(expected, times.Pending(new Bench().Change(0, SettingValue.Dword(1)), Written, Now));
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
