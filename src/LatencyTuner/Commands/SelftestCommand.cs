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
        Option<string?> read = new("--read")
        {
            Description = "Read what prove.ps1 wrote on a Windows machine, a folder or its zip, instead of probing this one. Works on any system.",
            HelpName = "folder",
        };
        CommonOptions common = new();
        Command command = new(
            "selftest",
            "Probes what this program assumes about Windows and writes a report to send back. Changes nothing. Windows only, but for --read.");
        command.Options.Add(read);
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            using ReportOutput output = new(host, common.Values(parse));
            if (parse.GetValue(read) is { } folder)
            {
                output.Write(SelftestReportBuilder.From(ProofFiles.Read(folder)));
                return ExitCode.Done;
            }

            if (host.LiveEvidence is not { } live)
            {
                throw new ExpectedFailureException(
                    ExitCode.Platform, $"A selftest probes Windows only, and this is {CliHost.Tool.Os}. --read shows the evidence of another machine.");
            }

            (SelftestEvidence evidence, IReadOnlyList<ProbedAssumption> probes) = ProgressLine.Run(host, output.Common, progress =>
            {
                progress?.Report(new MeasurementProgress(null, "selftest: settings"));
                SelftestEvidence seen = live();
                return (seen,
                    Probes.Run(seen, host.Measuring.Platform, host.Time, (id, share) => progress?.Report(new MeasurementProgress(share, $"selftest: {id}"))));
            });
            output.Write(SelftestReportBuilder.From(evidence.Snapshot, probes, CliHost.Tool, host.Time.GetUtcNow()));
            return ExitCode.Done;
        }));
        return command;
    }
}
