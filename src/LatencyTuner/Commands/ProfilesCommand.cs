using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>profiles</c>: which events are captured, what that costs, and how to capture them with the tools of Windows.</summary>
internal static class ProfilesCommand
{
    public static Command Create(CliHost host)
    {
        Argument<string?> name = new("name")
        {
            Description = "Show this profile with everything it enables; without a name, all profiles are listed.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        name.CompletionSources.Add(_ => EtwProfile.All.Select(p => new System.CommandLine.Completions.CompletionItem(p.Name, documentation: p.Description)));
        Option<string> rate = new("--rate", "-r")
        {
            Description = "Requests per second that the estimates are for.",
            HelpName = "rate",
            DefaultValueFactory = _ => "1000/s",
        };
        Option<bool> wprp = new("--wprp") { Description = "Print only the profile, in the format of Windows Performance Recorder (.wprp)." };
        Option<bool> noFilters = new(EtwProfileCommands.NoFilters)
        {
            Description = "With --wprp: without filters by event id, which Server 2016 and Windows 10 1607 refuse.",
        };
        CommonOptions common = new();
        Command command = new("profiles", "Lists and prints the ETW profiles, and shows how to capture them with the tools of Windows.")
        {
            name, rate, wprp, noFilters,
        };
        common.AddTo(command);
        command.SetAction((parse, _) => Cli.Start(() =>
        {
            EtwProfile? one = parse.GetValue(name) is { } wanted ? EtwProfile.Find(wanted) : null;
            if (parse.GetValue(wprp))
            {
                Print(host, one, parse.GetValue(noFilters), common.Values(parse).Output);
                return ExitCode.Done;
            }

            if (parse.GetValue(noFilters))
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"{EtwProfileCommands.NoFilters} needs --wprp.");
            }

            double requests = Quantities.Rate(parse.GetValue(rate)!, "--rate", 0.001, 10_000_000);
            using ReportOutput output = new(host, common.Values(parse));
            output.Write(ProfilesReportBuilder.From(one is null ? EtwProfile.All : [one], requests, host.WindowsBuild));
            return ExitCode.Done;
        }));
        return command;
    }

    private static void Print(CliHost host, EtwProfile? profile, bool noFilters, string? path)
    {
        string text = (noFilters ? profile?.TextWithoutFilters : profile?.Text)
            ?? throw new ExpectedFailureException(
                ExitCode.Usage, $"--wprp needs the name of one profile; valid are {string.Join(", ", EtwProfile.All.Select(p => p.Name))}.");
        if (path is null)
        {
            host.Out.Write(text);
            return;
        }

        // Not by ">": Windows PowerShell 5.1 would write UTF-16, and the file says that it is UTF-8.
        using OutputFile file = OutputFile.Open(path, "--output");
        file.Writer.Write(text);
        file.Commit();
    }
}
