using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Series;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>report</c>: any results together, several hosts side by side.</summary>
internal static class ReportCommand
{
    private const int MostComplaints = 20;

    public static Command Create(CliHost host)
    {
        Argument<string[]> files = new("files")
        {
            Description = "JSON documents of this program, a folder or a pattern of them, series of measure --series or monitor, CSV files, IIS logs; - "
                + "is standard input.",
            Arity = ArgumentArity.OneOrMore,
            HelpName = "file",
        };
        SeriesOptions reading = new();
        Option<string> failOn = FailOn.Option("none");
        Option<string?> severity = SeverityOption.Create();
        CommonOptions common = new();
        PackSymbols packing = new();
        Command command = new(
            "report", "Reports any results together. For series: percentiles, oscillations, level shifts, and whether hosts swing in step.") { files };
        reading.AddTo(command);
        command.Options.Add(failOn);
        command.Options.Add(severity);
        packing.AddTo(command);
        common.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() =>
        {
            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            Gate gate = new() { FailOn = FailOn.Parse(parse.GetValue(failOn)), AllowInconclusive = true };
            PackRequest? request = packing.Values(parse);
            if (request is not null && gate.FailOn is not null)
            {
                throw new ExpectedFailureException(ExitCode.Usage, "--fail-on does not go with --pack, which judges nothing. Run report with --fail-on first.");
            }

            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            SeriesReadOptions options = reading.Values(parse);
            if (request is not null)
            {
                return new PackRun(host, request, options, limits, parse.GetValue(reading.Seed)).Run(parse.GetValue(files)!, output, cancellation);
            }

            ReportInputs inputs = ReportInputs.Read(host, parse.GetValue(files)!, options, gate);
            output.ReadFrom = inputs.Files;
            SeriesReport? series = inputs.JudgedSeries(limits, parse.GetValue(reading.Seed));
            if (!inputs.IsFleet)
            {
                Document[] judged = [.. new Document?[] { series }.OfType<Document>().Concat(inputs.Documents).Select(OnlyGate)];
                output.WriteAll(judged);
                return judged.OfType<Report>().Any(r => r.Judgement.ExitCode == ExitCode.Finding) ? ExitCode.Finding : ExitCode.Done;
            }

            FleetReport fleet = inputs.Fleet(series);
            bool isWhole = output.Common is { Chart: not null } or { Format: ReportFormat.Html } or { Format: ReportFormat.Text, Details: true };
            bool isShort = fleet.Hosts.Sum(h => h.Documents) <= ReportInputs.MostWhole;
            IEnumerable<Document> whole = isWhole && isShort ? new Document?[] { series }.OfType<Document>().Concat(inputs.Documents.Select(OnlyGate)) : [];
            output.WriteAll([fleet, .. whole]);
            // The text on a terminal says it already.
            foreach (FleetUnreadable bad in output.Common is { Format: ReportFormat.Text, Output: null } ? [] : fleet.Unreadable.Take(MostComplaints))
            {
                host.Complain(bad.Because);
            }

            return fleet.Judgement.ExitCode;
        }));
        return command;
    }

    /// <summary>What ended a run that is only reported does not end the report: the exit code is that of the gate given now.</summary>
    private static Document OnlyGate(Document document) => document is Report { Judgement: { ExitCode: not (ExitCode.Done or ExitCode.Finding) } judged } report
        ? report with { Judgement = judged with { ExitCode = ExitCode.Done } } : document;
}
