using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Sockets.Linux;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Scheduling;

public sealed class Delays
{
    [Fact]
    public void Counts_TellQuantilesToAFifth()
    {
        Random random = new(1);
        long[] values = [.. Enumerable.Range(0, 10_000).Select(_ => (long)(2000 * Math.Pow(10, 4 * random.NextDouble())))];
        DelayCounts counts = new();
        foreach (long value in values)
        {
            counts.Add(value);
        }

        Array.Sort(values);
        foreach (double q in new[] { 0.01, 0.5, 0.9, 0.99, 0.999, 1 })
        {
            double exact = values[(int)Math.Ceiling(q * values.Length) - 1];
            Assert.InRange(counts.Quantile(q)!.Value, exact * 0.999, exact * 1.2);
        }
    }

    [Fact]
    public void Counts_SinceACopy_AreThoseAfterIt()
    {
        DelayCounts counts = new();
        Assert.Null(counts.Quantile(0.5));
        counts.Add(5_000_000);
        DelayCounts before = counts.Copy();
        counts.Add(10_000);
        counts.Add(long.MaxValue);
        counts.Add(-3);

        Assert.Equal(3, counts.Since(before).Count);
        Assert.InRange(counts.Since(before).Quantile(0.5)!.Value, 10_000, 12_000);
        Assert.Equal(4, counts.Count);
    }

    [Fact]
    public void StallClock_LooksAboutEveryMillisecond()
    {
        HostWatch watch = new(TimeProvider.System, SocketPlatform.Current);
        StallClock clock = watch.Join();
        StallClock same = watch.Join();
        HostSample start = watch.Look(clock);
        Assert.True(SpinWait.SpinUntil(() => clock.Counts().Since(start.Delays).Count >= 20, TimeSpan.FromSeconds(30)));
        HostUse use = watch.Between(start, watch.Look(clock));
        watch.Leave();
        watch.Leave();

        Assert.Same(clock, same);
        // Each wait lasts a millisecond at least; how much longer is the machine's.
        Assert.InRange(use.DelayCount, 20, (use.ElapsedNs / 1_000_000) + 1);
        Assert.True(use.DelayP50Ns <= use.DelayP99Ns && use.DelayP99Ns <= use.DelayMaxNs);
        Assert.True(use.MachineBusyShare is >= 0 and <= 1);
        Assert.All(clock.Stalls().Zip(clock.Stalls().Skip(1)), p => Assert.True(p.First.End <= p.Second.Start));
    }

    [Theory]
    [InlineData(5_000_000, 0, 5_000_000L, 10_000_000L)]
    [InlineData(5_000_000, 1_000_000, 5_000_000L, 9_000_000L)]
    [InlineData(5_000_000, 4_900_000, null, null)]
    [InlineData(150_000, 0, null, null)]
    [InlineData(5_000_000, -1, 5_000_000L, 10_000_000L)]
    public void Stall_IsWhatTheRunQueueDoesNotExplain(long delayNs, long queuedNs, long? start, long? end)
    {
        (long Start, long End)? stall = StallClock.Stood(delayNs, queuedNs, 10_000_000, 1);

        Assert.Equal((start, end), (stall?.Start, stall?.End));
    }

    [Theory]
    [InlineData("cpu  10 1 4 80 5 2 3 6 7 0\ncpu0 1 2 3\n", 26, 111)]
    [InlineData("cpu 10 1 4 80", 15, 95)]
    public void ProcStat_IdleAndIowaitAreNotBusy(string text, long busy, long total) =>
        Assert.Equal((busy * 10_000_000, total * 10_000_000), LinuxProcessors.Decode(System.Text.Encoding.ASCII.GetBytes(text)));

    [Theory]
    [InlineData("")]
    [InlineData("cpu")]
    [InlineData("cpu ")]
    [InlineData("cpu  1 2 x")]
    [InlineData("cpu  1 -2 3 4 5")]
    [InlineData("intr 1 2 3 4 5")]
    public void ProcStat_Damaged_IsNothing(string text) => Assert.Null(LinuxProcessors.Decode(System.Text.Encoding.ASCII.GetBytes(text)));

    [Theory]
    [InlineData("304505 78145 1\n", 78145L)]
    [InlineData("304505", null)]
    [InlineData("", null)]
    [InlineData("1 ", null)]
    [InlineData("1 -5 1", null)]
    public void SchedStat_SecondNumberIsTheWait(string text, long? expected) =>
    Assert.Equal(expected, LinuxRunDelay.Decode(System.Text.Encoding.ASCII.GetBytes(text)));

    [Fact]
    public void ProcessorTimes_OfABusyThread_Rise()
    {
        ProcessorTimes before = SocketPlatform.Current.ReadProcessorTimes();
        long start = TimeProvider.System.GetTimestamp();
        // Long enough for the ticks of /proc/stat, of its processor time and not of the clock's, since others may have the processor.
        while (SocketPlatform.Current.ReadProcessorTimes().ProcessNs - before.ProcessNs < 200_000_000
            && TimeProvider.System.GetElapsedTime(start) < TimeSpan.FromSeconds(30))
        {
        }

        ProcessorTimes after = SocketPlatform.Current.ReadProcessorTimes();

        Assert.True(after.ProcessNs > before.ProcessNs);
        Assert.True(after.MachineBusyNs > before.MachineBusyNs);
        Assert.True(after.MachineTotalNs - before.MachineTotalNs >= after.MachineBusyNs - before.MachineBusyNs);
    }
}
