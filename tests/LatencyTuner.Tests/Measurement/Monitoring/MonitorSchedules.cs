using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Tests.Measurement.FarEnds;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Monitoring;

public sealed class MonitorSchedules
{
    private readonly ManualTime _time = new();
    private readonly MonitorTally _tally = new("target", observer: null);

    private MonitorSchedule Plan(double rate, TimeSpan? duration, TimeSpan offset) =>
        new(new MonitorPlan { RatePerSecond = rate, Duration = duration }, offset, _tally, new MonitorTiming(), new Standstill(_time), _time);

    /// <summary>As many requests as fit before the end, and none at it, however late the end is noticed.</summary>
    [Theory]
    [InlineData(50, 8_000, 0, 400)]
    [InlineData(50, 8_000, 10, 400)]
    [InlineData(3, 8_000, 0, 24)]
    [InlineData(0.7, 10_000, 0, 7)]
    [InlineData(0.1, 5_000, 0, 1)]
    [InlineData(1, 1_000, 1_000, 0)]
    public void Take_DurationGiven_PlansWhatFitsBeforeItsEnd(double rate, int durationMs, int offsetMs, int requests)
    {
        MonitorSchedule schedule = Plan(rate, TimeSpan.FromMilliseconds(durationMs), TimeSpan.FromMilliseconds(offsetMs));
        long end = _time.GetTimestamp() + (durationMs * _time.TimestampFrequency / 1_000);
        int taken = 0;
        for (; schedule.Next < end; taken++)
        {
            schedule.Take(schedule.Next);
        }
        Assert.Equal(requests, taken);
        Assert.Equal(long.MaxValue, schedule.Next);
    }

    /// <summary>A target that answered nothing until long after the end missed the requests before the end, no others.</summary>
    [Fact]
    public void Skip_LongAfterTheEnd_MissesOnlyWhatWasPlanned()
    {
        MonitorSchedule schedule = Plan(50, TimeSpan.FromSeconds(8), TimeSpan.Zero);
        schedule.Skip(_time.GetTimestamp() + (100 * _time.TimestampFrequency));
        schedule.Skip(_time.GetTimestamp() + (200 * _time.TimestampFrequency));
        MonitorInterval interval = _tally.Take(_time.GetUtcNow(), TimeSpan.FromSeconds(200), TimeSpan.Zero, TimeSpan.Zero, new LatencyHistogram());
        Assert.Equal(400, interval.Missed);
        Assert.Equal(long.MaxValue, schedule.Next);
    }

    /// <summary>Without a duration it goes on for years.</summary>
    [Fact]
    public void Take_NoDuration_PlansTheNext()
    {
        MonitorSchedule schedule = Plan(50, duration: null, TimeSpan.Zero);
        long first = schedule.Next;
        schedule.Take(first);
        Assert.Equal(first + (_time.TimestampFrequency / 50), schedule.Next);
    }
}
