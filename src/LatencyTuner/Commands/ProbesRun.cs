using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.Probes;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>measure</c> of several targets or protocols: asks, reports, judges.</summary>
internal static class ProbesRun
{
    public static ExitCode Run(CliHost host, ReportOutput output, IReadOnlyList<ProbeTarget> targets, ProbePlan plan, CancellationToken cancellation)
    {
        ProbeResult result = ProgressLine.Run(host, output.Common, progress => ProbeRun.Run(targets, plan, host.Time, cancellation, progress));
        output.Write(ProtocolsReportBuilder.From(result));
        return Judge(host, result.Series, result.Cancelled);
    }

    public static ExitCode Hedge(CliHost host, ReportOutput output, IReadOnlyList<ProbeTarget> pair, HedgePlan plan, CancellationToken cancellation)
    {
        HedgeResult result = ProgressLine.Run(host, output.Common, progress => HedgeRun.Run(pair[0], pair[1], plan, host.Time, cancellation, progress));
        output.Write(HedgeReportBuilder.From(result));
        return Judge(host, [result.First, result.Second], result.Cancelled);
    }

    private static ExitCode Judge(CliHost host, IReadOnlyList<ProbeSeries> series, bool cancelled)
    {
        if (cancelled)
        {
            return ExitCode.Cancelled;
        }

        // A server that keeps no connection answers all the same.
        bool Answers(ProbeSeries s) => s.Answered > 0 || (s.Reconnected > 0 && series.Any(o => o.Answered > 0 && o.Target.Name == s.Target.Name));
        ProbeSeries[] silent = [.. series.Where(s => !Answers(s))];
        foreach (string sentence in silent.SelectMany(s => s.Failures.Values.Select(f => f.Example)).Distinct())
        {
            host.Complain(sentence);
        }

        foreach (string name in silent.Where(s => s.Reconnected > 0).Select(s => s.Target.Name).Distinct())
        {
            host.Complain($"{name} answers, but keeps no connection open: --http-connections new measures all the same.");
        }

        return silent.Length > 0 ? ExitCode.Measurement : ExitCode.Done;
    }
}
