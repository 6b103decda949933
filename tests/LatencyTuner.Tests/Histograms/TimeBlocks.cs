using LatencyTuner.Core.Histograms;
using Xunit;

namespace LatencyTuner.Tests.Histograms;

public sealed class TimeBlocks
{
    private const long Second = 1_000_000_000;

    [Fact]
    public void Append_AnHour_KeepsTheMemoryOfAMinute()
    {
        LatencyHistogram[] seconds =
            [.. Enumerable.Range(0, 8).Select(i => SampleLatencies.ToHistogram(SampleLatencies.LogNormal(new Random(i), 500, 1e5, 0.5)))];
        LatencyBlockList blocks = new();
        long afterMinute = 0;
        for (int i = 0; i < 3600; i++)
        {
            blocks.Append(seconds[i % 8], i * Second, (i + 1) * Second);
            Assert.InRange(blocks.Count, 1, LatencyBlockList.Capacity);
            if (i == 63)
            {
                afterMinute = blocks.EncodedBytes;
            }
        }
        Assert.Equal(64, blocks.AppendsPerBlock);
        Assert.Equal(57, blocks.Count);
        // 64 times the values spread over more buckets and need longer numbers, but not more blocks: far below 64 times the bytes.
        Assert.InRange(blocks.EncodedBytes, 1, afterMinute * 6);
        Assert.Equal(3600L * 500, Enumerable.Range(0, blocks.Count).Sum(i => blocks[i].Count));
        for (int i = 0; i < blocks.Count; i++)
        {
            Assert.Equal(i * 64 * Second, blocks[i].StartNs);
            Assert.Equal(Math.Min(3600, (i + 1) * 64) * Second, blocks[i].EndNs);
        }
    }

    [Fact]
    public void Append_KeepsWhatWasRecorded()
    {
        LatencyHistogram total = new();
        LatencyBlockList blocks = new();
        for (int i = 0; i < 200; i++)
        {
            LatencyHistogram block = SampleLatencies.ToHistogram(SampleLatencies.LogNormal(new Random(i), i % 7 == 0 ? 0 : 40, 1e6, 1));
            total.Add(block);
            blocks.Append(block, i * Second, (i + 1) * Second);
        }
        LatencyHistogram joined = new();
        for (int i = 0; i < blocks.Count; i++)
        {
            LatencyHistogram block = blocks.Decode(i);
            Assert.Equal((block.Count, block.MinNs, block.MaxNs), (blocks[i].Count, blocks[i].MinNs, blocks[i].MaxNs));
            joined.Add(block);
        }
        HistogramRecording.AssertEqual(total, joined);
    }

    [Fact]
    public void Append_TimeRunningBackwards_Throws()
    {
        LatencyBlockList blocks = new();
        blocks.Append(new LatencyHistogram(), 0, Second);
        Assert.Throws<ArgumentOutOfRangeException>(() => blocks.Append(new LatencyHistogram(), Second - 1, 2 * Second));
        Assert.Throws<ArgumentOutOfRangeException>(() => blocks.Append(new LatencyHistogram(), 3 * Second, 2 * Second));
    }
}
