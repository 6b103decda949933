using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Series;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>report</c>: any results together, several hosts side by side.</summary>
internal static class ReportCommand
{
    public static Command Create(CliHost host)
    {
        Argument<string[]> files = new("files")
        {
            Description = "JSON documents of this program, series of measure --series or monitor, CSV files, IIS logs; - is standard input.",
            Arity = ArgumentArity.OneOrMore,
            HelpName = "file",
        };
        SeriesOptions reading = new();
        Option<string> failOn = FailOn.Option("none");
        Option<string?> severity = SeverityOption.Create();
        CommonOptions common = new();
        Command command = new(
            "report", "Reports any results together. For series: percentiles, oscillations, level shifts, and whether hosts swing in step.") { files };
        reading.AddTo(command);
        command.Options.Add(failOn);
        command.Options.Add(severity);
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!) { ReadFrom = parse.GetValue(files)! };
            SeriesReadOptions options = reading.Values(parse);
            ReportInputs inputs = ReportInputs.Read(host, parse.GetValue(files)!, options);
            List<Document> reports = [.. inputs.Documents];
            if (inputs.Series.Count > 0)
            {
                reports.Insert(
                    0, SeriesReportBuilder.From(inputs.Series, limits, options.SlowerThanNs, parse.GetValue(reading.Seed), inputs.Complete, inputs.Notes));
            }

            if (reports.Count > 1 && output.Common is { Chart: null, Format: not (ReportFormat.Text or ReportFormat.Html) })
            {
                throw new ExpectedFailureException(
                    ExitCode.Usage,
                    $"--format {output.Common.Format.ToString().ToLowerInvariant()} holds one document, but these files give {reports.Count}. Use --format "
                    + "text or html, or give only files of series.");
            }

            Gate gate = new() { FailOn = FailOn.Parse(parse.GetValue(failOn)), AllowInconclusive = true };
            Document[] judged = [.. reports.Select(r => OnlyGate(PublishedDocuments.Judge(r, gate)))];
            output.WriteAll(judged);
            return judged.OfType<Report>().Any(r => r.Judgement.ExitCode == ExitCode.Finding) ? ExitCode.Finding : ExitCode.Done;
        }));
        return command;
    }

    /// <summary>What ended a run that is only reported does not end the report: the exit code is that of the gate given now.</summary>
    private static Document OnlyGate(Document document) => document is Report { Judgement: { ExitCode: not (ExitCode.Done or ExitCode.Finding) } judged } report
        ? report with { Judgement = judged with { ExitCode = ExitCode.Done } } : document;
}
