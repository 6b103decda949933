using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>compare</c>: better, same, worse or cannot tell.</summary>
internal static class CompareCommand
{
    public static Command Create(CliHost host)
    {
        Argument<string> a = new("before") { Description = "The measurement before (measure --format json), or a snapshot." };
        Argument<string> b = new("after") { Description = "The measurement after, or a snapshot." };
        Option<TimeSpan> limit =
            Symbols.Option(
                "--limit", "Differences up to this time do not matter.", "time", (t, o) => Quantities.Duration(t, o, TimeSpan.Zero, TimeSpan.FromHours(1)),
                TimeSpan.FromMicroseconds(50));
        Option<double> share = Symbols.Option("--limit-share", "The same limit as a share of A; the larger one applies.", "share", Quantities.Share, 0.1);
        Option<int> seed = Symbols.Option("--seed", "Seed of the resampling.", "n", (t, o) => (int)Quantities.Count(t, o, 0, int.MaxValue), 1);
        Option<bool> failOnWorse = new("--fail-on-worse") { Description = "Exit with 1 when B is worse." };
        Option<bool> allowInconclusive = new("--allow-inconclusive") { Description = "Exit with 0 when the evidence allows no verdict." };
        CommonOptions common = new();
        Command command = new(
            "compare",
            "Compares two measurements quantile by quantile, with confidence intervals, or two snapshots setting by setting.") {
                a, b, limit, share, seed, failOnWorse, allowInconclusive };
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse)) { ReadFrom = [parse.GetValue(a)!, parse.GetValue(b)!] };
            string pathA = parse.GetValue(a)!;
            string pathB = parse.GetValue(b)!;
            byte[] bytesA = SnapshotFiles.Bytes(host, pathA);
            byte[] bytesB = SnapshotFiles.Bytes(host, pathB);
            if (IsSnapshot(bytesA, pathA) || IsSnapshot(bytesB, pathB))
            {
                output.Write(SnapshotComparisons.From(pathA, SnapshotFiles.Of(bytesA, pathA), pathB, SnapshotFiles.Of(bytesB, pathB)));
                return ExitCode.Done;
            }

            ComparisonReport report = ComparisonReportBuilder.From(
                pathA, ReportJson.Read<MeasurementReport>(bytesA, pathA), pathB, ReportJson.Read<MeasurementReport>(bytesB, pathB),
                parse.GetValue(limit), parse.GetValue(share), parse.GetValue(seed),
                new Gate { FailOn = parse.GetValue(failOnWorse) ? Severity.Info : null, AllowInconclusive = parse.GetValue(allowInconclusive) });
            output.Write(report);
            return report.Judgement.ExitCode;
        }));
        return command;
    }

    /// <summary>True for a .reg export and for a document of the kind snapshot.</summary>
    private static bool IsSnapshot(byte[] bytes, string path) => RegFileStore.IsRegFile(bytes) || ReportJson.KindOf(bytes, path) == "snapshot";
}
