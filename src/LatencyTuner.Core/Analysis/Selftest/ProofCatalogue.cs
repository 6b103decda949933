using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>The steps of <c>tests/windows/prove.ps1</c>, with what each of them must give; a test holds both together.</summary>
internal static class ProofCatalogue
{
    private const string NoSession = "LatencyTuner";

    /// <summary>Every step, in the order in which the script runs them.</summary>
    public static IReadOnlyList<ProofStep> Steps { get; } =
    [
        new("selftest", "the selftest ends, whatever it finds"),
        new("selftest-standard", "the selftest of a standard user ends, whatever it finds"),
        new("check", "the local checks pass", "net8-on-windows"),
        new("redirection", "a report written by > of PowerShell is read back", "powershell-redirection"),
        new("long-path", "a report is written below a path of more than 260 characters", "long-paths"),
        new("held-output", "a report whose place is held stands beside it as r.1.json", "output-replaces-open-file") { ExitCode = 4, Matches = @"r\.1\.json" },
        new("many-outputs", "a hundred reports are written over each other", "antivirus-delay"),
        new("ctrl-c", "Ctrl-C ends a measurement with what it has", "ctrl-break-and-close") { ExitCode = 130, Matches = @"""complete"": false" },
        new("ctrl-break", "Ctrl-Break ends a measurement with what it has", "ctrl-break-and-close") { ExitCode = 130, Matches = @"""complete"": false" },
        new("not-elevated", "apply --yes of a standard user is refused", "elevation") { ExitCode = 4 },
        new("own-address", "a split measurement between two processes, over an address of this host, is judged"),
        new("setup", "setup makes the folder of the journal"),
        new(
            "journal-acl", "administrators own the folder, and only they and SYSTEM are in its access list", "journal-folder-acl",
            "journal-folder-owner")
        {
            Matches = @"^O:BA.*D:PAI(\(A;[^;]*;FA;;;(BA|SY)\)){2}\s*$",
        },
        new("registry-before", "the values of the interface are listed"),
        new("registry-apply", "one value is applied", "registry-write"),
        new("registry-changed", "reg query shows the value", "registry-write") { Matches = @"TcpAckFrequency\s+REG_DWORD\s+0x1" },
        new("registry-verify", "verify finds the value as written", "registry-write"),
        new("registry-rollback", "rollback puts the value back", "registry-write"),
        new("registry-after", "the key is as before", "registry-write") { SameAs = "registry-before" },
        new("event-log", "the entries of apply and rollback have their text", "event-log-source") { Matches = "apply" },
        new("template-before", "the templates are listed"),
        new("template-apply", "one value of InternetCustom is applied", "template-put", "template-writable"),
        new("template-changed", "one property of one template changed", "template-put") { OneLineFrom = "template-before" },
        new("template-rollback", "rollback puts the value back", "template-put"),
        new("template-after", "the templates are as before", "template-put") { SameAs = "template-before" },
        new("filter-before", "the transport filters are listed"),
        new("filter-apply", "one value of InternetCustom is applied for one peer", "transport-filter-put"),
        new("filter-shown", "the filter has the prefix and the port it was made with", "transport-filter-put", "transport-filter-readback")
        {
            Matches = @"InternetCustom.*192\.0\.2\.0/24.*7117",
        },
        new("filter-rollback", "rollback removes the filter", "transport-filter-put"),
        new("filter-after", "the filters are as before", "transport-filter-put") { SameAs = "filter-before" },
        new("trace-latency", "a live trace of the profile Latency ends by itself", "etw-live-session"),
        new("trace-detail", "a live trace of the profile Detail sees the split writes", "etw-live-session") { Matches = "LT10[12]" },
        new("trace-packets", "a live trace of the profile Packets ends by itself", "etw-live-session"),
        new("trace-sessions", "no session is left", "etw-live-ends") { Lacks = NoSession },
        new("trace-ctrl-c", "Ctrl-C ends a trace with what it has", "etw-live-ends") { ExitCode = 130 },
        new("trace-ctrl-c-sessions", "no session is left after Ctrl-C", "etw-live-ends") { Lacks = NoSession },
        new("trace-after-kill", "a trace after a killed one ends by itself", "etw-live-ends"),
        new("trace-after-kill-sessions", "the session of the killed trace is gone", "etw-live-ends") { Lacks = NoSession },
        new("layouts", "every event of the profile Detail has a known layout that fits", "etw-layouts")
        {
            Lacks = "events (that do not fit their|without a known) layout",
        },
        new("wpr-latency", "wpr takes the profile Latency", "etw-profiles"),
        new("wpr-detail", "wpr takes the profile Detail", "etw-profiles"),
        new("wpr-packets", "wpr takes the profile Packets", "etw-profiles"),
        new("line-logman", "the printed logman lines are accepted", "etw-profiles"),
        new("line-netsh", "the printed netsh lines are accepted", "etw-profiles"),
        new("line-pktmon", "the printed pktmon lines are accepted", "etw-profiles"),
        new("clock-cycle", "a trace with the cycle clock is read", "etl-forms"),
        new("clock-system", "a trace with the system clock is read", "etl-forms"),
        new("task", "the scheduled task runs without a console and ends with result 0", "scheduled-task", "task-without-console", "journal-service-token"),
        new("monitor-adapter", "monitor goes on while an adapter is switched off and on", "monitor-adapter"),
    ];

    /// <summary>What the steps of one machine say of each assumption that they test.</summary>
    /// <param name="runs">The steps that were run or left out; ids that are not known are passed over.</param>
    /// <returns>By the id of the assumption; those that no step tests are missing.</returns>
    public static IReadOnlyDictionary<string, ProbeFinding> Judge(IReadOnlyList<ProofRun> runs)
    {
        Dictionary<string, ProofRun> byStep = [];
        foreach (ProofRun run in runs)
        {
            byStep[run.Step] = run;
        }

        return AssumptionCatalogue.All.Select(a => (a.Id, Steps: Steps.Where(s => s.Assumptions.Contains(a.Id)).ToList())).Where(a => a.Steps.Count > 0)
            .ToDictionary(a => a.Id, a => Of(a.Steps, byStep));
    }

    private static ProbeFinding Of(List<ProofStep> steps, Dictionary<string, ProofRun> runs)
    {
        List<string> failures = [];
        List<string> open = [];
        List<string> met = [];
        foreach (ProofStep step in steps)
        {
            if (!runs.TryGetValue(step.Id, out ProofRun? run) || run.ExitCode is null)
            {
                open.Add($"{step.Id} was not run{(run?.NotRun is { } reason ? $": {reason}" : "")}");
            }
            else if (step.Failure(run, runs, out bool compared) is not { } failure)
            {
                met.Add($"{step.Id}: {step.Expected}");
            }
            else
            {
                (compared ? open : failures).Add(failure);
            }
        }

        return failures.Count > 0 ? ProbeFinding.Of(false, failures[0], [.. failures.Skip(1), .. open])
            : open.Count > 0 ? ProbeFinding.Unknown($"{met.Count} of {Counted.Were(steps.Count, "step")} run and gave what was expected.", [.. open])
            : ProbeFinding.Of(true, steps.Count == 1 ? "The step gave what was expected." : $"All {steps.Count} steps gave what was expected.", [.. met]);
    }
}
