using System.Text;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>
/// Can Nagle's algorithm be seen through ETW? A trace of 1,000 requests a second, through the command. <c>LATENCYTUNER_ARTIFACTS</c> names a folder
/// in which the trace is left, to look at.
/// </summary>
public sealed class Stories
{
    [Fact]
    public void Nagle_AgainstADelayedAck_IsAnsweredInTheFirstLine()
    {
        using TempFolder folder = new();
        string path = Written(folder, "gateway.etl", StoryTrace.Make());

        string[] lines = CliRun.Of("analyze", path).Done().Out.Split('\n');

        Assert.StartsWith("NAGLE + DELAYED ACK  Yes: gateway.exe (4120), 500 of 5,000 requests, p99", lines[0], StringComparison.Ordinal);
        string verdict = string.Join(' ', lines.TakeWhile(l => l.Trim().Length > 0).Select(l => l.Trim()));
        Assert.Matches(@"p99 5\d\.\d ms instead of \d\d\d us", verdict);
        Assert.Contains("Not verified", verdict, StringComparison.Ordinal);
    }

    [Fact]
    public void Nagle_AgainstADelayedAck_IsToldInJson()
    {
        using TempFolder folder = new();
        string text = CliRun.Of("analyze", Written(folder, "gateway.etl", StoryTrace.Make()), "--format", "json").Done().Out;
        AnalysisReport report = ReportJson.Read<AnalysisReport>(Encoding.UTF8.GetBytes(text), "out");

        Finding chain = Assert.Single(report.Findings, f => f.Cause == Cause.NagleDelayedAck);
        Assert.Equal(
            (Side.Client, "gateway.exe (4120)", StoryTrace.Held, Severity.Error, false),
            (chain.Side, chain.Process, (int)chain.Count, chain.Severity, chain.Verified));
        Assert.InRange(chain.CostMs!.Value, StoryTrace.Held * 50.0, StoryTrace.Held * 50.5);

        CurePrediction prediction = chain.Predictions[0];
        Assert.InRange(prediction.P99Us, 50_000, 60_000);
        Assert.InRange(prediction.P99AfterUs, 1, 1000);

        // The gateway's own timer expires after every reply, and nobody waits for it.
        Finding timer = Assert.Single(report.Findings, f => f.Cause == Cause.DelayedAck);
        Assert.Equal((0, Severity.Info), ((int)timer.Harmful!, timer.Severity));
        Assert.DoesNotContain(
            report.Findings,
            f => f.Cause is Cause.NagleHold or Cause.ServerThink or Cause.SendBuffer or Cause.EvidenceIncomplete
                || f.Severity > Severity.Info && f.Cause != Cause.NagleDelayedAck);

        (double with, double without) = (P99("99th percentile of request times"),
            P99("99th percentile of request times without the time that Nagle's algorithm held their data"));
        Assert.InRange(with, 50, 52);
        Assert.InRange(without, 0.5, 2);
        Assert.False(report.Example!.Verified);
        Assert.Contains(report.Notes, n => n.Contains("\"verified\": false", StringComparison.Ordinal));
        Assert.Equal(
            StoryTrace.Connections * StoryTrace.RequestsOfEach,
            (int)Assert.Single(report.Processes, p => p.Process == "gateway.exe").SendCalls - StoryTrace.Held);
        Assert.All(JsonNode.Parse(text)!["connections"]!.AsArray(), c => Assert.False(c!["ends"]![0]!["verified"]!.GetValue<bool>()));

        double P99(string what)
        {
            AnalysisObservation figure = Assert.Single(report.Observations, o => o.What == what);
            Assert.Equal(("gateway.exe (4120)", 5_000, false), (figure.Process, (int)figure.N, figure.Verified));
            return figure.Value;
        }
    }

    /// <summary>The same requests in one piece each.</summary>
    [Fact]
    public void RequestsInOnePiece_HaveNoStall()
    {
        using TempFolder folder = new();

        string shown = CliRun.Of("analyze", Written(folder, "quick.etl", StoryTrace.Make(held: false))).Done().Out;

        Assert.StartsWith("NO STALL", shown, StringComparison.Ordinal);
        Assert.Contains("Not verified", shown, StringComparison.Ordinal);
    }

    private static string Written(TempFolder folder, string name, byte[] trace)
    {
        if (Environment.GetEnvironmentVariable("LATENCYTUNER_ARTIFACTS") is { Length: > 0 } kept)
        {
            Directory.CreateDirectory(kept);
            File.WriteAllBytes(Path.Combine(kept, name), trace);
        }

        File.WriteAllBytes(folder[name], trace);
        return folder[name];
    }
}
