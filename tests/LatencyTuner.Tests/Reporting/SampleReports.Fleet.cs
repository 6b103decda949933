using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Merging;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Tests.Settings;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Six clients of one server: one stalls, one is far away from the others, one has other settings; and files that cannot be read.</summary>
internal static partial class SampleReports
{
    internal static FleetReport Fleet => FleetOf(bad: true);

    internal static FleetReport QuietFleet => FleetOf(bad: false);

    /// <summary>A measurement from one host to another.</summary>
    internal static MeasurementReport PairOf(string client, string server, double p99Us) => Healthy with
    {
        Origin = new DocumentOrigin { Host = client },
        Target = Healthy.Target with { Name = server },
        ResponseTime = Remote with
        {
            Count = 4_000,
            P99Us = p99Us,
            Intervals = new Dictionary<string, Core.Statistics.IntervalFigures>
            {
                ["p50Us"] = Between(1119, 1131),
                ["p99Us"] = Between(p99Us * 0.95, p99Us * 1.05),
            },
        },
    };

    private static FleetReport FleetOf(bool bad)
    {
        FleetReportBuilder fleet = new();
        void Add(Document document, string file) => fleet.Add(PublishedDocuments.Judge(document, Gate.Open), file);
        for (int i = 1; i <= 6; i++)
        {
            Add(PairOf($"app0{i}", "db1:7117", 1_450 + (10 * i)), $"app0{i}.json");
            Add(SampleSnapshots.Server2022 with { Machine = $"app0{i}" }, $"app0{i}-snapshot.json");
        }

        if (bad)
        {
            Add(PairOf("app07", "db1:7117", 9_800), "app07.json");
            Add(Split with { Origin = new DocumentOrigin { Host = "app08" } }, "app08.json");
            Add(SampleSnapshots.Changed() with { Machine = "app08" }, "app08-snapshot.json");
            Add(Sockets with { Origin = new DocumentOrigin { Host = "app08" } }, "app08-sockets.json");
            Add(Sockets with { Origin = new DocumentOrigin { Host = "app07" } }, "app07-sockets.json");
            Add(Series with { Origin = new DocumentOrigin { Host = "mon1" } }, "mon1.json");
            Add(Series with { Origin = new DocumentOrigin { Host = "mon2" } }, "mon2.json");
            fleet.AddUnreadable("app09.json", "app09.json: line 91, column 10: the file ends within a value.");
        }

        return fleet.Build(bad ? 20 : 12, Gate.Open);
    }
}
