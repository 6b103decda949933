using System.Text.Json.Nodes;
using System.Xml.Linq;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>What <c>check</c> says and how it ends.</summary>
[Collection(QuietMachine.Name)]
public sealed class Checks
{
    private static readonly string[] Stalling = ["--pattern", "split", "--no-delay", "false", "--count", "12"];

    private static (CliRun Run, JsonNode Report) Json(params string[] args)
    {
        CliRun run = CliRun.Of(["check", .. args, "--format", "json"]);
        Assert.Equal("", run.Error);
        JsonNode report = JsonNode.Parse(run.Out)!;
        Assert.Empty(PublishedSchemas.Validator("check").GetAwaiter().GetResult().Validate(run.Out).Select(e => e.ToString()));
        return (run, report);
    }

    /// <summary>The same report as build servers get it, without a second run.</summary>
    private static XElement JUnit(CliRun run) =>
        XDocument.Parse(Judged.JUnitOf(ReportJson.Read<CheckReport>(System.Text.Encoding.UTF8.GetBytes(run.Out), "report"))).Root!;

    private static string[] Names(JsonNode report) => [.. report["measurements"]!.AsArray().Select(m => m!["target"]!["name"]!.GetValue<string>())];

    private static string Text(JsonNode report) => report["text"]!.GetValue<string>();

    [Fact]
    public void NoTarget_PassesAndSaysThatNoPathWasTested()
    {
        (CliRun? run, JsonNode? report) = Json("--duration", "200ms");

        Assert.Equal((0, "pass", true), (run.Code, report["verdict"]!.GetValue<string>(), report["complete"]!.GetValue<bool>()));
        Assert.Contains("local checks only, no network path tested", Text(report), StringComparison.OrdinalIgnoreCase);
        Assert.Equal(["loopback"], Names(report));
        Assert.NotNull(report["diagnosis"]);
        Assert.All(report["findings"]!.AsArray(), f => Assert.Equal("info", f!["severity"]!.GetValue<string>()));
        Assert.False(report["settings"]!["audited"]!.GetValue<bool>());
        Assert.DoesNotContain(report["findings"]!.AsArray(), f => f!["id"]!.GetValue<string>() == "LT301");
    }

    [Fact]
    public void Loopback_NeverFails()
    {
        string[] args = ["check", .. Stalling, "--no-diagnosis", "--fail-on", "info", "--max-p99", "1us", "--max-stall-share", "0"];
        CliRun run = CliRun.Of(args).Done();
        Assert.StartsWith("PASS", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("Findings that fail", run.Out, StringComparison.Ordinal);

        XElement junit = XDocument.Parse(CliRun.Of([.. args, "--format", "junit"]).Done().Out).Root!;
        Assert.DoesNotContain(
            junit.Descendants("failure"), f => (string)f.Parent!.Attribute("classname")! is "latencytuner.check.check" or "latencytuner.check.findings");
    }

    [Fact]
    public void Target_Unreachable_EndsWithFiveAndKeepsLoopback()
    {
        (CliRun? run, JsonNode? report) = Json("127.0.0.1:1", "nobody.invalid", "--count", "20", "--no-diagnosis");

        Assert.Equal((5, "cannot-tell", false), (run.Code, report["verdict"]!.GetValue<string>(), report["complete"]!.GetValue<bool>()));
        Assert.Equal(["loopback"], Names(report));
        string reasons = report["reasons"]!.ToJsonString();
        Assert.Contains("refused the connection", report.ToJsonString(), StringComparison.Ordinal);
        Assert.Contains("nobody.invalid", reasons, StringComparison.Ordinal);
    }

    /// <summary>A case that is skipped leaves a build green.</summary>
    [Fact]
    public void Target_Unreachable_IsAnErrorForABuildServer()
    {
        CliRun run = CliRun.Of("check", "127.0.0.1:1", "--count", "20", "--no-diagnosis", "--format", "junit");
        XElement suite = XDocument.Parse(run.Out).Root!;

        Assert.Equal(5, run.Code);
        Assert.Equal(("0", "1"), (suite.Attribute("failures")!.Value, suite.Attribute("errors")!.Value));
        Assert.Contains("refused the connection", suite.Descendants("error").Single().Attribute("message")!.Value, StringComparison.Ordinal);
    }

    [Fact]
    public void Target_Unreachable_DoesNotHideAnotherThatAnswers()
    {
        using RunningResponder responder = new();
        (CliRun? run, JsonNode? report) = Json("127.0.0.1:1", responder.Target, responder.Target, "--count", "20", "--no-diagnosis", "--allow-inconclusive");

        Assert.Equal(5, run.Code);
        Assert.Equal(["loopback", responder.Target], Names(report));
    }

    [Fact]
    public void Target_AnsweringInOneWrite_PassesWithItsExposureAsInformation()
    {
        using RunningResponder responder = new();
        (CliRun? run, JsonNode? report) = Json(responder.Target, "--duration", "200ms", "--warmup", "50ms", "--fail-on", "info");

        Assert.Equal("pass", report["verdict"]!.GetValue<string>());
        Assert.Equal(0, run.Code);
        Assert.Equal(["loopback", responder.Target], Names(report));
        Assert.Empty(JUnit(run).Descendants("failure"));
        if (OperatingSystem.IsLinux())
        {
            JsonNode exposure = report["findings"]!.AsArray().First(f => f!["id"]!.GetValue<string>() == "LT101")!;
            Assert.Equal("info", exposure["severity"]!.GetValue<string>());
            Assert.Equal("nagle-delayed-ack", report["diagnosis"]!["diagnosis"]!["cause"]!.GetValue<string>());
        }
    }

    [Fact]
    public void Target_ThatStallsAsDeclared_Fails()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Whether loopback delays ACKs elsewhere is not known.");
        using RunningResponder responder = new();
        string[] args = [responder.Target, .. Stalling, "--no-diagnosis"];
        (CliRun? run, JsonNode? report) = Json(args);

        Assert.Equal((1, "fail"), (run.Code, report["verdict"]!.GetValue<string>()));
        JsonNode finding = Assert.Single(report["findings"]!.AsArray())!;
        Assert.Equal(
            ("LT101", "nagle-delayed-ack", "client", "error"),
            (finding["id"]!.GetValue<string>(), finding["cause"]!.GetValue<string>(), finding["side"]!.GetValue<string>(),
                finding["severity"]!.GetValue<string>()));
        Assert.Contains("LT101", Text(report), StringComparison.Ordinal);

        Assert.Contains("LT101", string.Concat(JUnit(run).Descendants("failure").Select(f => (string)f.Attribute("message")!)), StringComparison.Ordinal);
        Assert.StartsWith("PASS", CliRun.Of(["check", .. args, "--fail-on", "none"]).Done().Out, StringComparison.Ordinal);
        Assert.Contains(
            "--max-stall-share allows",
            CliRun.Of(["check", .. args, "--fail-on", "none", "--max-stall-share", "1%"]).Done(1).Out.ReplaceLineEndings(" ")
                .Replace("  ", " ", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    [Fact]
    public void MaxP99_Passed_Fails()
    {
        using RunningResponder responder = new();
        string[] args = [responder.Target, "--duration", "600ms", "--warmup", "50ms", "--no-diagnosis", "--max-p99", "1us"];
        (CliRun? run, JsonNode? report) = Json(args);

        Assert.Equal((1, "fail"), (run.Code, report["verdict"]!.GetValue<string>()));
        Assert.Contains("--max-p99 allows 1 us", Text(report), StringComparison.Ordinal);
        Assert.Equal(1, report["thresholds"]!["maxP99Us"]!.GetValue<double>());
        Assert.Contains(JUnit(run).Descendants("failure"), f => ((string)f.Parent!.Attribute("name")!).Contains("99th percentile", StringComparison.Ordinal));
    }

    [Fact]
    public void TooFewReplies_CannotTell()
    {
        using RunningResponder responder = new();
        string[] args = ["check", responder.Target, "--count", "3", "--no-diagnosis"];

        Assert.StartsWith("CANNOT TELL", CliRun.Of(args).Done(7).Out, StringComparison.Ordinal);
        Assert.StartsWith("CANNOT TELL", CliRun.Of([.. args, "--allow-inconclusive"]).Done().Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Targets_Several_AreEachMeasuredAndListed()
    {
        using RunningResponder first = new();
        using RunningResponder second = new();
        string[] args = ["check", first.Target, second.Target, "--count", "200", "--no-diagnosis"];

        string[] rows = CliRun.Of([.. args, "--format", "csv"]).Done().Out.TrimEnd().Split("\r\n");

        Assert.Equal(["loopback", first.Target, second.Target], rows.Skip(1).Select(r => r.Split(',')[0]).Distinct());
        XElement junit = XDocument.Parse(CliRun.Of([.. args, "--format", "junit"]).Done().Out).Root!;
        Assert.Equal(3, junit.Descendants("testcase").Count(c => (string)c.Attribute("name")! == "measured"));
    }

    [Fact]
    public void Token_WithTheRightOne_Passes()
    {
        using TempFolder folder = new();
        using RunningResponder responder = new("a token of good length");

        CliRun.Of("check", responder.Target, "--count", "50", "--no-diagnosis", "--token-file", folder.Write("t", "a token of good length\n")).Done();
    }

    [Fact]
    public void BadToken_IsToldBeforeAnythingIsMeasured()
    {
        using TempFolder folder = new();

        CliRun.Of("check", "127.0.0.1:1", "--duration", "1h", "--token-file", folder.Write("t", "short")).Failed(2, "5 bytes");
    }
}
