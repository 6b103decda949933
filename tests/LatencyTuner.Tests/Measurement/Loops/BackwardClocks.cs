using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Loops;

public sealed class BackwardClocks
{
    /// <summary>The system's clock, which jumps back by 30 ms at some of the measuring thread's readings.</summary>
    private sealed class SteppingTime(int every, int steps) : TimeProvider
    {
        private long _offset;
        private int _readings;

        internal int Steps { get; private set; }

        public override long GetTimestamp()
        {
            if (Thread.CurrentThread.Name == "measure" && ++_readings % every == 0 && Steps < steps)
            {
                Steps++;
                Interlocked.Add(ref _offset, -(TimestampFrequency * 30 / 1000));
            }

            return base.GetTimestamp() + Interlocked.Read(ref _offset);
        }
    }

    [Theory]
    [InlineData("closed")]
    [InlineData("closed by time")]
    [InlineData("spin")]
    [InlineData("open")]
    [InlineData("stream")]
    [InlineData("paced stream")]
    [InlineData("gap")]
    public async Task Step_AnyPattern_EndsWithoutHugeNumbers(string pattern)
    {
        using Responder responder = Rig.Serve();
        // 97 is no multiple of the readings per request, so that the steps fall into every phase of a request.
        SteppingTime time = new(97, 12);
        MeasurementPlan plan = pattern switch
        {
            "closed by time" => Rig.Patient(1) with
            {
                Count = null,
                Duration = TimeSpan.FromMilliseconds(100),
                AtLeast = 1000,
                Warmup = TimeSpan.FromMilliseconds(10),
            },
            "spin" => Rig.Patient(2000, new Workload { Spin = true }),
            "open" => Rig.Patient(2000) with { RatePerSecond = 10_000 },
            "stream" => Rig.Patient(2000, new Workload { Pattern = WritePattern.Stream }),
            "paced stream" => Rig.Patient(2000, new Workload { Pattern = WritePattern.Stream }) with { RatePerSecond = 10_000 },
            "gap" => Rig.Patient(300, new Workload { Writes = [1, 1], Gap = TimeSpan.FromMicroseconds(50), NoDelay = true }),
            _ => Rig.Patient(2000),
        };
        MeasuringContext context = Rig.Context with { Time = time };

        MeasurementResult result = await Task.Run(() => PingPong.Run(Rig.TargetOf(responder), plan, context, CancellationToken.None))
            .WaitAsync(TimeSpan.FromSeconds(20), CancellationToken.None);

        Assert.Null(result.EndedBecause);
        Assert.Equal(12, time.Steps);
        Assert.Equal(result.Sent, result.Received);
        Assert.True(result.Response.MaxNs < 10_000_000_000);
        Assert.Equal(0, result.Response.SaturatedCount);
        Assert.Equal(result.ClockStepsBack, result.Service.NegativeCount);
        Assert.True(result.SendNs >= 0);
        Assert.True(result.ResidenceNs >= 0);
        if (pattern == "closed")
        {
            Assert.InRange(result.ClockStepsBack, 1, 12);
        }
    }
}
