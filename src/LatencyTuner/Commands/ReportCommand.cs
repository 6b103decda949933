using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sweep;
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
            Description = "JSON documents of this program, series of measure --series or monitor, CSV files, IIS logs.",
            Arity = ArgumentArity.OneOrMore,
            HelpName = "file",
        };
        SeriesOptions reading = new();
        Option<string> failOn = FailOn.Option("none");
        Option<string?> severity = SeverityOption.Create();
        CommonOptions common = new();
        Command command = new(
            "report", "Reports any results together; of series: percentiles, oscillations, level shifts, and whether hosts swing in step.") { files };
        reading.AddTo(command);
        command.Options.Add(failOn);
        command.Options.Add(severity);
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            SeverityLimits limits = SeverityOption.Read(host, parse.GetValue(severity));
            using ReportOutput output = new(host, common.Values(parse), parse.GetValue(failOn)!);
            SeriesReadOptions options = reading.Values(parse);
            ReportInputs inputs = ReportInputs.Read(host, parse.GetValue(files)!, options);
            List<object> reports = [.. inputs.Documents];
            if (inputs.Series.Count > 0)
            {
                reports.Insert(0, SeriesReportBuilder.From(inputs.Series, limits, options.SlowerThanNs, parse.GetValue(reading.Seed), inputs.Complete, inputs.Notes));
            }

            if (reports.Count > 1 && output.Common.Format is not (ReportFormat.Text or ReportFormat.Html))
            {
                throw new ExpectedFailureException(
                    ExitCode.Usage,
                    $"--format {output.Common.Format.ToString().ToLowerInvariant()} holds one document, and there are {reports.Count}: text or html is "
                    + "expected, or files that are all series.");
            }

            output.WriteAll(reports);
            return FailOn.Judge(reports.SelectMany(FindingsOf), FailOn.Parse(parse.GetValue(failOn)), cancelled: false, failure: null);
        }));
        return command;
    }

    private static IReadOnlyList<Finding> FindingsOf(object report) => report switch
    {
        SeriesReport series => series.Findings,
        MeasurementReport measurement => measurement.Findings,
        DiagnosisReport diagnosis => diagnosis.Findings,
        SweepReport sweep => sweep.Findings,
        CheckReport check => check.Findings,
        SettingsReport settings => settings.Findings,
        _ => [],
    };
}
