using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class Audits
{
    public static TheoryData<string, string> Cases
    {
        get
        {
            TheoryData<string, string> data = new();
            foreach (string? file in new[] { "server2022.json", "win11.json" })
            {
                foreach (string profile in SettingNames.All<WorkloadProfile>())
                {
                    data.Add(file, profile);
                }
            }

            return data;
        }
    }

    [Theory]
    [InlineData("server2022.json")]
    [InlineData("win11.json")]
    public void Samples_AreAsThisProgramWritesThem(string name)
    {
        string text = ReportJson.Serialize(SampleSnapshots.Read(name));
        if (Repository.Updates)
        {
            File.WriteAllText(SampleSnapshots.PathOf(name), text);
        }

        Assert.Equal(File.ReadAllText(SampleSnapshots.PathOf(name)).ReplaceLineEndings("\n"), text);
        _ = new SnapshotStore(SampleSnapshots.Read(name), name);
        Assert.Equal(
            SettingsCatalogue.Current.All.Where(d => d.Action != SettingAction.AdviseApp).Select(d => d.Id),
            SampleSnapshots.Read(name).Values.Select(v => v.Id).Distinct());
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Of_NeverRecommendsAMythNorClaimsAStall(string file, string profileName)
    {
        HostAuditResult result = Audit(file, profileName);

        Assert.NotEmpty(result.Findings);
        Assert.All(result.Findings, f =>
        {
            Assert.Equal((Confidence.Possible, Side.Host), (f.Confidence, f.Side));
            Assert.True(f.Severity <= Severity.Warning);
            Assert.Matches("^LT20[1-4]$", f.Id);
            Assert.Null(f.CostMs);
            Assert.Contains(f.For, s => s.StartsWith("Source: ", StringComparison.Ordinal) && s.Contains("confidence", StringComparison.Ordinal));
        });
        Assert.All(result.Entries, e =>
        {
            Assert.NotEmpty(e.Source);
            Assert.Contains(e.Confidence, (string[])["high", "medium", "low"]);
            Assert.Equal(e.State is not AuditState.Ok, e.Because is not null);
            if (e.Action == "flag-only")
            {
                Assert.Null(e.Recommended);
            }

            if (e.Absent)
            {
                Assert.Equal(AuditState.Ok, e.State);
            }
        });
        foreach (Finding? finding in result.Findings.Where(f => f.Cause == Cause.SettingHasNoEffect))
        {
            Assert.DoesNotContain("Set it", finding.Recommendation, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(-1, false)]
    [InlineData(1, true)]
    public void Of_AnAdapterThatWasNotStartedSince_IsPending(int hours, bool pending)
    {
        HostSnapshot host = SampleSnapshots.Server2022;
        SnapshotValue value = host.Values.First(v => v.Id == "nic.interruptmoderation" && !v.Absent);
        DateTimeOffset started = host.Interfaces.Single(i => i.Guid == value.Interface).StartedUtc!.Value;

        AuditedSetting entry =
            Assert.Single(
                HostAudit.Of(
                    SettingsCatalogue.Current, host with { Values = [value with { WrittenUtc = started.AddHours(hours) }] }, WorkloadProfile.Balanced,
                    "x").Entries);

        Assert.Equal(pending, entry.State == AuditState.PendingRestart);
    }

    [Fact]
    public void Of_TheServerTellsEveryState()
    {
        IReadOnlyList<AuditedSetting> entries = Audit("server2022.json", "low-latency").Entries;

        Assert.Equal(AuditState.Conflict, Ack(SampleSnapshots.Team).State);
        Assert.Contains("template DatacenterCustom (4)", Ack(SampleSnapshots.Team).Because, StringComparison.Ordinal);
        Assert.Equal(AuditState.Misplaced, Ack(SampleSnapshots.TeamMember).State);
        Assert.Equal(AuditState.Misplaced, Ack(SampleSnapshots.VSwitchBound).State);
        Assert.Equal(AuditState.Misplaced, Ack(null).State);
        Assert.EndsWith(@"Parameters\Interfaces\TcpAckFrequency", Ack(null).Path, StringComparison.Ordinal);
        Assert.Equal(AuditState.NoEffect, entries.Single(e => e.Id == "tcp.nodelay.interface" && e.Interface == SampleSnapshots.Team).State);
        Assert.Equal(AuditState.PendingRestart, entries.Single(e => e.Id == "legacy.tcptimedwaitdelay").State);
        Assert.Equal(AuditState.NotRecommended, entries.Single(e => e.Id == "power.plan").State);
        Assert.Equal(AuditState.Unknown, entries.Single(e => e.Id == "global.fastopen").State);
        Assert.Equal(AuditState.Ok, entries.Single(e => e.Id == "mmcss.systemresponsiveness").State);
        Assert.Equal(AuditState.Ok, entries.Single(e => e.Id == "template.initialrto" && e.Template == "Compat").State);
        Assert.Equal(("Normal", "Normal"), entries.Where(e => e.Id == "template.autotuninglevellocal").Select(e => (e.Value, e.Recommended)).First());

        AuditedSetting Ack(string? owner) => entries.Single(e => e.Id == "tcp.ackfrequency" && e.Interface == owner);
    }

    [Fact]
    public void Of_TheDesktopShowsWhatTheScriptDid()
    {
        List<string> findings = Audit("win11.json", "balanced").Findings.Select(f => $"{f.Id} {f.For[0].Split(':')[0]} x{f.Count}").ToList();

        Assert.Equal(
            [
                "LT201 tcp.ackfrequency x2", "LT201 tcp.delackticks x1", "LT201 template.initialrto x1", "LT201 template.autotuninglevellocal x1",
                "LT201 mmcss.networkthrottling x1", "LT201 legacy.tcp1323opts x1", "LT201 legacy.maxuserport x1", "LT202 tcp.nodelay.interface x3",
                "LT202 mmcss.systemresponsiveness x1", "LT202 legacy.tcpwindowsize x1", "LT202 legacy.defaultttl x1", "LT202 legacy.misc x1",
                "LT203 tcp.ackfrequency x1",
            ],
            findings);
        Assert.DoesNotContain(
            Audit("win11.json", "low-latency").Findings, f => f.Id == "LT201" && f.For[0].StartsWith("tcp.ackfrequency", StringComparison.Ordinal));
    }

    [Fact]
    public void Of_ATemplateAtItsDefaultIsNoConflict()
    {
        HostSnapshot snapshot = SampleSnapshots.Server2022;
        snapshot = snapshot with { Values = [.. snapshot.Values.Select(v => v.Id == "template.delayedackfrequency" ? v with { Data = ["2"] } : v)] };

        Assert.DoesNotContain(
            HostAudit.Of(SettingsCatalogue.Current, snapshot, WorkloadProfile.LowLatency, "s").Findings, f => f.Cause == Cause.SettingConflict);
    }

    [Theory]
    [InlineData(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces")]
    [InlineData(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters")]
    [InlineData(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\{00000000-0000-0000-0000-000000000000}")]
    public void Of_AValueInAnotherKeyIsMisplaced(string key)
    {
        HostSnapshot snapshot = SampleSnapshots.Win11;
        snapshot = snapshot with
        {
            Values = [snapshot.Values.First(v => v.Id == "tcp.ackfrequency") with { Path = key, Data = ["1"], Type = "REG_DWORD", Absent = false }],
        };

        Assert.Equal("LT203", Assert.Single(HostAudit.Of(SettingsCatalogue.Current, snapshot, WorkloadProfile.LowLatency, "s").Findings).Id);
    }

    [Fact]
    public void Of_AValueOfAnotherTypeIsUnknown()
    {
        HostSnapshot snapshot = SampleSnapshots.Win11;
        snapshot = snapshot with
        {
            Values = [.. snapshot.Values.Select(v => v.Id == "tcp.ackfrequency" && v.Interface is not null ? v with { Type = "REG_SZ", Data = ["1"] } : v)],
        };

        Assert.All(
            HostAudit.Of(SettingsCatalogue.Current, snapshot, WorkloadProfile.Balanced, "s").Entries.Where(
                e => e.Id == "tcp.ackfrequency" && e.Interface is not null),
            e => Assert.Equal(AuditState.Unknown, e.State));
    }

    [Fact]
    public void From_ARegistryExportFindsTheSameThings()
    {
        HostSnapshot snapshot = SnapshotBuilding.FromRegistry(RegFileStore.Parse(RegFiles.Sample(), "sql01.reg"), SettingsCatalogue.Current);
        IReadOnlyList<Finding> findings = HostAudit.Of(SettingsCatalogue.Current, snapshot, WorkloadProfile.Balanced, "sql01.reg").Findings;

        Assert.Equal(["LT201", "LT201", "LT201", "LT202", "LT202", "LT202", "LT202", "LT203"], findings.Select(f => f.Id));
    }

    [Fact]
    public void From_OneSettingKeepsItsConflict()
    {
        Assert.Contains(SampleSnapshots.Explain.Findings, f => f.Id == "LT204");
        Assert.All(SampleSnapshots.Explain.Entries, e => Assert.Equal("tcp.ackfrequency", e.Id));
        Assert.StartsWith("Has no effect: ", SampleSnapshots.Myth.Explanation!.WhyNot, StringComparison.Ordinal);
    }

    [Fact]
    public void From_TwoSnapshotsTellsEveryDifferenceAndNoOther()
    {
        Assert.Empty(SnapshotComparisons.From("a", SampleSnapshots.Server2022, "b", SampleSnapshots.Server2022).Changes);
        Assert.Equal(
            [("setting", "REG_DWORD 1", "absent"), ("setting", "REG_DWORD 0", "REG_DWORD 1"), ("host", "20348.2849", "20348.2966")],
            SampleSnapshots.Comparison.Changes.Select(c => (c.What, c.Before, c.After)));
    }

    private static HostAuditResult Audit(string file, string profile)
    {
        Assert.True(SettingNames.TryParse<WorkloadProfile>(profile, out WorkloadProfile parsed));
        return HostAudit.Of(SettingsCatalogue.Current, SampleSnapshots.Read(file), parsed, file);
    }
}
