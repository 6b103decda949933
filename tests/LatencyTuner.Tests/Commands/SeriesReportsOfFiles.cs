using System.Text.Json;
using System.Text.Json.Nodes;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class SeriesReportsOfFiles
{
    private static string Csv(int seed, double behind, double shift = 0) => "time,latency_ms\n" + string.Concat(Rows(seed, behind, shift));

    private static IEnumerable<string> Rows(int seed, double behind, double shift)
    {
        Random random = new(seed);
        for (int i = 0; i < 1200; i++)
        {
            double ms = 24 + (5 * Math.Cos(2 * Math.PI * (i - behind) / 60)) + (8 * (random.NextDouble() - 0.5)) + (i >= 800 ? shift : 0);
            yield return $"{1_795_248_000 + i},{ms:0.000}\n";
        }
    }

    [Fact]
    public void Report_TwoHosts_SaysPeriodPhaseAndShift()
    {
        using TempFolder folder = new();
        string a = folder.Write("a.csv", Csv(1, 0, 12));
        string b = folder.Write("b.csv", Csv(2, 12));
        JsonNode json = JsonNode.Parse(CliRun.Of("report", a, b, "--format", "json").Done().Out)!;

        JsonNode pair = json["pairs"]!.AsArray().Single(p => p!["metric"]!.GetValue<string>() == "median")!;
        Assert.Equal("locked", pair["verdict"]!.GetValue<string>());
        Assert.InRange(pair["delayS"]!.GetValue<double>(), 10.5, 13.5);
        Assert.InRange(json["series"]![0]!["oscillations"]![0]!["periodS"]!.GetValue<double>(), 59.4, 60.6);
        Assert.Equal("2026-11-21T08:13:20Z", json["series"]![0]!["shifts"]![0]!["atUtc"]!.GetValue<string>());
        Assert.Equal(["LT151", "LT152", "LT151"], json["findings"]!.AsArray().Select(f => f!["id"]!.GetValue<string>()));
    }

    /// <summary>The same values half a second later are half a second later, though they lie in the same bins.</summary>
    [Theory]
    [InlineData(7)]
    [InlineData(-7)]
    public void Report_HostAskedHalfASecondLater_IsThatMuchFurtherBehind(double behind)
    {
        using TempFolder folder = new();
        string a = folder.Write("a.csv", Csv(1, 0));
        string b = folder.Write("b.csv", Csv(2, behind));
        string later =
            folder.Write("later.csv", "time,latency_ms\n" + string.Concat(Rows(2, behind, 0).Select(r => r.Replace(",", ".5,", StringComparison.Ordinal))));
        string json = folder["later.json"];
        _ = CliRun.Of("report", later, "--format", "json", "--output", json);
        JsonNode Pair(string second) => JsonNode.Parse(CliRun.Of("report", a, second, "--format", "json").Done().Out)!["pairs"]![0]!;
        double delay = Pair(b)["delayS"]!.GetValue<double>();

        foreach (string second in (string[])[later, json])
        {
            JsonNode pair = Pair(second);
            Assert.Equal(delay + 0.5, pair["delayS"]!.GetValue<double>(), 0.1);
            // The sentence counts from the one that is early, and so does its interval.
            Assert.DoesNotContain("(-", pair["text"]!.GetValue<string>(), StringComparison.Ordinal);
            Assert.Contains($"{(behind > 0 ? "later.csv" : "a.csv")} is ", pair["text"]!.GetValue<string>(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Report_ItsOwnJson_ComparesWithAnother()
    {
        using TempFolder folder = new();
        foreach ((string name, int seed, double behind) in new[] { ("a", 1, 0.0), ("b", 2, 20.0) })
        {
            _ = CliRun.Of("report", folder.Write(name + ".csv", Csv(seed, behind)), "--format", "json", "--output", folder[name + ".json"]);
        }

        CliRun run = CliRun.Of("report", folder["a.json"], folder["b.json"]).Done();
        Assert.Contains("swing in step every 60", run.Out.ReplaceLineEndings(" "), StringComparison.Ordinal);
    }

    [Fact]
    public void Report_FailOn_IsAGate()
    {
        using TempFolder folder = new();
        string a = folder.Write("a.csv", Csv(1, 0));

        _ = CliRun.Of("report", a, "--fail-on", "info").Done(1);
        _ = CliRun.Of("report", a).Done();
    }

    [Fact]
    public void Report_OwnSeriesAndMeasurement_TogetherAsHtmlAndText()
    {
        using TempFolder folder = new();
        _ = CliRun.Of(
            [
                "measure", "--duration", "600ms", "--warmup", "0s", "--rate", "200/s", "--interval", "100ms", "--series", folder["s.csv"], "--format",
                "json", "--output", folder["m.json"]]);
        CliRun text = CliRun.Of("report", folder["s.csv"], folder["m.json"], "--details").Done();
        CliRun html = CliRun.Of("report", folder["s.csv"], folder["m.json"], "--format", "html").Done();

        Assert.Contains("TOO SHORT", text.Out, StringComparison.Ordinal);
        // On a busy machine the measurement has a verdict of its own.
        string verdict = JsonNode.Parse(File.ReadAllText(folder["m.json"]))!["text"]!.GetValue<string>();
        Assert.Contains(
            verdict[..verdict.IndexOf(',', StringComparison.Ordinal)],
            string.Join(' ', text.Out.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
        Assert.Contains("3 reports", html.Out, StringComparison.Ordinal);
        JsonNode fleet = JsonNode.Parse(CliRun.Of("report", folder["s.csv"], folder["m.json"], "--format", "json").Done().Out)!;
        Assert.Equal("latencytuner/fleet/2", fleet["schema"]!.GetValue<string>());
    }

    [Fact]
    public void Report_Exclude_TakesTheOutageOut()
    {
        using TempFolder folder = new();
        string a = folder.Write("a.csv", Csv(1, 0, 12));
        JsonNode json =
            JsonNode.Parse(
                CliRun.Of("report", a, "--exclude", "2026-11-21T08:13:20Z..2026-11-21T09:00Z", "--slower-than", "33ms", "--format", "json").Done().Out)!;

        Assert.Equal(400, json["series"]![0]!["excludedRows"]!.GetValue<int>());
        Assert.Empty(json["series"]![0]!["shifts"]!.AsArray());
        Assert.Equal(JsonValueKind.Number, json["series"]![0]!["slow"]!["share"]!.GetValueKind());
    }

    [Theory]
    [InlineData("yesterday..today")]
    [InlineData("2026-11-21T09:00Z..2026-11-21T08:00Z")]
    [InlineData("..")]
    public void Report_BadExclusion_IsRefused(string span) => CliRun.Of("report", "a.csv", "--exclude", span).Failed(2, "--exclude", "FROM..TO");

    [Fact]
    public void Report_BadFiles_AreOneSentence()
    {
        using TempFolder folder = new();

        _ = CliRun.Of("report", folder["none.csv"]).Failed(3, "none.csv");
        _ = CliRun.Of("report", folder.Write("x.csv", "time,latency_ms\n1795248000,1\nsoon,2\n3,4\n")).Failed(3, "line 3, column 1");
        _ = CliRun.Of("report", folder.Write("y.json", "{ \"schema\": \"latencytuner/nothing/1\" }")).Failed(3, "y.json");
        using TempFolder empty = new();
        _ = CliRun.Of("report", empty.Path).Failed(3, "contains no record of 'latencytuner monitor'");
    }
}
