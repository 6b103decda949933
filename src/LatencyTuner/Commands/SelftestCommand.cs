using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>selftest</c>: which of the assumptions about Windows hold on this machine.</summary>
internal static class SelftestCommand
{
    public static Command Create(CliHost host)
    {
        CommonOptions common = new();
        Command command = new("selftest", "Probes what this program assumes about Windows and writes a report to send back. Changes nothing. Windows only.");
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse));
            if (host.LiveEvidence is not { } read)
            {
                throw new ExpectedFailureException(
                    ExitCode.Platform, $"A selftest probes Windows only, and this is {CliHost.Tool.Os}.");
            }

            (SelftestEvidence evidence, IReadOnlyList<ProbedAssumption> probes) = ProgressLine.Run(host, output.Common, progress =>
            {
                progress?.Report(new MeasurementProgress(null, "selftest: settings"));
                SelftestEvidence seen = read();
                return (seen,
                    Probes.Run(seen, host.Measuring.Platform, host.Time, (id, share) => progress?.Report(new MeasurementProgress(share, $"selftest: {id}"))));
            });
            output.Write(SelftestReportBuilder.From(evidence.Snapshot, probes, CliHost.Tool, host.Time.GetUtcNow()));
            return ExitCode.Done;
        }));
        return command;
    }
}
