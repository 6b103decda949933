using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>measure</c> of several targets or protocols: probes, reports, judges.</summary>
internal static class ProbesRun
{
    public static ExitCode Run(CliHost host, ReportOutput output, IReadOnlyList<ProbeTarget> targets, ProbePlan plan, CancellationToken cancellation)
    {
        ProbeResult result = ProgressLine.Run(host, output.Common, progress => ProbeRun.Run(targets, plan, host.Time, cancellation, progress));
        return Finish(host, output, ProtocolsReportBuilder.From(result));
    }

    public static ExitCode Hedge(CliHost host, ReportOutput output, IReadOnlyList<ProbeTarget> pair, HedgePlan plan, CancellationToken cancellation)
    {
        HedgeResult result = ProgressLine.Run(host, output.Common, progress => HedgeRun.Run(pair[0], pair[1], plan, host.Time, cancellation, progress));
        return Finish(host, output, HedgeReportBuilder.From(result));
    }

    private static ExitCode Finish(CliHost host, ReportOutput output, ProtocolsReport report)
    {
        output.Write(report);
        foreach (string sentence in ProtocolsReportBuilder.ComplaintsOf(report))
        {
            host.Complain(sentence);
        }

        return report.Judgement.ExitCode;
    }
}
