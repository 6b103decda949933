using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Loops;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Loops;

public sealed class LatencyRecorders
{
    [Fact]
    public void Collect_WhileAnotherThreadRecords_NothingLostNothingTwice()
    {
        const int Count = 4_000_000;
        LatencyRecorder recorder = new(openLoop: true, nsPerTick: 1, firstSamples: 16);
        IntervalHistograms total = new(true);
        Exception? broken = null;
        Thread writer = new(() =>
        {
            try
            {
                for (int i = 0; i < Count; i++)
                {
                    recorder.Record(i, i + 1, i + 1 + (i & 1023), 0);
                }
            }
            catch (NullReferenceException e)
            {
                broken = e;
            }
        });
        writer.Start();
        // Without a pause between the collections, to meet the writer in the middle of its swap.
        while (writer.IsAlive)
        {
            recorder.Collect(total);
        }

        writer.Join();
        Assert.Null(broken);
        recorder.CollectRest(total);

        Assert.Equal(Count, total.Response.Count);
        Assert.Equal(Count, total.Service!.Count);
        Assert.Equal(Count, total.Transport.Count);
        Assert.Equal(Count, total.Lateness!.Count);
        long sum = Enumerable.Range(0, Count).Sum(i => (long)(i & 1023));
        Assert.Equal(new System.Numerics.BigInteger(sum), total.Service.Sum);
    }

    [Fact]
    public void Record_AnyTimes_ResponseAtLeastServiceAndResidenceAtMostService()
    {
        Random random = new(3);
        LatencyRecorder recorder = new(openLoop: true, nsPerTick: 1, firstSamples: 0);
        IntervalHistograms total = new(true);
        long residence = 0;
        for (int i = 0; i < 10_000; i++)
        {
            long planned = random.Next(1_000_000);
            long sent = planned + random.Next(1_000_000);
            long service = random.Next(1_000_000);
            // A lying peer: any number at all as its own time.
            recorder.Record(planned, sent, sent + service, random.NextInt64(long.MinValue, long.MaxValue));
            residence += service;
        }

        recorder.CollectRest(total);
        Assert.Equal(0, total.Transport.NegativeCount);
        Assert.True(total.Response.Sum >= total.Service!.Sum);
        Assert.Equal(total.Response.Sum, total.Service.Sum + total.Lateness!.Sum);
        Assert.InRange(recorder.ResidenceNs, 0, residence);
        Assert.Equal(0, recorder.ClockStepsBack);
    }

    [Fact]
    public void Record_ClockSteppedBack_CountedAndNeverHuge()
    {
        LatencyRecorder recorder = new(openLoop: true, nsPerTick: 1, firstSamples: 4);
        recorder.Record(1000, 2000, 500, 100);
        recorder.Record(long.MaxValue / 2, long.MaxValue / 2, -5, 100);
        IntervalHistograms total = new(true);
        recorder.CollectRest(total);

        Assert.Equal(2, recorder.ClockStepsBack);
        Assert.Equal(2, total.Response.NegativeCount);
        Assert.Equal(0, total.Response.MaxNs);
        Assert.Equal(0, total.Transport.MaxNs);
        Assert.Equal(0, recorder.ResidenceNs);
        Assert.All(recorder.First.ToArray(), v => Assert.Equal(0, v));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Memory_AnyNumberOfRequests_TheSame(bool openLoop)
    {
        // What the first call allocates once is nobody's.
        Held(openLoop, 1_000);
        Assert.Equal(Held(openLoop, 1_000), Held(openLoop, 200_000));

        // The recorder, the totals and the time blocks are all that grows with nothing but the number of collections, up to 64 blocks.
        static long Held(bool openLoop, int requests)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            LatencyRecorder recorder = new(openLoop, 1, LatencyRecorder.FirstSamples);
            IntervalHistograms interval = new(openLoop);
            IntervalHistograms total = new(openLoop);
            for (int i = 0; i < requests; i++)
            {
                recorder.Record(i, i + 1, i + 1 + (i % 100_000), 0);
                if (i % 100 == 0)
                {
                    interval.Reset();
                    recorder.Collect(interval);
                    interval.AddTo(total);
                }
            }

            recorder.CollectRest(total);
            Assert.Equal(requests, total.Response.Count);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Fact]
    public void Memory_OfTheTimeBlocks_BoundedByTheirNumber()
    {
        LatencyBlockList blocks = new();
        LatencyHistogram block = new();
        Random random = new(5);
        long largest = 0;
        for (int i = 0; i < 600; i++)
        {
            block.Reset();
            for (int n = 0; n < 500; n++)
            {
                block.Record((long)Math.Exp(random.NextDouble() * 20));
            }

            blocks.Append(block, i, i + 1);
            largest = Math.Max(largest, blocks.EncodedBytes);
        }

        Assert.True(blocks.Count <= LatencyBlockList.Capacity);
        // No block can need more than every bucket of a histogram would.
        Assert.True(largest < (long)LatencyBlockList.Capacity * LatencyHistogram.CountsLength * 3);
    }
}
