using System.CommandLine;
using System.Globalization;
using LatencyTuner.Core;

namespace LatencyTuner.Commands;

/// <summary>The options of <c>apply</c>.</summary>
internal sealed class ApplyOptions
{
    private const int LongestTicket = 200;
    private static readonly string[] Times = ["yyyy-MM-dd", "yyyy-MM-ddTHH:mm", "yyyy-MM-ddTHH:mmK", "yyyy-MM-ddTHH:mm:ss", "yyyy-MM-ddTHH:mm:ssK"];

    private readonly SettingOption _settings = new();
    private readonly Option<string?> _interface = new("--interface") { Description = "The interface: name, GUID, index or address.", HelpName = "interface" };
    private readonly Option<string?> _template = new("--template") { Description = "The TCP template, such as InternetCustom.", HelpName = "name" };
    private readonly Option<string?> _filter = new("--filter") { Description = "The peers that the template applies to.", HelpName = "prefix[:port]" };
    private readonly Option<string?> _plan = new("--plan") { Description = "Apply exactly the plan that --save-plan wrote.", HelpName = "file" };
    private readonly Option<string?> _savePlan = new("--save-plan")
    {
        Description = "Save the changes as a plan, to be approved and applied later.",
        HelpName = "file",
    };
    private readonly Option<string?> _script = new("--script")
    {
        Description = "Save the changes and their undo as one PowerShell script, for Set-NetTCPSetting and other tools.",
        HelpName = "file.ps1",
    };
    private readonly Option<string?> _snapshot = new("--snapshot")
    {
        Description = "Show what would change on the machine of this snapshot or .reg export.",
        HelpName = "file",
    };
    private readonly Option<string?> _measured = new("--measure")
    {
        Description = "The measurement that showed the fault (measure --format json); verify repeats it.",
        HelpName = "file",
    };
    private readonly Option<string?> _ticket = new("--ticket") { Description = "The change ticket, for the journal and the Event Log.", HelpName = "text" };
    private readonly Option<DateTimeOffset?> _notAfter = Symbols.Optional("--not-after", "The plan is not applied after this time.", "time", Time);
    private readonly Option<bool> _yes = new("--yes") { Description = "Make the changes; without --yes they are only shown." };
    private readonly Option<bool> _force = new("--force")
    {
        Description =
            "Also change an interface that has registry keys but no adapter, and write values that weaken a defence or that this Windows may not take.",
    };

    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[
            _settings, _interface, _template, _filter, _plan, _savePlan, _script, _snapshot, _measured, _ticket, _notAfter, _force, _yes])
        {
            command.Options.Add(option);
        }
    }

    public ApplyValues Values(ParseResult parse)
    {
        ApplyValues values = new()
        {
            Settings = parse.GetValue(_settings) ?? [],
            Interface = parse.GetValue(_interface),
            Template = parse.GetValue(_template),
            Filter = parse.GetValue(_filter),
            Plan = parse.GetValue(_plan),
            SavePlan = parse.GetValue(_savePlan),
            Script = parse.GetValue(_script),
            Snapshot = parse.GetValue(_snapshot),
            Measured = parse.GetValue(_measured),
            Ticket = parse.GetValue(_ticket),
            NotAfterUtc = parse.GetValue(_notAfter),
            Yes = parse.GetValue(_yes),
            Force = parse.GetValue(_force),
        };
        Check(values);
        return values;
    }

    private static void Check(ApplyValues values)
    {
        if (values.Settings.Count == 0 == values.Plan is null)
        {
            throw Usage(values.Plan is null
                ? "Nothing to apply: give --setting ID=VALUE or --plan FILE. 'latencytuner settings list' shows the settings."
                : "--plan and --setting exclude each other: the plan already lists every change.");
        }

        if (values.Plan is not null
            && ((values.Interface ?? values.Template ?? values.Filter ?? values.SavePlan ?? values.Ticket) is not null || values.NotAfterUtc is not null))
        {
            throw Usage(
                "--interface, --template, --filter, --ticket, --not-after and --save-plan do not go with --plan: the plan already lists every change.");
        }

        if (values.Snapshot is not null && (values.SavePlan ?? values.Measured) is not null)
        {
            throw Usage("--save-plan and --measure do not go with --snapshot: run them on the machine itself.");
        }

        if (values.SavePlan is not null && values.Yes)
        {
            throw Usage("--save-plan and --yes exclude each other: save the plan first, then run 'latencytuner apply --plan FILE --yes'.");
        }

        if (values.Script is not null && values.Yes)
        {
            throw Usage("--script and --yes exclude each other: the script makes the changes when it is run.");
        }

        if (values.Ticket is { } ticket && (ticket.Length > LongestTicket || ticket.Any(char.IsControl)))
        {
            throw Usage($"--ticket is not valid: at most {LongestTicket} characters without line breaks are expected.");
        }
    }

    /// <summary>A moment such as 2026-12-01T22:00Z; without Z or an offset it is UTC.</summary>
    private static DateTimeOffset Time(string text, string option) =>
        DateTimeOffset.TryParseExact(text, Times, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
            ? time
            : throw Usage($"{option} '{text}' is not valid: a time such as 2026-12-01T22:00Z is expected; without Z or an offset it is UTC.");

    private static ExpectedFailureException Usage(string sentence) => new(ExitCode.Usage, sentence);
}
