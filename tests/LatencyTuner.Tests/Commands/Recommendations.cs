using System.Text;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Recommendations;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Reporting;
using LatencyTuner.Tests.Settings;
using LatencyTuner.Tests.Tuning.Recommendations;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class Recommendations : IDisposable
{
    private readonly TempFolder _folder = new();

    private static string Lab => Evidence.PathOf("diagnosis.json");

    private static string Server => SampleSnapshots.PathOf("server2022.json");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Run_OnARealExperiment_AnswersFirst()
    {
        CliRun run = CliRun.Of("recommend", "--from", Lab, "--snapshot", Server, "--details").Done();

        Assert.StartsWith("RECOMMENDED  Write each request with one send call (the client's application", run.Out, StringComparison.Ordinal);
        int top = run.Out.IndexOf("1. REC-NAGLE-ONE-WRITE", StringComparison.Ordinal);
        Assert.InRange(run.Out[..top].Count(c => c == '\n'), 4, 16);
        Assert.Contains("What does not help here", run.Out, StringComparison.Ordinal);
        Assert.Contains("is set, but has no effect (LT202)", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_OnAnExperimentAlone_FitsAScreenAndAHalf() =>
        Assert.InRange(CliRun.Of("recommend", "--from", Lab, "--details").Done().Out.Count(c => c == '\n'), 20, 75);

    [Theory]
    [InlineData("text")]
    [InlineData("json")]
    [InlineData("csv")]
    [InlineData("html")]
    [InlineData("junit")]
    public void Run_PrintsEveryForm(string format) => CliRun.Of("recommend", "--from", Lab, "--snapshot", Server, "--format", format).Done();

    [Fact]
    public void Json_ReadsBack()
    {
        RecommendationReport report = Json("recommend", "--from", Lab, "--snapshot", Server);

        Assert.Equal(("server2022.json", "HV-APP01", "balanced"), (Path.GetFileName(report.Snapshot), report.Machine, report.Profile));
        Assert.Equal("REC-NAGLE-ONE-WRITE", report.Recommendations[0].Id);
        Assert.Equal(EffectBasis.Measured, report.Recommendations[0].Effect.Basis);
        Assert.Equal(["csharp", "c"], report.Recommendations[0].Snippets.Select(s => s.Language));
        Assert.Contains(report.Findings, f => f.Id == "LT101");
    }

    [Fact]
    public void From_TakesEveryKindWithFindings()
    {
        (string, Document)[] kinds = new (string, Document)[]
        {
            ("diagnosis", SampleReports.ExperimentOnTeam), ("measurement", SampleReports.Split), ("check", SampleReports.Fail),
            ("sweep", SampleReports.Sweep), ("settings", SampleSnapshots.List),
        };
        string[] files = kinds.Select(k => Save(k.Item1 + ".json", ReportJson.SerializeAny(k.Item2))).ToArray();

        RecommendationReport report = Json(["recommend", "--from", .. files]);

        Assert.Equal(kinds.Select(k => k.Item1), report.From.Select(f => f.Kind));
        Assert.All(report.From, f => Assert.Equal(report.Findings.Count(x => x.File == f.File), f.Findings));
        Assert.Contains(report.Recommendations, r => r.Kind == RecommendationKind.Setting);
    }

    [Fact]
    public void From_TakesAKindOfANewerVersionByItsFindings()
    {
        string file = Save("analysis.json", """
            {"schema":"latencytuner/analysis/1","inputs":[],"findings":[
              {"id":"LT112","cause":"zero-window","side":"server","host":"10.20.0.21","confidence":"confirmed","severity":"warning",
               "count":12,"costMs":2400,"costShare":0.1,
               "connections":["10.9.0.5:50122 -> 10.20.0.21:1433"],"for":[],"against":[]},
              {"id":"LT777","cause":"unheard-of","side":null,"confidence":"possible","severity":"info","count":1}]}
            """);

        RecommendationReport report = Json("recommend", "--from", file, "--snapshot", Server);

        Assert.Equal(["REC-WINDOW-READ", "REC-WINDOW-BUFFER"], report.Recommendations.Where(r => r.Kind != RecommendationKind.Setting).Select(r => r.Id));
        Assert.Equal((200, "10.20.0.21"), (report.Recommendations[0].Effect.SavesMs, report.Recommendations[0].Host));
        Assert.Contains(report.Notes, n => n.Contains("LT777", StringComparison.Ordinal));
    }

    [Fact]
    public void Run_WithoutACauseSaysSo()
    {
        CliRun run = CliRun.Of("recommend", "--from", Save("d.json", ReportJson.Serialize(SampleReports.NoStall))).Done();

        Assert.StartsWith("NOTHING TO DO  Nothing was found", run.Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("none", 0)]
    [InlineData("info", 1)]
    [InlineData("error", 0)]
    public void FailOn_JudgesTheFindings(string failOn, int code) => CliRun.Of("recommend", "--from", Lab, "--fail-on", failOn).Done(code);

    [Fact]
    public void Ignore_TakesListsAndLeavesFindingsOut()
    {
        RecommendationReport report = Json("recommend", "--from", Lab, "--snapshot", Server, "--ignore", "LT101,lt203", "--ignore", "LT204");

        Assert.Empty(report.Recommendations);
        Assert.Contains(report.Notes, n => n.StartsWith("Left out, as asked", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Languages))]
    public void Language_IsShown(string language)
    {
        RecommendationReport report = Json("recommend", "--from", Lab, "--language", language);

        Assert.Equal(SnippetLibrary.Find("nodelay", language), Assert.Single(report.Recommendations.Single(r => r.Id == "REC-NAGLE-NODELAY").Snippets));
    }

    public static TheoryData<string> Languages => new(CodeSnippet.Languages);

    [Fact]
    public void Apply_CommandsAreValid()
    {
        RecommendationReport report =
            Json("recommend", "--from", Save("d.json", ReportJson.Serialize(SampleReports.ExperimentOnTeam)), "--snapshot", Server, "--profile", "low-latency");

        List<string> commands = report.Recommendations.SelectMany(r => r.How).Where(h => h.StartsWith("latencytuner apply", StringComparison.Ordinal)).ToList();
        Assert.NotEmpty(commands);
        Assert.All(commands, c =>
        {
            string[] words = CommandLine.Words(c);
            string[] setting = words[Array.IndexOf(words, "--setting") + 1].Split('=');
            ApplicableSetting applicable = SettingsCatalogue.Current.Find(setting[0]).Applicable();
            Assert.False(applicable.Parse(setting[1]).IsAbsent);
            if (Array.IndexOf(words, "--interface") is var at and > 0)
            {
                InterfaceLookup.RequireWritable(
                    InterfaceLookup.Find(SampleSnapshots.Server2022.Interfaces, words[at + 1]), SampleSnapshots.Server2022.Interfaces);
            }
        });
    }

    [Theory]
    [InlineData("", 2, "give --from REPORT.json")]
    [InlineData("--from /no/such.json", 3, "cannot be read")]
    [InlineData("--from TEXT", 3, "latencytuner document")]
    [InlineData("--from NEWER", 3, "newer version")]
    [InlineData("--from OTHER", 3, "has no list of findings")]
    [InlineData("--from BADFINDING", 3, "finding 1")]
    [InlineData("--from FOREIGN", 3, "expected a report")]
    [InlineData("--from SNAPSHOT", 3, "give it with --snapshot")]
    [InlineData("--from COMPARISON", 3, "has no findings")]
    [InlineData("--from DIAGNOSIS --snapshot DIAGNOSIS", 3, "latencytuner/snapshot/2")]
    [InlineData("--from DIAGNOSIS --snapshot EDITED", 3, "EDITED")]
    [InlineData("--from DIAGNOSIS --ignore LT1O1", 2, "did you mean 'LT101'")]
    [InlineData("--from DIAGNOSIS --ignore NAGLE", 2, "LT101, LT102")]
    [InlineData("--from DIAGNOSIS --language csharpe", 2, "did you mean 'csharp'")]
    [InlineData("--from DIAGNOSIS --profile fast", 2, "fast")]
    public void Run_SaysWhatIsWrong(string line, int code, string words)
    {
        Dictionary<string, string> files = new()
        {
            ["TEXT"] = "not a report",
            ["NEWER"] = ReportJson.Serialize(SampleReports.Experiment)
                .Replace("latencytuner/diagnosis/2", "latencytuner/diagnosis/3", StringComparison.Ordinal),
            ["OTHER"] = """{"schema":"latencytuner/weather/1"}""",
            ["BADFINDING"] = """{"schema":"latencytuner/weather/1","findings":[{"id":"LT101","cause":"x","confidence":"very","severity":"info"}]}""",
            ["FOREIGN"] = """{"schema":"other/thing/1","findings":[]}""",
            ["SNAPSHOT"] = ReportJson.Serialize(SampleSnapshots.Server2022),
            ["COMPARISON"] = ReportJson.Serialize(SampleReports.Comparison),
            ["DIAGNOSIS"] = ReportJson.Serialize(SampleReports.Experiment),
            ["EDITED"] = ReportJson.Serialize(
                SampleSnapshots.Server2022 with { Values = [SampleSnapshots.Server2022.Values.First(v => v.Type == "REG_DWORD") with { Data = ["one"] }] }),
        };

        CliRun.Of(
            ["recommend", .. line.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(w => files.TryGetValue(w, out string? text) ? Save(w, text) : w)])
            .Failed(code, words);
    }

    private string Save(string name, string text)
    {
        File.WriteAllText(_folder[name], text);
        return _folder[name];
    }

    private static RecommendationReport Json(params string[] args) =>
        ReportJson.Read<RecommendationReport>(Encoding.UTF8.GetBytes(CliRun.Of([.. args, "--format", "json"]).Done().Out), "out");

    [Theory]
    [InlineData("recommend", "--from", "-")]
    [InlineData("report", "-")]
    public void StandardInput_IsReadAsAFileIs(params string[] words)
    {
        byte[] diagnosis = File.ReadAllBytes(Lab);
        CliRun Read(params string[] args) => CliRun.On(
            (output, error) => new CliHost { Out = output, Error = error, OpenInput = () => new MemoryStream(diagnosis) }, CancellationToken.None, args);
        string[] named = [.. words.Select(w => w == "-" ? Lab : w)];

        Assert.Equal(
            Findings(CliRun.Of([.. named, "--format", "json"]).Done().Out), Findings(Read([.. words, "--format", "json"]).Done().Out));
        _ = Read("report", "-", "-").Failed(2, "Standard input can be read only once");
        static string Findings(string json) => JsonNode.Parse(json)!["text"]!.ToString().Replace(Lab, "standard input", StringComparison.Ordinal);
    }
}
