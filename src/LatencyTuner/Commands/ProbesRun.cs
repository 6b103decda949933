using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Reporting.Building;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>measure</c> of several targets or protocols: asks, reports, judges.</summary>
internal static class ProbesRun
{
    public static ExitCode Run(CliHost host, ReportOutput output, IReadOnlyList<ProbeTarget> targets, ProbePlan plan, CancellationToken cancellation)
    {
        ProbeResult result = ProgressLine.Run(host, output.Common, progress => ProbeRun.Run(targets, plan, host.Time, cancellation, progress));
        output.Write(ProtocolsReports.From(result));
        if (result.Cancelled)
        {
            return ExitCode.Cancelled;
        }

        ProbeSeries[] silent = [.. result.Series.Where(s => s.Answered == 0)];
        foreach (string sentence in silent.SelectMany(s => s.Failures.Values.Select(f => f.Example)).Distinct())
        {
            host.Complain(sentence);
        }

        return silent.Length > 0 ? ExitCode.Measurement : ExitCode.Done;
    }
}
