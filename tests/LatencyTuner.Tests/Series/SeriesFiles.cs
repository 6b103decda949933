using System.Globalization;
using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Series;
using Xunit;

namespace LatencyTuner.Tests.Series;

public sealed class SeriesFiles
{
    private const double Eight = 1_795_248_000;

    private static ObservedSeries Read(string text, SeriesReadOptions? options = null, Encoding? encoding = null)
    {
        encoding ??= new UTF8Encoding(false);
        return SeriesFile.Read(new MemoryStream([.. encoding.GetPreamble(), .. encoding.GetBytes(text)]), "f", options ?? new SeriesReadOptions());
    }

    private static string Failure(string text, SeriesReadOptions? options = null) => Assert.Throws<ExpectedFailureException>(() => Read(text, options)).Message;

    [Theory]
    [InlineData("time,latency_ms\n2026-11-21T08:00:00Z,12.5\n2026-11-21T08:00:01Z,13.5\n")]
    [InlineData("time;latency (ms)\r\n2026-11-21 08:00:00;12,5\r\n2026-11-21 08:00:01;13,5\r\n")]
    [InlineData("timestamp\telapsedUs\n1795248000\t12500\n1795248001\t13500\n")]
    [InlineData("timeStamp,elapsed,label\n1795248000000,12.5,a\n1795248001000,13.5,b\n")]
    [InlineData("2026-11-21T09:00:00+01:00,12.5\n2026-11-21T09:00:01+01:00,13.5")]
    [InlineData("# a comment\n\"Time\",\"Name\",\"Duration\"\n\"2026-11-21 08:00:00.000\",\"a, b\",\"12.5\"\n\"2026-11-21 08:00:01.000\",\"c\",\"13.5\"\n")]
    [InlineData("name,when utc time,p50Us\na,2026/11/21 08:00:00,12500\nb,2026/11/21 08:00:01,13500\n")]
    [InlineData(
        "(PDH-CSV 4.0) (W. Europe Standard Time)(-60),\\\\HOST\\Avg. Latency ms\n\"11/21/2026 09:00:00.000\",\"12.5\"\n\"11/21/2026 09:00:01.000\",\"13.5\"\n")]
    [InlineData(
        "(PDH-CSV 4.0) (Eastern Daylight Time)(240),\\\\HOST\\Avg. Disk sec/Read\n\"11/21/2026 04:00:00.000\",\"0.0125\"\n\"11/21/2026 "
        + "04:00:01.000\",\"0.0135\"\n")]
    [InlineData("sep=;\r\ntime;latency (ms)\r\n2026-11-21 08:00:00;12,5\r\n2026-11-21 08:00:01;13,5\r\n")]
    [InlineData("time;latency\n1795248000,000;12,5\n1795248001,000;13,5\n")]
    [InlineData("time,latency\n1.795248000e+09,12.5\n1.795248001e+09,13.5\n")]
    [InlineData("Date,Time,RTT\n2026-11-21,08:00:00,12.5\n2026-11-21,08:00:01,13.5\n")]
    [InlineData("2026-11-21,08:00:00,12.5\n2026-11-21,08:00:01,13.5\n")]
    [InlineData("date,time\n2026-11-21T08:00:00Z,12.5\n2026-11-21T08:00:01Z,13.5\n")]
    [InlineData("response_time_ms,timestamp\n12.5,2026-11-21T08:00:00Z\n13.5,2026-11-21T08:00:01Z\n")]
    [InlineData("response_time_ms,timestamp_ms\n12.5,1795248000000\n13.5,1795248001000\n")]
    [InlineData("time_ms,rtt_ms\n1795248000000,12.5\n1795248001000,13.5\n")]
    [InlineData("timestamp,response_code,response_time\n2026-11-21T08:00:00Z,200,12.5\n2026-11-21T08:00:01Z,200,13.5\n")]
    [InlineData("timestamp,responseCode,tookMs\n2026-11-21T08:00:00Z,200,12.5\n2026-11-21T08:00:01Z,200,13.5\n")]
    [InlineData("time,latency_micros\n2026-11-21T08:00:00Z,12500\n2026-11-21T08:00:01Z,13500\n")]
    [InlineData("time,Latency (nanos)\n2026-11-21T08:00:00Z,12500000\n2026-11-21T08:00:01Z,13500000\n")]
    [InlineData("time,latency_ms\n2026-11-21T08:00:01Z,13.5\n2026-11-21T08:00:00Z,12.5\n")]
    public void Read_Table_FindsTimeValueAndUnit(string text)
    {
        ObservedSeries series = Read(text);

        Assert.Equal(Eight, series.StartSeconds);
        Assert.Equal(1, series.StepSeconds);
        Assert.Equal([12.5e6, 13.5e6], series.MedianNs);
        Assert.Equal([1, 1], series.Counts);
        Assert.Equal(2, series.Distribution.Count);
    }

    public static TheoryData<string> Encodings => ["utf-8", "utf-16", "utf-16BE", "bare"];

    [Theory]
    [MemberData(nameof(Encodings))]
    public void Read_Encodings_AreTheSame(string name)
    {
        Encoding encoding = name == "bare" ? new UnicodeEncoding(false, false) : name == "utf-8" ? new UTF8Encoding(true) : Encoding.GetEncoding(name);

        Assert.Equal([12.5e6], Read("time,latency_ms\n2026-11-21T08:00:00Z,12.5\n", encoding: encoding).MedianNs);
    }

    [Fact]
    public void Read_Culture_DoesNotMatter()
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        CultureInfo german = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        (german.NumberFormat.NumberDecimalSeparator, german.NumberFormat.NumberGroupSeparator, german.DateTimeFormat.TimeSeparator) = (",", ".", ".");
        CultureInfo.CurrentCulture = german;
        try
        {
            Assert.Equal([12.5e6], Read("time,latency_ms\n2026-11-21T08:00:00Z,12.5\n").MedianNs);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Theory]
    [InlineData("time,latency_ms\n2026-11-21T08:00:00Z,1\nyesterday,2\n3,3\n", "line 3, column 1", "\"yesterday\"")]
    [InlineData("time,latency_ms\n2026-11-21T08:00:00Z,1\n2026-11-21T08:00:01Z,fast\n2026-11-21T08:00:02Z,3\n", "line 3, column 2", "\"fast\"")]
    [InlineData("time,latency_ms\n03/04/2026 08:00,1\n03/04/2026 08:01,1\n", "line 2, column 1", "--time-format")]
    [InlineData("time,latency_ms\n2026-11-21T08:00:00Z\n2026-11-21T08:00:00Z,1\n", "line 2", "fewer than 2 columns")]
    [InlineData("a,b\nx,y\n", "line 1", "--time-column")]
    [InlineData("time,a,b\n", "line 1", "--value-column")]
    [InlineData("time,latency_ms\n", "no rows")]
    [InlineData("\n\n", "is empty")]
    [InlineData("# nothing\n", "only comments")]
    [InlineData("time,latency_ms\n2026-11-21T08:00:00Z,1e300\n2026-11-21T08:00:00Z,1\n", "line 2", "11 days")]
    [InlineData("#Software: IIS\n#Fields: date time sc-status\n2026-11-21 08:00:00 200\n", "line 2", "time-taken")]
    [InlineData("#Fields: date time time-taken\n2026-11-21 08:00:00 soon\n2026-11-21 08:00:00 5\n", "line 2, field 3", "\"soon\"")]
    [InlineData("#Date: 2026-11-21\n2026-11-21 08:00:00 5\n", "line 2", "#Fields")]
    [InlineData(
        "startUtc,durationMs,n,minUs,p10Us,p50Us,p90Us,p99Us,p99_9Us,maxUs\n2026-11-21T08:00:00Z,1000,10,5,4,6,7,8,9,10\n"
        + "2026-11-21T08:00:00Z,1000,0,0,0,0,0,0,0,0\n", "line 2, column 5")]
    [InlineData("\u007fELF\0\0\0\u0001\n", "line 1", "not text")]
    public void Read_BadInput_SaysWhere(string text, params string[] says) =>
    Assert.All(says, s => Assert.Contains(s, Failure(text), StringComparison.Ordinal));

    [Fact]
    public void Read_LongLine_IsRefusedWithoutBeingHeld() =>
    Assert.Contains("more than 65536 characters", Failure("time,latency_ms\n" + new string('x', 1_000_000)), StringComparison.Ordinal);

    [Fact]
    public void Read_TornLastLine_IsLeftOut() => Assert.Equal(1, Read("time,latency_ms\n2026-11-21T08:00:00Z,1\n2026-11-21T08:0").Distribution.Count);

    [Fact]
    public void Read_FailuresAndBlanks_AreCountedApart()
    {
        ObservedSeries series = Read("time,latency_ms\n2026-11-21T08:00:00Z,1\n2026-11-21T08:00:01Z,\n2026-11-21T08:00:02Z,-1\n2026-11-21T08:00:03Z,NaN\n");

        Assert.Equal((1, 3, 4), (series.Distribution.Count, series.EmptyRows, series.Rows));
        Assert.Contains(series.Notes, n => n.StartsWith("3 of 4 rows left out", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("nan")]
    [InlineData("NA")]
    [InlineData("N/A")]
    [InlineData("None")]
    [InlineData("timeout")]
    public void Read_WordsForNoValue_AreLeftOutAndCounted(string word)
    {
        ObservedSeries series = Read($"time,latency_ms\n2026-11-21T08:00:00Z,1\n2026-11-21T08:00:01Z,{word}\n");

        Assert.Equal((1, 1, 2), (series.Distribution.Count, series.EmptyRows, series.Rows));
    }

    [Fact]
    public void Read_DayAndTimeApartInAFormat_AreJoined() => Assert.Equal(
        Eight, Read("Date;Time;RTT\n21.11.2026;08:00:00;2\n", new SeriesReadOptions { TimeFormat = "dd.MM.yyyy HH:mm:ss" }).StartSeconds);

    [Fact]
    public void Read_ValuesAboveAnHour_AreSaid() =>
        Assert.Contains(
            Read("time,latency_s\n2026-11-21T08:00:00Z,1\n2026-11-21T08:00:01Z,3601\n").Notes,
            n => n.StartsWith("1 of 2 values above 1 hour", StringComparison.Ordinal));

    [Fact]
    public void Read_RowFarFromAllOthers_IsSaid() =>
        Assert.Contains(
            Read(
                "time,latency_ms\n1970-01-01T00:00:00Z,1\n2026-11-21T08:00:00Z,1\n2026-11-21T08:00:01Z,1\n2026-11-21T08:00:02Z,1\n",
                new() { StepSeconds = 1 }).Notes, n => n.Contains("--exclude", StringComparison.Ordinal));

    [Fact]
    public void Read_NamedColumnsAndFormat_AreTaken()
    {
        SeriesReadOptions options = new() { TimeColumn = "Wann", ValueColumn = "3", UnitNs = 1e9, TimeFormat = "dd.MM.yyyy HH:mm:ss" };

        Assert.Equal([2e9], Read("Wann;was;wie lange\n21.11.2026 08:00:00;x;2\n", options).MedianNs);
        Assert.Contains("\"when\"", Failure("Wann;was;wie lange\n21.11.2026 08:00:00;x;2\n", options with { TimeColumn = "when" }), StringComparison.Ordinal);
    }

    [Fact]
    public void Read_IisLogWithoutDates_GoesOnAfterMidnight()
    {
        ObservedSeries series = Read("#Date: 2026-11-21 23:59:58\n#Fields: time time-taken\n23:59:59 1\n00:00:00 2\n00:00:01 3\n00:00:00 4\n");

        Assert.Equal([1, 2, 1], series.Counts);
        Assert.Equal(Eight + (16 * 3600) - 1, series.StartSeconds);
    }

    [Fact]
    public void Read_IisLogStillWritten_EndsWithItsLastLine()
    {
        ObservedSeries series =
            Read(
                "#Fields: date time time-taken\n2026-11-21 08:00:00 5\n" + new string('\0', 5000)
                    + "#Fields: date time time-taken\n2026-11-21 08:00:01 6\n2026-11-21 08:00:02 -1\n" + new string('\0', 60_000));

        Assert.Equal((2, 1), (series.Distribution.Count, series.EmptyRows));
    }

    [Fact]
    public void Read_Gzip_IsUnpacked()
    {
        using MemoryStream packed = new();
        using (System.IO.Compression.GZipStream gzip = new(packed, System.IO.Compression.CompressionMode.Compress, leaveOpen: true))
        {
            gzip.Write("#Fields: date time time-taken\n2026-11-21 08:00:00 5\n"u8);
        }

        Assert.Equal([5e6], SeriesFile.Read(new MemoryStream(packed.ToArray()), "f", new SeriesReadOptions()).MedianNs);
        byte[] damaged = packed.ToArray();
        damaged[2] = 99;
        Assert.Contains(
            "damaged", Assert.Throws<ExpectedFailureException>(() => SeriesFile.Read(new MemoryStream(damaged), "f", new SeriesReadOptions())).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Read_IisLog_IsUtcMillisecondsPerSecondWithChangingFields()
    {
        ObservedSeries series = Read("""
            #Software: Microsoft Internet Information Services 10.0
            #Version: 1.0
            #Date: 2026-11-21 08:00:00
            #Fields: date time s-ip cs-uri-stem sc-status time-taken
            2026-11-21 08:00:00 10.0.0.5 /a 200 15
            2026-11-21 08:00:00 10.0.0.5 /b 200 31
            2026-11-21 08:00:02 10.0.0.5 /c 500 -
            #Fields: time time-taken cs-uri-stem
            08:00:03 900 /d
            """, new SeriesReadOptions { SlowerThanNs = 500_000_000, StepSeconds = 1 });

        Assert.Equal("iis", series.Kind);
        Assert.Equal(Eight, series.StartSeconds);
        Assert.Equal([23e6, double.NaN, double.NaN, 900e6], series.MedianNs);
        Assert.Equal([0, 0, 0, 1], series.Slow);
        Assert.Equal(1, series.EmptyRows);
    }

    [Fact]
    public void Read_OwnSeries_KeepsCountsExtremesAndPercentiles()
    {
        ObservedSeries series = Read("startUtc,durationMs,n,minUs,p10Us,p50Us,p90Us,p99Us,p99_9Us,maxUs\n"
            + string.Concat(Enumerable.Range(0, 60).Select(i => $"2026-11-21T08:00:{i:00}.000Z,1000,1000,100,110,200,300,400,500,{5000 + i}\n")));

        Assert.True(series.IsApproximate);
        Assert.Equal(60_000, series.Distribution.Count);
        Assert.Equal((100_000, 5_059_000), (series.Distribution.MinNs / 10_000 * 10_000, series.Distribution.MaxNs));
        Assert.InRange(series.Distribution.ValueAtPercentile(50), 190_000, 205_000);
        Assert.InRange(series.Distribution.ValueAtPercentile(90), 290_000, 310_000);
        Assert.InRange(series.Distribution.ValueAtPercentile(99), 380_000, 410_000);
        Assert.Equal(60, series.MedianNs.Count(v => v == 200_000));
    }

    [Fact]
    public void Read_Exclusion_IsLeftOutOfEverything()
    {
        DateTimeOffset at = DateTimeOffset.FromUnixTimeSeconds((long)Eight);
        ObservedSeries series =
            Read("time,latency_ms\n" + string.Concat(Enumerable.Range(0, 100).Select(i => $"{Eight + i},{(i is >= 20 and < 40 ? 9999 : 5)}\n")),
            new SeriesReadOptions { Excluded = [new(at.AddSeconds(20), at.AddSeconds(40))], SlowerThanNs = 1_000_000_000 });

        Assert.Equal((80, 20), (series.Distribution.Count, series.ExcludedRows));
        Assert.Equal(5_000_000, series.Distribution.MaxNs);
        Assert.Equal(0, series.Slow.Sum());
    }

    /// <summary>A small window gives the same as one that holds everything.</summary>
    [Fact]
    public void Read_MoreThanTheWindow_IsTheSame()
    {
        Random random = new(1);
        string text = "time,latency_ms\n"
            + string.Concat(Enumerable.Range(0, 20_000).Select(i => $"{Eight + (i / 10.0) + (2 * random.NextDouble()):0.000},{random.Next(1, 100)}\n"));
        ObservedSeries whole = Read(text);
        ObservedSeries windowed = Read(text, new SeriesReadOptions { WindowRows = 1000 });

        Assert.Equal(whole.Counts, windowed.Counts);
        Assert.Equal(whole.MedianNs, windowed.MedianNs);
    }

    [Fact]
    public void Read_Years_CoarsensInsteadOfGrowing()
    {
        ObservedSeries series = Read($"time,latency_ms\n{Eight},1\n{Eight + 1},2\n{Eight + 100_000_000},3\n", new SeriesReadOptions { StepSeconds = 1 });

        Assert.InRange(series.Counts.Length, 1, 1 << 20);
        Assert.Equal(3, series.Counts.Sum());
        Assert.Equal(128, series.StepSeconds);
    }

    /// <summary>A clock that was wrong for a while, before or after it was right: its rows are told and left out, the others keep their bins.</summary>
    [Theory]
    [InlineData(-1.7e9, "first")]
    [InlineData(-1.7e9, "within")]
    [InlineData(2e8, "within")]
    [InlineData(2e8, "last")]
    [InlineData(-8e6, "first")]
    public void Read_FewRowsAtAWrongTime_LeftOutAndTold(double off, string where)
    {
        List<string> rows = [.. Enumerable.Range(0, 600).Select(i => $"{DateTime.UnixEpoch.AddSeconds(Eight + i):s}Z,{i % 7 + 1}")];
        int at = where == "first" ? 0 : where == "last" ? 600 : 300;
        rows.InsertRange(at, Enumerable.Range(0, 3).Select(i => $"{DateTime.UnixEpoch.AddSeconds(Eight + off + i):s}Z,9"));
        string text = "time,latency_ms\n" + string.Join('\n', rows);
        foreach (int window in (int[])[1_000_000, 100])
        {
            ObservedSeries series = Read(text, new SeriesReadOptions { WindowRows = window });

            Assert.Equal((Eight, 1, 600, 603), (series.StartSeconds, series.StepSeconds, series.Counts.Sum(), series.Distribution.Count));
            Assert.Single(series.Notes, n => n.Contains("3 rows", StringComparison.Ordinal));
            // A window that has passed already knows such rows as late ones.
            Assert.Equal(window == 100 && off < 0 && where == "within" ? 603 : 600, series.FirstRows.Count);
        }
    }

    /// <summary>What was measured a year later, and not only a few rows of it, is no mistake of a clock.</summary>
    [Theory]
    [InlineData(1_000_000)]
    [InlineData(100)]
    public void Read_MuchLater_IsPartOfTheSeries(int window)
    {
        string Part(double from) => string.Concat(Enumerable.Range(0, 300).Select(i => $"{DateTime.UnixEpoch.AddSeconds(from + i):s}Z,2\n"));

        ObservedSeries series = Read("time,latency_ms\n" + Part(Eight) + Part(Eight + 3e7), new SeriesReadOptions { WindowRows = window });

        Assert.Equal(600, series.Counts.Sum());
        Assert.DoesNotContain(series.Notes, n => n.Contains("the clock was wrong", StringComparison.Ordinal));
    }

    /// <summary>Damaged bytes give a series or a sentence, never another failure.</summary>
    [Fact]
    public void Read_Fuzz_FailsOnlyAsExpected()
    {
        string[] seeds =
        [
            "time,latency_ms\n2026-11-21T08:00:00Z,12.5\n2026-11-21T08:00:01Z,13.5\n2026-11-21T08:00:02Z,13.5\n",
            "#Software: IIS\n#Fields: date time time-taken\n2026-11-21 08:00:00 5\n2026-11-21 08:00:01 6\n",
            "startUtc,durationMs,n,minUs,p10Us,p50Us,p90Us,p99Us,p99_9Us,maxUs\n2026-11-21T08:00:00Z,1000,10,1,2,3,4,5,6,7\n",
        ];
        Random random = new(7);
        for (int i = 0; i < Repository.Times(8000); i++)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(seeds[i % seeds.Length]);
            for (int k = random.Next(1, 6); k > 0; k--)
            {
                bytes[random.Next(bytes.Length)] = random.Next(3) == 0 ? (byte)random.Next(256) : (byte)"0123456789,;\n\"#-.: eE"[random.Next(21)];
            }

            bytes = bytes[..random.Next(1, bytes.Length + 1)];
            try
            {
                Assert.True(SeriesFile.Read(new MemoryStream(bytes), "f", new SeriesReadOptions()).Distribution.Count > 0);
            }
            catch (ExpectedFailureException e)
            {
                Assert.Equal(ExitCode.Input, e.Code);
            }
        }
    }
}
