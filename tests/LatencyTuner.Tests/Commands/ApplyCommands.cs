using System.Text;
using System.Text.Json.Nodes;
using LatencyTuner.Core;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class ApplyCommands : IDisposable
{
    private readonly TunedMachine _machine = new();

    private string[] Ask { get; } = ["apply", "--setting", "tcp.ackfrequency=1", "--setting", "tcp.delackticks=2", "--interface", "Team1"];

    public void Dispose() => _machine.Dispose();

    [Fact]
    public void WhatIf_ChangesNothingAndShowsTheSameInOtherForms()
    {
        string before = _machine.Dump;

        CliRun run = _machine.Run([.. Ask, "--format", "json"]).Done();

        ChangeReport report = Report(run);
        Assert.Equal((before, true, TuningOutcome.WhatIf), (_machine.Dump, report.WhatIf, report.Outcome));
        Assert.Contains(report.PowerShell, l => l.Contains("-Name 'TcpDelAckTicks' -PropertyType DWord -Value 2", StringComparison.Ordinal));
        Assert.Contains("\"TcpAckFrequency\"=dword:00000001", report.Reg, StringComparison.Ordinal);
        Assert.Contains(report.Notes, n => n.Contains("checkpoint", StringComparison.Ordinal));
        Assert.Contains(report.Notes, n => n.Contains("only its peer notices it", StringComparison.Ordinal));
        Assert.False(Directory.Exists(_machine.Journal.Path));
        Assert.Empty(_machine.Events);
    }

    [Theory]
    [InlineData("tcp.ackfrequency=absent", "tcp.ackfrequency goes back to what Windows does by default.")]
    [InlineData("tcp.ackfrequency=3", "The cost of tcp.ackfrequency: ")]
    public void WhatIf_OnASnapshot_SaysWhatItCostsAndWhereItIsDone(string change, string says)
    {
        string[] asked = ["apply", "--setting", change, "--interface", "Team1", "--snapshot", SampleSnapshots.PathOf("server2022.json"), "--format", "json"];

        ChangeReport report = Report(CliRun.Of(asked).Done());

        Assert.Null(report.Batch);
        Assert.Contains(report.Notes, n => n.StartsWith(says, StringComparison.Ordinal));
        Assert.StartsWith($"latencytuner apply --setting {change} --interface Team1 --yes   # ", report.NextSteps[0], StringComparison.Ordinal);
    }

    [Fact]
    public void ApplyVerifyRollback_EndAsItBegan()
    {
        string before = _machine.Dump;

        ChangeReport applied = Report(_machine.Run([.. Ask, "--yes", "--ticket", "CHG1", "--format", "json"]).Done());
        Assert.Equal((SettingValue.Dword(1), SettingValue.Dword(2)), (_machine.Store.Read(TunedMachine.Frequency), _machine.Store.Read(TunedMachine.Ticks)));
        ChangeReport verified = Report(_machine.Run("verify", "--batch", applied.Batch!, "--format", "json").Done());
        Assert.All(verified.Changes, c => Assert.Equal((ChangeStatus.Done, RestartNeed.Adapter), (c.Status, c.Pending)));
        Assert.Contains("CHG1", _machine.Run("history").Done().Out, StringComparison.Ordinal);
        _machine.Run("rollback", "--format", "json").Done();
        Assert.NotEqual(before, _machine.Dump);
        _machine.Run("rollback", "--yes").Done();

        Assert.Equal(before, _machine.Dump);
        Assert.StartsWith("NO CHANGE", _machine.Run("rollback", "--yes").Done().Out, StringComparison.Ordinal);
        Assert.Equal([BatchEvent.Applied, BatchEvent.RolledBack], _machine.Events.Select(e => e.Id));
        Assert.Contains("Ticket: CHG1", _machine.Events[0].Text, StringComparison.Ordinal);
        Assert.Contains(@"Operator: CORP\anna", _machine.Events[0].Text, StringComparison.Ordinal);
        Assert.Contains("from 2 (0x2) REG_DWORD to 1 (0x1) REG_DWORD", _machine.Events[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Apply_ASecondTimeChangesNothing()
    {
        _machine.Run([.. Ask, "--yes"]).Done();
        string after = _machine.Dump;

        CliRun run = _machine.Run([.. Ask, "--yes"]).Done();

        Assert.StartsWith("NO CHANGE", run.Out, StringComparison.Ordinal);
        Assert.Equal((after, 1), (_machine.Dump, _machine.Events.Count));
    }

    [Fact]
    public void Apply_MakesAMissingKeyAndRollbackRemovesIt()
    {
        _machine.Store.Write(TunedMachine.Frequency, SettingValue.Absent);
        _machine.Store.Write(new SettingLocation.Registry(TunedMachine.Frequency.Key, "Other"), SettingValue.Absent);
        _machine.Store.RemoveEmptyContainer(TunedMachine.Frequency.Key);
        string before = _machine.Dump;

        ChangeReport applied = Report(_machine.Run([.. Ask, "--yes", "--format", "json"]).Done());

        Assert.Contains(TunedMachine.Frequency.Key, applied.Changes.SelectMany(c => c.CreatedContainers));
        _machine.Run("rollback", "--all", "--yes").Done();
        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public void Script_HoldsTheChangesAndChangesNothing()
    {
        string script = _machine.Files["change.ps1"];
        string before = _machine.Dump;

        CliRun run = _machine.Run([.. Ask, "--ticket", "CHG2", "--script", script]).Done();

        Assert.Equal((before, 0), (_machine.Dump, _machine.Events.Count));
        Assert.Contains("change.ps1", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("--script", run.Out, StringComparison.Ordinal);
        string text = File.ReadAllText(script);
        Assert.Contains("# Ticket: CHG2\r\n", text, StringComparison.Ordinal);
        Assert.Contains("-Name 'TcpAckFrequency' -PropertyType DWord -Value 1 ", text, StringComparison.Ordinal);
        Assert.Contains(
            "-Name 'TcpAckFrequency' -PropertyType DWord -Value 2 ", text[text.IndexOf("else {", StringComparison.Ordinal)..], StringComparison.Ordinal);
    }

    [Fact]
    public void Script_IsNotWrittenWhereNothingChanges()
    {
        string script = _machine.Files["change.ps1"];
        _machine.Run([.. Ask, "--yes"]).Done();

        Assert.EndsWith(
            " No script was written.", Report(_machine.Run([.. Ask, "--script", script, "--format", "json"]).Done()).StatedText, StringComparison.Ordinal);
        Assert.False(File.Exists(script));
        Refused(2, "--script and --yes exclude each other", [.. Ask, "--script", script, "--yes"]);
    }

    [Fact]
    public void Plan_AppliesExactlyWhatWasAgreed()
    {
        string plan = _machine.Files["plan.json"];
        _machine.Run([.. Ask, "--ticket", "CHG2", "--save-plan", plan]).Done();

        ChangeReport applied = Report(_machine.Run("apply", "--plan", plan, "--yes", "--format", "json").Done());

        Assert.Equal((TuningOutcome.Done, 2), (applied.Outcome, applied.Changes.Count));
        Assert.Contains("Ticket: CHG2", Assert.Single(_machine.Events).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Plan_OfAnotherMachineIsRefused()
    {
        string plan = _machine.Files["plan.json"];
        _machine.Run([.. Ask, "--save-plan", plan]).Done();
        _machine.MachineId = "other";

        Refused(6, "it was made on HV-APP01", "apply", "--plan", plan, "--yes");
    }

    [Fact]
    public void Plan_ThatWasEditedIsRefused()
    {
        string plan = _machine.Files["plan.json"];
        _machine.Run([.. Ask, "--save-plan", plan]).Done();
        File.WriteAllText(plan, File.ReadAllText(plan).Replace("\"value\": 1", "\"value\": 0", StringComparison.Ordinal));

        Refused(3, "the plan was edited", "apply", "--plan", plan, "--yes");
    }

    [Fact]
    public void Plan_PastItsTimeIsRefused()
    {
        string plan = _machine.Files["plan.json"];

        Refused(6, "it expired at 2020-01-01", [.. Ask, "--not-after", "2020-01-01T00:00Z", "--save-plan", plan]);
    }

    [Fact]
    public void Plan_ForAnAdapterThatIsGoneIsRefused()
    {
        string plan = _machine.Files["plan.json"];
        _machine.Run([.. Ask, "--save-plan", plan]).Done();
        _machine.Snapshot = _machine.Snapshot with
        {
            Interfaces = [.. _machine.Snapshot.Interfaces.Select(i => i.Guid == TunedMachine.Team ? i with { IsGhost = true } : i)],
        };

        Refused(6, "no adapter is present", "apply", "--plan", plan, "--yes");
        _machine.Run("apply", "--plan", plan, "--yes", "--force").Done();
    }

    [Fact]
    public void Apply_NeedsElevationForWritingOnly()
    {
        _machine.MissingPrivilege = "This process is not elevated.";

        Assert.Contains("not elevated", _machine.Run([.. Ask, "--details"]).Done().Out, StringComparison.Ordinal);
        Refused(4, "not elevated", [.. Ask, "--yes"]);
        Refused(4, "not elevated", "rollback", "--all", "--yes");
    }

    [Theory]
    [InlineData(2, "did you mean 'tcp.ackfrequency'", "tcp.ackfrequncy=1", "Team1")]
    [InlineData(2, "did you mean 'Team1'", "tcp.ackfrequency=1", "Taem1")]
    [InlineData(2, "is not a value of tcp.ackfrequency; valid are 0 to 255", "tcp.ackfrequency=256", "Team1")]
    [InlineData(2, "is not a value of tcp.ackfrequency", "tcp.ackfrequency=yes", "Team1")]
    [InlineData(2, "ID=VALUE is expected", "tcp.ackfrequency", "Team1")]
    [InlineData(2, "only the socket option TCP_NODELAY", "tcp.nodelay.interface=1", "Team1")]
    [InlineData(2, "drops remote sessions", "nic.rss=1", "Team1")]
    [InlineData(2, "application's code", "sock.tcp_nodelay=1", "Team1")]
    [InlineData(2, "applies to none of the settings", "legacy.tcptimedwaitdelay=30", "Team1")]
    [InlineData(2, "give --interface with one of: 'Team1'", "tcp.ackfrequency=1", null)]
    [InlineData(6, "it is a member of a team", "tcp.ackfrequency=1", SampleSnapshots.TeamMember)]
    [InlineData(6, "it is bound to a virtual switch", "tcp.ackfrequency=1", SampleSnapshots.VSwitchBound)]
    [InlineData(2, "There is no interface", "tcp.ackfrequency=1", "{00000000-0000-0000-0000-00000000abcd}")]
    [InlineData(2, "template.minrto is a setting of each template: give --template", "template.minrto=50", null)]
    public void Apply_RefusesWithASentence(int code, string says, string setting, string? of) =>
        Refused(code, says, ["apply", "--setting", setting, .. of is null ? Array.Empty<string>() : ["--interface", of], "--yes"]);

    [Theory]
    [InlineData(2, "--filter needs a custom template, but Internet is not one", "--setting template.minrto=50 --template Internet --filter 10.0.0.0/8:1433")]
    [InlineData(2, "There is no TCP template 'Intranet'", "--setting template.minrto=50 --template Intranet")]
    [InlineData(
        2, "--template \"Internet\" applies to none of the settings: tcp.ackfrequency", "--setting tcp.ackfrequency=2 --interface Team1 --template Internet")]
    [InlineData(
        2, "--filter \"10.0.0.0/8\" applies to none of the settings: tcp.ackfrequency", "--setting tcp.ackfrequency=2 --interface Team1 --filter 10.0.0.0/8")]
    [InlineData(2, "'10.0.0.0/99", "--setting template.minrto=50 --template InternetCustom --filter 10.0.0.0/99:1433")]
    [InlineData(2, "Nothing to apply", "--yes")]
    [InlineData(2, "exclude each other", "--setting tcp.ackfrequency=1 --plan plan.json")]
    [InlineData(2, "--not-after 'soon' is not valid", "--setting tcp.ackfrequency=1 --not-after soon")]
    [InlineData(3, "cannot be read", "--plan nowhere.json")]
    [InlineData(4, "read-only", "--setting tcp.ackfrequency=2 --interface Team1 --snapshot S --yes")]
    public void Apply_RefusesOptionsWithASentence(int code, string says, string line) =>
        Refused(code, says, ["apply", .. line.Split(' ').Select(w => w == "S" ? SampleSnapshots.PathOf("server2022.json") : w)]);

    [Fact]
    public void Apply_RefusesAValueOfAnotherType()
    {
        _machine.Store.Write(TunedMachine.Frequency, SettingValue.Of("1"));

        Refused(6, "Windows expects a REG_DWORD there", [.. Ask, "--yes"]);
    }

    [Fact]
    public void Apply_LetsAGhostPassByForceOnly()
    {
        const string ghost = "{11111111-2222-3333-4444-555555555555}";
        _machine.Snapshot = _machine.Snapshot with { Interfaces = [.. _machine.Snapshot.Interfaces, new() { Guid = ghost, IsGhost = true }] };

        Refused(6, "no adapter is present", "apply", "--setting", "tcp.ackfrequency=1", "--interface", ghost, "--yes");
        _machine.Run("apply", "--setting", "tcp.ackfrequency=1", "--interface", ghost, "--yes", "--force").Done();
    }

    [Fact]
    public void Apply_PutsBackWhatWasWrittenWhenAccessIsDeniedOnTheWay()
    {
        string before = _machine.Dump;
        _machine.Store.BeforeWrite = (place, _) =>
        {
            if (place.Equals(TunedMachine.Ticks))
            {
                throw new ExpectedFailureException(ExitCode.Platform, $"{place} cannot be written: access is denied.");
            }
        };

        CliRun run = _machine.Run([.. Ask, "--yes", "--format", "json"]);

        Assert.Equal((6, before), (run.Code, _machine.Dump));
        Assert.Equal(TuningOutcome.RolledBack, Report(run).Outcome);
        Assert.Contains("the machine is as it was", Report(run).Text, StringComparison.Ordinal);
        Assert.Equal(BatchEvent.Failed, Assert.Single(_machine.Events).Id);
    }

    [Fact]
    public void Apply_WaitsForNobody()
    {
        using IDisposable other = _machine.Journal.Lock();

        Refused(6, "Another latencytuner", [.. Ask, "--yes"]);
    }

    [Fact]
    public void Apply_RefusesADamagedJournalAndOneOfANewerVersion()
    {
        _machine.Run([.. Ask, "--yes"]).Done();
        string path = Path.Combine(_machine.Journal.Path, Journal.FileName);
        byte[] whole = File.ReadAllBytes(path);
        string[] more = ["apply", "--setting", "tcp.ackfrequency=3", "--interface", "Team1", "--yes"];

        // A bit in the middle of a record, and a line of another's.
        File.WriteAllBytes(path, [.. whole[..200], (byte)(whole[200] ^ 1), .. whole[201..]]);
        Refused(6, "Nothing was changed", more);
        byte[] header =
            JournalFormat.Line(
                new JournalRecord { Kind = JournalRecord.Header, TimeUtc = DateTimeOffset.UnixEpoch, Version = 2 }, new byte[JournalFormat.HashBytes], out _);
        File.WriteAllBytes(path, header);
        Refused(3, "newer version", more);

        // Cut in the middle of its last record: that was never acknowledged, so the batch counts as interrupted.
        File.WriteAllBytes(path, whole[..^20]);
        Refused(6, "was interrupted", more);
        _machine.Run("rollback", "--yes").Done();
        Assert.Equal(SettingValue.Dword(2), _machine.Store.Read(TunedMachine.Frequency));
    }

    [Fact]
    public void Apply_ChangesNothingOnAFullDisk()
    {
        _machine.Journal = new FullFolder(_machine.Journal);

        Refused(6, "not enough space", [.. Ask, "--yes"]);
    }

    [Fact]
    public void Snapshot_EditedByHandIsRefused()
    {
        JsonNode node = JsonNode.Parse(File.ReadAllText(SampleSnapshots.PathOf("server2022.json")))!;
        JsonNode value = node["values"]!.AsArray().First(v => v!["id"]!.GetValue<string>() == "tcp.ackfrequency" && !v["absent"]!.GetValue<bool>())!;
        value["type"] = "REG_NONSENSE";
        string edited = _machine.Files.Write("edited.json", node.ToJsonString());

        Refused(3, "edited.json: tcp.ackfrequency", "apply", "--setting", "tcp.ackfrequency=1", "--interface", "Team1", "--snapshot", edited);
    }

    [Fact]
    public void Apply_NotesTheMissingEventLogSourceAndThePolicy()
    {
        _machine.EventLogMissing = "No entry was written into the Event Log: its source is not registered. 'latencytuner setup' registers it.";
        _machine.Snapshot = _machine.Snapshot with { Components = [new() { Kind = "policy", Name = "Group Policy", Detail = "TCP/IP" }] };

        ChangeReport report = Report(_machine.Run([.. Ask, "--yes", "--format", "json"]).Done());

        Assert.Contains(_machine.EventLogMissing, report.Notes);
        Assert.Contains(
            report.Notes, n => n.Contains("Group Policy (TCP/IP)", StringComparison.Ordinal) && n.Contains("may overwrite", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("text")]
    [InlineData("json")]
    [InlineData("csv")]
    [InlineData("junit")]
    [InlineData("html")]
    public void Commands_PrintEveryForm(string format)
    {
        _machine.Run([.. Ask, "--format", format]).Done();
        _machine.Run([.. Ask, "--format", format, "--yes"]).Done();
        _machine.Run("verify", "--format", format).Done();
        _machine.Run("history", "--format", format).Done();
        _machine.Run("rollback", "--format", format).Done();
        _machine.Run("rollback", "--yes", "--format", format).Done();
    }

    [Theory]
    [InlineData("apply", "--setting", "tcp.ackfrequency=1", "--interface", "Team1")]
    [InlineData("verify")]
    [InlineData("rollback", "--all")]
    [InlineData("history")]
    [InlineData("setup")]
    public void Commands_OffWindowsSayWhyNot(params string[] args)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Here they work.");
        CliRun.Of(args).Failed(4, "on Windows only");
    }

    [Fact]
    public void WhatIf_WorksFromASnapshotAnywhere()
    {
        CliRun run =
            CliRun.Of(
                "apply", "--setting", "tcp.ackfrequency=2", "--interface", "10.20.0.21", "--snapshot", SampleSnapshots.PathOf("server2022.json"), "--format",
                "json").Done();

        ChangeReport report = Report(run);
        Assert.Equal((TuningOutcome.WhatIf, "HV-APP01", (string?)null), (report.Outcome, report.Machine, report.Journal));
    }

    private static ChangeReport Report(CliRun run) => ReportJson.Read<ChangeReport>(Encoding.UTF8.GetBytes(run.Out), "out");

    /// <summary>One sentence, the code, and a machine that is as it was.</summary>
    private void Refused(int code, string says, params string[] args)
    {
        string before = _machine.Dump;
        _machine.Run(args).Failed(code, says);
        Assert.Equal(before, _machine.Dump);
    }

    private sealed class FullFolder(IJournalFolder inner) : IJournalFolder
    {
        public string Path => inner.Path;

        public IDisposable Lock() => inner.Lock();

        public byte[]? Read(string name, int maxBytes) => inner.Read(name, maxBytes);

        public IReadOnlyList<string> Names() => inner.Names();

        public void Append(string name, ReadOnlySpan<byte> bytes) => throw new IOException("There is not enough space on the disk.");

        public void Truncate(string name, long length) => throw new IOException("There is not enough space on the disk.");
    }
}
