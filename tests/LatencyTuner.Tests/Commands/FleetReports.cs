using System.Text.Json.Nodes;
using System.Xml.Linq;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Reporting;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary><c>report</c> of the documents of several hosts.</summary>
public sealed class FleetReports
{
    private const string Finding = "LT101";

    private static void Write(TempFolder folder, string name, Document document) => folder.Write(name, ReportJson.SerializeAny(Judged.Sealed(document)));

    private static MeasurementReport Stalling(string host) => SampleReports.Split with { Origin = new DocumentOrigin { Host = host } };

    private static TempFolder Six()
    {
        TempFolder folder = new();
        for (int i = 1; i <= 6; i++)
        {
            Write(folder, $"app0{i}.json", SampleReports.PairOf($"app0{i}", "db1", 1_400 + i));
        }

        return folder;
    }

    [Fact]
    public void Report_AnyKindsMixed_AreOneDocument()
    {
        using TempFolder folder = Six();
        Write(folder, "app07.json", SampleReports.PairOf("app07", "db1", 20_000));
        Write(folder, "app08.json", Stalling("app08"));
        Write(folder, "app01-snapshot.json", SampleSnapshots.Server2022 with { Machine = "app01" });
        Write(folder, "app02-snapshot.json", SampleSnapshots.Changed() with { Machine = "app02" });
        Write(folder, "sockets.json", SampleReports.Sockets with { Origin = new DocumentOrigin { Host = "app01" } });
        Write(folder, "check.json", SampleReports.Pass with { Origin = new DocumentOrigin { Host = "app03" } });
        JsonNode fleet = JsonNode.Parse(CliRun.Of("report", folder.Path, "--format", "json").Done().Out)!;

        Assert.Equal("latencytuner/fleet/2", fleet["schema"]!.GetValue<string>());
        Assert.Equal(8, fleet["hosts"]!.AsArray().Count);
        Assert.Equal("app08", fleet["hosts"]![0]!["name"]!.GetValue<string>());
        JsonNode outlier = Assert.Single(fleet["pairs"]!.AsArray(), p => p!["outlier"]!.GetValue<string>() == "slower")!;
        Assert.Equal(("app07", "db1"), (outlier["client"]!.GetValue<string>(), outlier["server"]!.GetValue<string>()));
        Assert.Contains(fleet["drift"]!.AsArray(), d => d!["id"]?.GetValue<string>() == "tcp.ackfrequency");
        Assert.Contains(fleet["processes"]!.AsArray(), p => p!["process"]?.GetValue<string>() == "nginx");
        Assert.Contains(fleet["recommendations"]!.AsArray(), r => r!["hosts"]!.AsArray().Any(h => h!.GetValue<string>() == "app08"));
        Assert.Equal(Finding, Assert.Single(fleet["hosts"]![0]!["findings"]!.AsArray())!.GetValue<string>());
    }

    [Fact]
    public void Report_FailOn_IsAGateOverTheFleet()
    {
        using TempFolder folder = Six();
        _ = CliRun.Of("report", folder.Path, "--fail-on", "warning").Done();
        Write(folder, "app08.json", Stalling("app08"));

        CliRun failed = CliRun.Of("report", folder.Path, "--fail-on", "warning").Done(1);
        Assert.StartsWith("FAIL", failed.Out, StringComparison.Ordinal);
        Assert.Contains("app08 (LT101)", failed.Out, StringComparison.Ordinal);
        CliRun open = CliRun.Of("report", folder.Path).Done();
        Assert.StartsWith("FINDINGS", open.Out, StringComparison.Ordinal);
        XElement suite = XDocument.Parse(CliRun.Of("report", folder.Path, "--fail-on", "warning", "--format", "junit").Done(1).Out).Root!;
        Assert.Equal(("7", "1"), (suite.Attribute("tests")!.Value, suite.Attribute("failures")!.Value));
    }

    /// <summary>It has the findings of many hosts: nothing in it would be a false all-clear.</summary>
    [Fact]
    public void Recommend_FromAFleetDocument_IsRefused()
    {
        using TempFolder folder = new();
        Write(folder, "fleet.json", SampleReports.Fleet);

        CliRun.Of("recommend", "--from", Path.Combine(folder.Path, "fleet.json")).Failed(3, "report of several hosts");
    }

    [Fact]
    public void Report_OfAFleetDocument_ShowsItAgain_AndAmongOthersItIsRefused()
    {
        using TempFolder folder = Six();
        Write(folder, "app08.json", Stalling("app08"));
        using TempFolder other = new();
        _ = CliRun.Of("report", folder.Path, "--format", "json", "--output", other["fleet.json"]);

        Assert.StartsWith("FINDINGS", CliRun.Of("report", other["fleet.json"]).Done().Out, StringComparison.Ordinal);
        _ = CliRun.Of("report", other["fleet.json"], "--fail-on", "error").Done(1);
        string rows = CliRun.Of("report", other["fleet.json"], "--format", "csv").Done().Out;
        Assert.Equal(8, rows.Split("\r\n", StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Contains(
            "Give the documents that it was made from", CliRun.Of("report", folder["app01.json"], other["fleet.json"], "--format", "csv").Out,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("newer.json", "{ \"schema\": \"latencytuner/check/9\" }", "newer version")]
    [InlineData("cut.json", "{ \"schema\": \"latencytuner/check/2\", \"verdict\": \"pa", "cut.json")]
    [InlineData("nothing.json", "", "nothing.json")]
    [InlineData("other.json", "{ \"schema\": \"k6/summary/1\" }", "other.json")]
    [InlineData("latin1.json", "{ \"schema\": \"latencytuner/check/2\", \"text\": \"\u0001\" }", "latin1.json")]
    public void Report_BadFileAmongGoodOnes_IsListedAndTheOthersAreReported(string name, string text, string says)
    {
        using TempFolder folder = Six();
        // A byte that is no UTF-8 stands for U+0001.
        folder.Write(name, [.. System.Text.Encoding.UTF8.GetBytes(text).Select(b => b == 1 ? (byte)0xE4 : b)]);

        string screen = string.Join(' ', CliRun.Of("report", folder.Path).Done(3).Out.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains("6 hosts", screen, StringComparison.Ordinal);
        Assert.Contains("1 of 7 files could not be read", screen, StringComparison.Ordinal);
        CliRun json = CliRun.Of("report", folder.Path, "--format", "json");
        Assert.Equal((3, 1), (json.Code, json.Error.Count(c => c == '\n')));
        Assert.Contains(name, json.Error, StringComparison.Ordinal);
        JsonNode fleet = JsonNode.Parse(json.Out)!;
        JsonNode bad = Assert.Single(fleet["unreadable"]!.AsArray())!;
        Assert.EndsWith(name, bad["file"]!.GetValue<string>(), StringComparison.Ordinal);
        Assert.Contains(says, bad["because"]!.GetValue<string>(), StringComparison.Ordinal);
        string page = CliRun.Of("report", folder.Path, "--format", "html").Out;
        Assert.Contains("Not read", page, StringComparison.Ordinal);
        Assert.Contains(name, page, StringComparison.Ordinal);
    }

    [Fact]
    public void Report_AllBad_IsOneSentence()
    {
        using TempFolder folder = new();
        folder.Write("a.json", "{");
        folder.Write("b.json", "{}");

        _ = CliRun.Of("report", folder.Path).Failed(3, "None of the 2 files could be read. The first: ");
        _ = CliRun.Of("report", folder["x*.json"]).Failed(3, "x*.json");
    }

    [Fact]
    public void Report_Pattern_IsResolvedAsPowerShellLeavesIt()
    {
        using TempFolder folder = Six();
        Write(folder, "web1.json", SampleReports.PairOf("web1", "db1", 1_400));

        Assert.Contains("6 hosts", CliRun.Of("report", folder["app*.json"]).Done().Out, StringComparison.Ordinal);
        Assert.Contains("7 hosts", CliRun.Of("report", folder["*"]).Done().Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Report_EmptyMeasurementAndOneSample_AreRowsWithoutAPercentile()
    {
        using TempFolder folder = Six();
        MeasurementReport none = SampleReports.PairOf("app07", "db1", 1) with { Received = 0, ResponseTime = new() { Count = 0 } };
        MeasurementReport one = SampleReports.PairOf("app08", "db1", 1) with
        {
            Received = 1,
            ResponseTime = new() { Count = 1, MinUs = 5, MaxUs = 5, MeanUs = 5 },
        };
        Write(folder, "app07.json", none);
        Write(folder, "app08.json", one);
        JsonNode fleet = JsonNode.Parse(CliRun.Of("report", folder.Path, "--format", "json").Done().Out)!;

        Assert.Null(fleet["pairs"]!.AsArray().Single(p => p!["client"]!.GetValue<string>() == "app07")!["p99Us"]);
        Assert.Equal(5, fleet["pairs"]!.AsArray().Single(p => p!["client"]!.GetValue<string>() == "app08")!["atLeastUs"]!.GetValue<double>());
    }

    [Fact]
    public void Report_HostileNames_AreInert()
    {
        using TempFolder folder = Six();
        for (int i = 0; i < 25; i++)
        {
            Write(folder, $"h{i}.json", SampleReports.PairOf($"{SamplePages.Hostile}{i}", SamplePages.Hostile, 2_000 + i) with
            {
                Findings = [SampleReports.SplitWrites with { Host = SamplePages.Hostile, For = [SamplePages.Hostile], Recommendation = SamplePages.Hostile }],
            });
        }

        Write(folder, "s.json", SampleReports.Sockets with
        {
            Origin = new DocumentOrigin { Host = SamplePages.Hostile },
            Processes = [.. SampleReports.Sockets.Processes.Select(p => p with { Process = SamplePages.Hostile })],
        });
        string page = CliRun.Of("report", folder.Path, "--format", "html").Done().Out;

        XDocument html = XDocument.Parse(page);
        Assert.DoesNotContain(html.Descendants(), e => e.Name.LocalName is "script" or "img" or "b");
        Assert.All(
            html.Descendants().Attributes().Where(a => a.Name.LocalName is "href" or "id"), a => Assert.Matches("^#?[a-z0-9-]+$", a.Value));
        Assert.DoesNotContain('\u202E', page);
        string text = CliRun.Of("report", folder.Path, "--details").Done().Out;
        Assert.DoesNotContain('\u202E', text);
    }

    [Fact]
    public void Report_OfManyHosts_HasARowForEachAndLeadsToIt()
    {
        using TempFolder folder = new();
        for (int i = 0; i < 120; i++)
        {
            Write(folder, $"h{i:000}.json", SampleReports.PairOf($"h{i:000}", $"db{i % 3}", 1_400 + i));
        }

        XDocument html = XDocument.Parse(CliRun.Of("report", folder.Path, "--format", "html").Done().Out);
        string[] places = [.. html.Descendants().Attributes("id").Select(a => a.Value)];
        Assert.Equal(places.Length, places.Distinct().Count());
        Assert.Equal(120, places.Count(p => p.StartsWith("host-", StringComparison.Ordinal)));
        Assert.All(html.Descendants().Attributes("href"), a => Assert.Contains(a.Value[1..], places));
        string[] screen = CliRun.Of("report", folder.Path).Done().Out.TrimEnd().Split('\n');
        Assert.InRange(screen.Length, 10, 22);
        Assert.All(screen, l => Assert.InRange(l.Length, 0, 80));
    }

    /// <summary>Every kind that carries findings leads to the advice that <c>recommend --from</c> draws from it.</summary>
    [Theory]
    [InlineData("measure-split")]
    [InlineData("diagnose")]
    [InlineData("check-fail")]
    [InlineData("analyze")]
    [InlineData("sockets")]
    [InlineData("sockets-stalled")]
    [InlineData("sweep-window")]
    [InlineData("under-load")]
    [InlineData("series")]
    [InlineData("settings-list")]
    public void Report_RecommendationsOfAKind_AreThoseOfRecommend(string sample)
    {
        using TempFolder folder = new();
        Document document = SampleReports.All[sample];
        Write(folder, "a.json", document is Report report ? report with { Origin = new DocumentOrigin { Host = "app01" } } : document);
        Write(folder, "b.json", SampleReports.PairOf("app02", "db1", 1_400));
        JsonNode fleet = JsonNode.Parse(CliRun.Of("report", folder["a.json"], folder["b.json"], "--format", "json").Out)!;
        JsonNode alone = JsonNode.Parse(CliRun.Of("recommend", "--from", folder["a.json"], "--format", "json").Out)!;

        Assert.Equal(
            alone["recommendations"]!.AsArray().Where(r => r!["appliesTo"] is null && r["isDone"]?.GetValue<bool>() != true)
                .Select(r => r!["id"]!.GetValue<string>()).Distinct().Order(),
            fleet["recommendations"]!.AsArray().Select(r => r!["id"]!.GetValue<string>()).Order());
    }

    [Fact]
    public void Report_OutliersWithoutAFinding_AreUnusualAndNoStall()
    {
        using TempFolder folder = Six();
        Write(folder, "app07.json", SampleReports.PairOf("app07", "db1", 20_000));
        JsonNode fleet = JsonNode.Parse(CliRun.Of("report", folder.Path, "--format", "json").Done().Out)!;

        Assert.Equal("unusual", fleet["verdict"]!.GetValue<string>());
        Assert.StartsWith("OUTLIERS", CliRun.Of("report", folder.Path).Done().Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("app01", "app01")]
    [InlineData("app01", "app02")]
    public void Report_OfTwoSnapshots_NamesCompare(string first, string second)
    {
        using TempFolder folder = new();
        Write(folder, "before.json", SampleSnapshots.Server2022 with { Machine = first });
        Write(folder, "later.json", SampleSnapshots.Changed() with { Machine = second, TakenUtc = SampleSnapshots.Server2022.TakenUtc!.Value.AddDays(1) });
        JsonNode fleet = JsonNode.Parse(CliRun.Of("report", folder["later.json"], folder["before.json"], "--format", "json").Done().Out)!;

        string compare = Assert.Single(
            fleet["nextSteps"]!.AsArray().Select(s => s!.GetValue<string>()), s => s.Contains(" compare ", StringComparison.Ordinal));
        Assert.Contains("before.json", compare, StringComparison.Ordinal);
        Assert.Contains("later.json", compare, StringComparison.Ordinal);
        Assert.True(first != second || compare.IndexOf("before", StringComparison.Ordinal) < compare.IndexOf("later", StringComparison.Ordinal), compare);
    }

    [Fact]
    public void Report_EqualAndExtremeValues_AreReportedOrRefusedInASentence()
    {
        using TempFolder folder = Six();
        Write(folder, "equal.json", SampleReports.PairOf("equal", "db1", 1_400) with
        {
            ResponseTime = new() { Count = 4_000, MinUs = 100, P50Us = 100, P90Us = 100, P99Us = 100, MaxUs = 100, MeanUs = 100 },
        });
        Write(folder, "large.json", SampleReports.PairOf("large", "db1", 3.6e9));
        string good = File.ReadAllText(folder["app01.json"]);
        folder.Write("huge.json", good.Replace("\"p99Us\": 1401,", "\"p99Us\": 1e300,", StringComparison.Ordinal));
        folder.Write("infinite.json", good.Replace("\"p99Us\": 1401,", "\"p99Us\": 1e999,", StringComparison.Ordinal));
        JsonNode fleet = JsonNode.Parse(CliRun.Of("report", folder.Path, "--format", "json").Out)!;

        Assert.Equal(8, fleet["hosts"]!.AsArray().Count);
        Assert.Equal(
            ["huge.json", "infinite.json"], fleet["unreadable"]!.AsArray().Select(u => Path.GetFileName(u!["file"]!.GetValue<string>())).Order());
        Assert.All(fleet["unreadable"]!.AsArray(), u => Assert.Contains("p99Us", u!["because"]!.GetValue<string>(), StringComparison.Ordinal));
        _ = XDocument.Parse(CliRun.Of("report", folder.Path, "--format", "html").Out);
    }

    [Fact]
    public void Report_NameOfAFileThatIsNotUtf8_IsListed()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using TempFolder folder = Six();
        using System.Diagnostics.Process touch = System.Diagnostics.Process.Start(
            "/bin/sh", ["-c", "printf '{}' > \"$(printf \"$1/bad\\344.json\")\"", "sh", folder.Path]);
        touch.WaitForExit();
        JsonNode fleet = JsonNode.Parse(CliRun.Of("report", folder.Path, "--format", "json").Out)!;

        Assert.Equal(6, fleet["hosts"]!.AsArray().Count);
        Assert.Contains("is not UTF-8", Assert.Single(fleet["unreadable"]!.AsArray())!["because"]!.GetValue<string>(), StringComparison.Ordinal);
        _ = System.Diagnostics.Process.Start("/bin/sh", ["-c", $"rm -f '{folder.Path}'/bad*"]).WaitForExit(10_000);
    }

    [Fact]
    public void Report_UnwritableOutput_IsOneSentence()
    {
        using TempFolder folder = Six();
        CliRun.Of("report", folder.Path, "--output", Path.Combine(folder.Path, "none", "x.html"), "--format", "html").Failed(2, "--output");
    }

    [Theory]
    [InlineData("latencytuner monitor db1 --otlp http://jdoe:secret@store:4318/v1/metrics", "latencytuner monitor db1 --otlp http://***@store:4318/v1/metrics")]
    [InlineData("latencytuner monitor --otlp=https://key@store/", "latencytuner monitor --otlp=https://***@store/")]
    [InlineData("latencytuner check db1 --token-file /etc/t@1", "latencytuner check db1 --token-file /etc/t@1")]
    public void CommandLine_OfADocument_HoldsNoPassword(string line, string kept) => Assert.Equal(kept, CliHost.Kept(line));

    [Fact]
    public void CommandLine_OfThousandsOfFiles_IsCut() => Assert.InRange(CliHost.Kept(new string('a', 1_000_000)).Length, 2000, 2050);
}
