using LatencyTuner.Core;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Series;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Monitoring;

public sealed class MonitorStores
{
    private static readonly DateTimeOffset Start = DateTimeOffset.FromUnixTimeSeconds(1_795_248_000);

    private static MonitorInterval Interval(string target, int second, params long[] valuesNs)
    {
        LatencyHistogram histogram = new();
        Array.ForEach(valuesNs, histogram.Record);
        return new MonitorInterval(target, Start.AddSeconds(second), TimeSpan.FromSeconds(1), histogram, 0, 0, TimeSpan.Zero, null);
    }

    private static void Fill(string folder, int from, int to, long mostBytes = 1 << 20, int files = 10)
    {
        using MonitorStore store = MonitorStore.Open(folder, mostBytes, files);
        for (int i = from; i < to; i++)
        {
            store.Add(Interval("a", i, 1_000_000 + (i * 1000), 2_000_000));
            store.Add(Interval("b:7117", i, 5_000_000));
            store.Write();
        }
    }

    [Fact]
    public void Read_WhatWasWritten_IsThereByTarget()
    {
        using TempFolder folder = new();
        Fill(folder["s"], 0, 10);
        IReadOnlyList<ObservedSeries> series = MonitorSeries.Read(folder["s"], new SeriesReadOptions());

        Assert.Equal(["a", "b:7117"], series.Select(s => s.Name));
        Assert.Equal((20, 10), (series[0].Distribution.Count, series[1].Distribution.Count));
        Assert.Equal(Start.ToUnixTimeSeconds(), series[0].StartSeconds);
        Assert.Equal(10, series[0].Counts.Length);
        Assert.Single(MonitorSeries.Read(Directory.GetFiles(folder["s"], "*.ltm")[0], new SeriesReadOptions())[1].MedianNs.Distinct());
    }

    /// <summary>With a checksum that is right, but figures that no monitor writes.</summary>
    [Theory]
    [InlineData("-9223372036854775808 1000 0 0 0 a -")]
    [InlineData("1795248000000 -1000 0 0 0 a -")]
    [InlineData("1795248000000 1000 0 0 9223372036854775807 a -")]
    [InlineData("1795248000000 1000 0 0 0 a ====")]
    [InlineData("1795248000000 1000 0 0 0")]
    public void Read_ImpossibleRecord_IsNone(string text) => Assert.Null(MonitorRecord.Read(System.Text.Encoding.ASCII.GetBytes(text)));

    /// <summary>Three intervals of a clock that began in 1970.</summary>
    [Fact]
    public void Read_IntervalsAtAWrongTime_LeaveTheRestAsItIs()
    {
        using TempFolder folder = new();
        Fill(folder["s"], 0, 60);
        using (MonitorStore store = MonitorStore.Open(folder["s"], 1 << 20, 10))
        {
            for (int i = 0; i < 3; i++)
            {
                store.Add(Interval("a", i, 3_000_000) with { StartUtc = DateTimeOffset.UnixEpoch.AddSeconds(i) });
            }

            store.Write();
        }

        ObservedSeries series = MonitorSeries.Read(folder["s"], new SeriesReadOptions())[0];

        Assert.Equal((Start.ToUnixTimeSeconds(), 1, 60), (series.StartSeconds, series.StepSeconds, series.Counts.Length));
        Assert.StartsWith(
            "3 rows from 1970-01-01 00:00:00 UTC to 1970-01-01 00:00:02 UTC far from all others", Assert.Single(series.Notes), StringComparison.Ordinal);
    }

    /// <summary>Cut anywhere, as by kill -9 or a power failure: all whole records are kept, the torn one is told and cut, and writing goes on.</summary>
    [Fact]
    public void Open_TornAnywhere_LosesAtMostTheLastRecord()
    {
        using TempFolder folder = new();
        Fill(folder["s"], 0, 3);
        string file = Directory.GetFiles(folder["s"], "*.ltm")[0];
        byte[] whole = File.ReadAllBytes(file);
        for (int length = 0; length <= whole.Length; length += Repository.Stride)
        {
            File.WriteAllBytes(file, whole[..length]);
            long lines = whole[..length].Count(b => b == (byte)'\n');
            using (MonitorStore store = MonitorStore.Open(folder["s"], 1 << 20, 10))
            {
                bool torn = length > 0 && whole[length - 1] != (byte)'\n';
                Assert.Equal(torn, store.Told!.Contains("unfinished record", StringComparison.Ordinal));
                store.Add(Interval("c", 9, 1));
                store.Write();
            }
            long records = Math.Max(0, lines - 1) + 1;
            Assert.Equal(records, MonitorSeries.Read(folder["s"], new SeriesReadOptions()).Sum(s => s.Rows));
        }
    }

    [Fact]
    public void Read_DamagedInTheMiddle_SkipsAndTells()
    {
        using TempFolder folder = new();
        Fill(folder["s"], 0, 5);
        string file = Directory.GetFiles(folder["s"], "*.ltm")[0];
        byte[] bytes = File.ReadAllBytes(file);
        bytes[bytes.Length / 2] ^= 1;
        File.WriteAllBytes(file, bytes);
        IReadOnlyList<ObservedSeries> series = MonitorSeries.Read(folder["s"], new SeriesReadOptions());

        Assert.Equal(9, series.Sum(s => s.Rows));
        Assert.Contains(series[0].Notes, n => n.StartsWith("Skipped 1 damaged record", StringComparison.Ordinal));
    }

    [Fact]
    public void Write_FullFile_IsFollowedAndTheOldestGo()
    {
        using TempFolder folder = new();
        Fill(folder["s"], 0, 60, mostBytes: 2000, files: 3);

        string[] files = [.. Directory.GetFiles(folder["s"], "*.ltm").Select(Path.GetFileName).Order()!];
        Assert.Equal(3, files.Length);
        Assert.DoesNotContain("series-000001.ltm", files);
        Assert.InRange(MonitorSeries.Read(folder["s"], new SeriesReadOptions())[0].Rows, 10, 59);
    }

    /// <summary>A name that somebody else has taken is left alone, and no interval is lost for it.</summary>
    [Fact]
    public void Write_NextNameIsTaken_TakesTheOneAfter()
    {
        using TempFolder folder = new();
        Directory.CreateDirectory(Path.Combine(folder["s"], "series-000002.ltm"));
        Fill(folder["s"], 0, 20, mostBytes: 2000);

        Assert.True(File.Exists(Path.Combine(folder["s"], "series-000003.ltm")));
        Assert.Equal(20, MonitorSeries.Read(folder["s"], new SeriesReadOptions())[0].Rows);
    }

    [Fact]
    public void Open_AnotherWriter_IsRefused()
    {
        using TempFolder folder = new();
        using MonitorStore first = MonitorStore.Open(folder["s"], 1 << 20, 10);

        ExpectedFailureException refused = Assert.Throws<ExpectedFailureException>(() => MonitorStore.Open(folder["s"], 1 << 20, 10));
        Assert.Equal(ExitCode.Platform, refused.Code);
        Assert.Contains("another monitor", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_ForeignFile_IsRefusedAndLeft()
    {
        using TempFolder folder = new();
        Directory.CreateDirectory(folder["s"]);
        string file = Path.Combine(folder["s"], "series-000001.ltm");
        File.WriteAllText(file, "my own notes\nand more\n");

        Assert.Equal(ExitCode.Input, Assert.Throws<ExpectedFailureException>(() => MonitorStore.Open(folder["s"], 1 << 20, 10)).Code);
        Assert.Equal("my own notes\nand more\n", File.ReadAllText(file));
    }

    [Fact]
    public void Read_ClockStepsAndFailures_AreTold()
    {
        using TempFolder folder = new();
        using (MonitorStore store = MonitorStore.Open(folder["s"], 1 << 20, 10))
        {
            store.Add(Interval("a", 0, 1) with { Errors = 2, Missed = 7 });
            store.Add(Interval("a", 10, 1) with { ClockStep = TimeSpan.FromSeconds(-3600) });
            store.Write();
        }
        IReadOnlyList<string> notes = MonitorSeries.Read(folder["s"], new SeriesReadOptions())[0].Notes;

        Assert.Contains(notes, n => n.StartsWith("2 exchanges failed, 7 more not tried", StringComparison.Ordinal));
        Assert.Contains(notes, n => n.Contains("-3600.0 s", StringComparison.Ordinal));
    }

    [Fact]
    public void Crc32_IsTheOneOfZip() => Assert.Equal(0xCBF43926, Crc32.Append(0, "123456789"u8));
}
