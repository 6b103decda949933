using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Load;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>measure --under-load</c>: measures, reports, judges.</summary>
internal static class UnderLoadRun
{
    public static ExitCode Run(
        CliHost host, ReportOutput output, MeasurementTarget target, LoadPlan plan, SeverityLimits limits, Severity? failOn, CancellationToken cancellation)
    {
        UnderLoadResult result = ProgressLine.Run(host, output.Common, progress => UnderLoad.Run(target, plan, host.Measuring, cancellation, progress));
        UnderLoadReport report = UnderLoadReportBuilder.From(
            result, limits, new Gate { FailOn = failOn, Cancelled = result.Cancelled, Failure = result.EndedBecause });
        output.Write(report);
        if (result.EndedBecause is { } why)
        {
            host.Complain(why);
        }

        return report.Judgement.ExitCode;
    }
}
