using System.Globalization;
using System.Text;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Series;

namespace LatencyTuner.Tests.Reporting;

/// <summary>A page of every kind, good, bad and empty, with distributions that are real ones.</summary>
internal static class SamplePages
{
    internal const string Hostile = "<script>alert('x')</script><img src=x onerror=alert(1)>\"]]>--><b>&amp;\u202Egnp.exe";

    private static readonly DocumentOrigin Origin = new()
    {
        Host = "app01",
        CommandLine = "latencytuner measure db1:7117 --token-file token.txt --pattern split --runs 3",
        Operator = "J. Doe",
        Ticket = "CHG0012345",
        Note = "Before the change of the order service.",
    };

    internal static IReadOnlyDictionary<string, string> All { get; } = Make();

    /// <summary>Requests of about 15 us; with stalls, every fifth in the middle third takes about 44 ms.</summary>
    internal static MeasurementReport Measurement(bool stalls, int runs = 3, int parts = 20, int each = 400)
    {
        Random random = new(7);
        LatencyHistogram total = new();
        List<RunFigures> figures = [];
        long stalled = 0;
        for (int part = 0; part < runs * parts; part++)
        {
            LatencyHistogram histogram = new();
            bool bad = stalls && part > runs * parts / 3 && part < runs * parts * 2 / 3;
            // One part without any reply.
            for (int i = 0; i < each && part != 7; i++)
            {
                bool stall = bad && i % 5 == 0;
                histogram.Record(stall ? 43_000_000 + random.Next(2_000_000) : (long)(13_000 + (2500 * -Math.Log(1 - random.NextDouble()))));
                stalled += stall ? 1 : 0;
            }

            total.Add(histogram);
            figures.Add(new()
            {
                Run = part / parts,
                StartMs = part * 100,
                DurationMs = 100,
                Count = histogram.Count,
                Histogram = Convert.ToBase64String(histogram.EncodeCompressedV2()),
            });
        }

        MeasurementReport sample = stalls ? SampleReports.Split : SampleReports.Healthy;
        double Us(double p) => total.ValueAtPercentile(p) / 1e3;
        return sample with
        {
            Origin = Origin,
            Received = total.Count,
            Sent = total.Count,
            Runs = figures,
            Stalls = sample.Stalls with { Count = stalled, Share = (double)stalled / total.Count, ThresholdMs = 9 },
            ResponseTime = sample.ResponseTime with
            {
                Count = total.Count,
                MinUs = total.MinNs / 1e3,
                P50Us = Us(50),
                P90Us = Us(90),
                P99Us = Us(99),
                P999Us = Us(99.9),
                P9999Us = null,
                MaxUs = total.MaxNs / 1e3,
                Intervals = new Dictionary<string, Core.Statistics.IntervalFigures>
                {
                    ["p50Us"] = new() { LowUs = Us(49.5), HighUs = Us(50.5) },
                    ["p90Us"] = new() { LowUs = Us(89), HighUs = Us(91) },
                    ["p99Us"] = new() { LowUs = Us(98.6), HighUs = Us(99.4) },
                    ["p99_9Us"] = new() { LowUs = Us(99.8) },
                    ["p99_99Us"] = new() { LowUs = Us(99.8), AtLeastUs = total.MaxNs / 1e3 },
                },
            },
        };
    }

    /// <summary>A day of one value a second: swings, shifts, a gap of two hours.</summary>
    internal static SeriesReport Day(int hours = 24)
    {
        Random random = new(3);
        StringBuilder text = new("time,latency_ms\n");
        for (int i = 0; i < hours * 3600; i++)
        {
            if (i / 3600 is 5 or 6)
            {
                continue;
            }

            double ms = 3 + (random.NextDouble() * 0.6) + (0.8 * Math.Cos(2 * Math.PI * i / 1800)) + (i > hours * 2400 ? 4 : 0)
                + (random.Next(4000) == 0 ? 200 : 0);
            text.Append(CultureInfo.InvariantCulture, $"{SampleReports.Started.AddSeconds(i):yyyy-MM-ddTHH:mm:ssZ},{ms:0.000}\n");
        }

        return SeriesReportBuilder.From(
            [SeriesFile.Read(new MemoryStream(Encoding.UTF8.GetBytes(text.ToString())), "db1.csv", new SeriesReadOptions())], SeverityLimits.Standard);
    }

    private static Dictionary<string, string> Make()
    {
        Dictionary<string, Document> documents = new()
        {
            ["measure-good"] = Measurement(stalls: false),
            ["measure-bad"] = Measurement(stalls: true),
            ["series-day"] = Day(),
            ["hostile"] = Measurement(stalls: true) with
            {
                Target = new() { Name = Hostile },
                Notes = [Hostile],
                Findings = [SampleReports.SplitWrites with { Host = Hostile, Process = Hostile, For = [Hostile], Recommendation = Hostile }],
                Origin = new() { Host = Hostile, CommandLine = Hostile, Note = Hostile, Operator = Hostile, Ticket = Hostile },
            },
            ["hostile-analysis"] = HostileAnalysis(),
            ["verify-effect"] = (ChangeReport)SampleReports.All["verify-as-written"] with
            {
                Effect = new()
                {
                    Verdict = "better",
                    Text = SampleReports.Comparison.Text,
                    Quantiles = SampleReports.Comparison.Quantiles,
                },
            },
        };
        foreach ((string name, Document document) in SampleReports.All)
        {
            documents[name] = document;
        }

        Dictionary<string, Page> pages = documents.ToDictionary(d => d.Key, d => PublishedDocuments.PageOf(Judged.Sealed(d.Value)));
        Dictionary<string, string> html = pages.ToDictionary(p => p.Key, p => HtmlReportWriter.Write(p.Value));
        html["index"] = HtmlReportWriter.Write(
            [pages["measure-good"], pages["measure-bad"], pages["diagnose"], pages["hostile"]],
            new() { Inputs = [new("host1.json", new string('a', 64)), new(Hostile, null)] });
        html["interactive"] = HtmlReportWriter.Write([pages["series-day"], pages["measure-bad"]], new() { Interactive = true });
        return html;
    }

    private static AnalysisReport HostileAnalysis()
    {
        AnalysisReport sample = (AnalysisReport)SampleReports.All["analyze"];
        return sample with
        {
            Connections = [.. sample.Connections.Select(c => c with { Id = Hostile, StallsMs = new Dictionary<string, double> { [Hostile] = 40 } })],
            Transactions = [.. sample.Transactions.Select(t => t with { Connection = Hostile, Stall = Hostile })],
            Example = sample.Example! with { Title = Hostile, Steps = [.. sample.Example!.Steps.Select(s => s with { Text = Hostile, Because = Hostile })] },
        };
    }
}
