using LatencyTuner.Core;
using LatencyTuner.Core.Etw.Sessions;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>What decides about live sessions without one: names, leftovers, budgets.</summary>
public sealed class SessionPolicies
{
    private static readonly DateTimeOffset Started = new(2026, 11, 21, 10, 15, 0, 123, TimeSpan.Zero);

    /// <summary>Non-paged memory: two buffers at least for each processor, 64 MiB at most, and no more than the file of the session may hold.</summary>
    [Theory]
    [InlineData(1, null, 128, 256)]
    [InlineData(64, null, 128, 256)]
    [InlineData(96, null, 128, 384)]
    [InlineData(128, null, 128, 512)]
    [InlineData(256, null, 64, 1024)]
    [InlineData(1024, null, 64, 2048)]
    [InlineData(8, 16, 128, 128)]
    [InlineData(8, 2, 128, 16)]
    public void Buffers_OfAMachine_AreBounded(int processors, int? fileMB, int kiB, int count)
    {
        SessionBuffers buffers = SessionBuffers.For(processors, fileMB);

        Assert.Equal((kiB, count), (buffers.KiB, buffers.Count));
        Assert.True(buffers.Count >= 2 * processors);
        Assert.True(fileMB is null || buffers.TotalKiB <= fileMB << 10);
    }

    [Fact]
    public void Buffers_AFileThatCannotHoldThem_IsRefused()
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => SessionBuffers.For(16, 2));

        Assert.Equal(ExitCode.Usage, failure.Code);
        Assert.StartsWith("--max-file-size 2MiB is too small: a session on 16 processors needs 4 MiB", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, "LatencyTuner-4711-20261121T101500123Z")]
    [InlineData(true, "LatencyTuner-4711-20261121T101500123Z-file")]
    public void Name_SaysWhoseItIs(bool toFile, string text)
    {
        SessionName name = new(4711, Started, toFile);

        Assert.Equal(text, name.ToString());
        Assert.Equal(name, SessionName.TryParse(text));
    }

    [Theory]
    [InlineData("")]
    [InlineData("LatencyTuner")]
    [InlineData("LatencyTuner-4711")]
    [InlineData("latencytuner-4711-20261121T101500123Z")]
    [InlineData("LatencyTuner-4711-20261121T101500123Z\n")]
    [InlineData("LatencyTuner-4711-20261321T101500123Z")]
    [InlineData("LatencyTuner-99999999999-20261121T101500123Z")]
    [InlineData("LatencyTuner-4294967295-20261121T101500123Z")]
    [InlineData("LatencyTuner--1-20261121T101500123Z")]
    [InlineData("LatencyTuner-4711-20261121T101500123Z-other")]
    public void Name_OfAnybodyElse_IsNone(string text) => Assert.Null(SessionName.TryParse(text));

    [Fact]
    public void Leftover_OnlyWhenItsProcessIsGone()
    {
        string gone = new SessionName(1, Started).ToString();
        string reused = new SessionName(2, Started).ToString();
        string alive = new SessionName(3, Started).ToString();
        string hidden = new SessionName(4, Started).ToString();
        Dictionary<int, KnownProcess> processes = new()
        {
            [2] = new(true, Started.AddMinutes(5)),
            [3] = new(true, Started.AddMilliseconds(400)),
            [4] = new(true, null),
        };

        Assert.Equal([gone, reused], LeftoverSessions.Among([gone, "DiagTrack", reused, alive, hidden], id => processes.GetValueOrDefault(id)));
    }

    [Fact]
    public void Rate_IsJudgedOverThreeSeconds()
    {
        (SteppedClock clock, TraceBudgetWatch watch) = Watch(new TraceBudget { MaxEventsPerSecond = 1000 });

        // The rundown of many connections: a burst of almost three seconds' worth, then nothing.
        Assert.Null(At(clock, watch, 1, 2_900));
        Assert.Null(At(clock, watch, 1, 2_900));
        Assert.Null(At(clock, watch, 1, 2_900));
        Assert.Null(At(clock, watch, 1, 3_900));
        Assert.Equal(1000.0 / 3, watch.EventsPerSecond, 1);
        Assert.Contains("--max-events-per-second", At(clock, watch, 1, 3_900 + 2_200), StringComparison.Ordinal);
    }

    [Fact]
    public void Rate_OfManyTimesTheBudget_EndsAtOnce()
    {
        (SteppedClock clock, TraceBudgetWatch watch) = Watch(new TraceBudget { MaxEventsPerSecond = 1000 });

        Assert.NotNull(At(clock, watch, 1, 3_100));
    }

    [Theory]
    [InlineData(10_000, 999, 0, 0, false)] // few
    [InlineData(1_000_000, 20_000, 0, 0, false)] // a small share
    [InlineData(10_000, 1_000, 0, 0, true)]
    [InlineData(0, 0, 9, 0, false)]
    [InlineData(0, 0, 10, 1_000, false)]
    [InlineData(0, 0, 10, 100, true)]
    public void Losses_EndItWhenManyAndAShare(long events, long lost, long buffers, long written, bool ends)
    {
        (_, TraceBudgetWatch watch) = Watch(new TraceBudget { MaxEventsPerSecond = 1e9 });

        string? why = watch.Check(new TraceProgress(events, new SessionLosses(lost, buffers, written), null));

        Assert.Equal(ends, why is not null);
        Assert.True(why is null || why.Contains("--max-lost-share", StringComparison.Ordinal), why);
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData(1L << 30, false)]
    [InlineData((1L << 30) - 1, true)]
    public void Disk_HasAFloor(long? free, bool ends)
    {
        (_, TraceBudgetWatch watch) = Watch(new TraceBudget());

        Assert.Equal(ends, watch.Check(new TraceProgress(0, default, free))?.Contains("--min-free", StringComparison.Ordinal) ?? false);
    }

    private static (SteppedClock Clock, TraceBudgetWatch Watch) Watch(TraceBudget budget)
    {
        SteppedClock clock = new();
        return (clock, new TraceBudgetWatch(budget, clock));
    }

    private static string? At(SteppedClock clock, TraceBudgetWatch watch, int seconds, long events)
    {
        clock.Seconds += seconds;
        return watch.Check(new TraceProgress(events, default, null));
    }

    private sealed class SteppedClock : TimeProvider
    {
        internal long Seconds { get; set; }

        public override long TimestampFrequency => 1;

        public override long GetTimestamp() => Seconds;
    }
}
