using System.Text.RegularExpressions;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Settings.Cim;
using LatencyTuner.Tests.Settings;
using LatencyTuner.Tests.Settings.Cim;
using Xunit;

namespace LatencyTuner.Tests.Analysis.Selftest;

public sealed partial class Selftests
{
    private static readonly Lazy<IReadOnlyList<ProbedAssumption>> OfThisMachine = new(
        () => Probes.Run(Evidence(), SocketPlatform.Current, TimeProvider.System));

    internal static SelftestEvidence Evidence(
        HostSnapshot? snapshot = null, CimEvidence? cim = null, IReadOnlyList<NetworkInterface>? before = null, ChangeFacts? changes = null) =>
        new(
            snapshot ?? SampleSnapshots.Server2022, cim ?? CimEvidence.None("CIM is not there."), before ?? [],
            changes ?? new(true, JournalFolderState.Trusted, true, true), 2);

    private static ProbeFinding Of(string id, SelftestEvidence evidence) =>
        SettingProbes.All(evidence).Concat(CimProbes.All(evidence)).Concat(ChangeProbes.All(evidence)).Single(p => p.Id == id).Probe();

    [Fact]
    public void Assumptions_AreThoseThatTheManualLists()
    {
        List<(string Group, string Id, string Expected)> listed = [];
        string group = "";
        foreach (string line in ManualPages.Prose("docs/windows-assumptions.md"))
        {
            if (Row().Match(line) is { Success: true } row)
            {
                listed.Add((group, row.Groups[1].Value, row.Groups[2].Value));
            }
            else if (line.StartsWith("## ", StringComparison.Ordinal))
            {
                group = line[3..].Split(" (")[0];
            }
        }

        IReadOnlyCollection<string> probed = Probes.Ids(Evidence(), SocketPlatform.Current, TimeProvider.System);
        Assert.Equal(listed.Order(), AssumptionCatalogue.All.Select(a => (a.Group, a.Id, probed.Contains(a.Id) ? ExpectedResults.Words(a.Id) : "-")).Order());
        Assert.Equal(listed.Count, listed.DistinctBy(l => l.Id).Count());
    }

    // What stands behind a call that neither Linux nor Wine answers: members of the folders for Windows, each with what settles it on a real machine.
    [Fact]
    public void CallsThatNothingHereAnswers_AreBehindMembersThatExist()
    {
        HashSet<string> members =
        [
            .. CompiledTypes.OfTheProgram.All.Where(t => t.Namespace is "LatencyTuner.Windows" or "LatencyTuner.Core.Sockets.Windows")
                .SelectMany(t => t.Methods.Select(m => $"{t.Name}.{(m.IsConstructor ? t.Name : m.Name)}")),
        ];
        Match[] rows = [.. ManualPages.Prose("docs/windows-assumptions.md").Select(l => CallRow().Match(l)).Where(m => m.Success)];
        Assert.NotEmpty(rows);
        Assert.All(rows, row =>
        {
            Assert.All(Names(row.Groups[1].Value), name => Assert.Contains(name, members));
            Assert.All(
                Names(row.Groups[2].Value),
                name => Assert.True(name.StartsWith("latencytuner ", StringComparison.Ordinal) || AssumptionCatalogue.All.Any(a => a.Id == name), name));
        });

        static IEnumerable<string> Names(string cell) => cell.Split('`').Where((_, i) => i % 2 == 1);
    }

    [Fact]
    public void Assumptions_SayWhatSettlesThem() => Assert.All(AssumptionCatalogue.All, a =>
    {
        Assert.Matches("^[a-z0-9]+(-[a-z0-9]+)*$", a.Id);
        Assert.True(a.Text.Length > 20 && a.Run.Length > 5 && !a.Text.EndsWith('.'), a.Id);
    });

    [Fact]
    public void Probes_AreOfAssumptions() =>
        Assert.Subset(AssumptionCatalogue.All.Select(a => a.Id).ToHashSet(), Probes.Ids(Evidence(), SocketPlatform.Current, TimeProvider.System).ToHashSet());

    [Fact]
    public void Run_TellsOfEachAssumptionAndOfNoneThatItsProbeFailed()
    {
        Assert.Equal(AssumptionCatalogue.All, OfThisMachine.Value.Select(p => p.Assumption));
        Assert.All(OfThisMachine.Value, p => Assert.EndsWith(".", p.Finding.Because, StringComparison.Ordinal));
        Assert.DoesNotContain(OfThisMachine.Value, p => p.Finding.Because.Contains("itself failed", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("refused-connect-time")]
    [InlineData("interrupt-blocked-receive")]
    [InlineData("receive-timeout-granularity")]
    [InlineData("port-taken-text")]
    [InlineData("many-handshakes")]
    [InlineData("tcp-info-half-closed")]
    public void Sockets_DoHereWhatWindowsIsAssumedToDo(string id)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "What Windows does is what the probe is there to find out.");
        ProbeFinding finding = OfThisMachine.Value.Single(p => p.Assumption.Id == id).Finding;

        Assert.True(finding.Result == AssumptionState.Holds, $"{finding.Because} {string.Join(" ", finding.Evidence)}");
        Assert.NotEmpty(finding.Evidence);
    }

    [Fact]
    public void Run_AProbeThatThrowsTellsNothingAndEndsNothing()
    {
        SelftestEvidence broken =
            Evidence(
                SampleSnapshots.Server2022 with
                {
                    Values = [SampleSnapshots.Server2022.Values[0] with { Type = "REG_DWORD", Absent = false, Data = ["not a number"] }],
                });

        ProbeFinding audit = Probes.Run(broken, SocketPlatform.Current, TimeProvider.System).Single(p => p.Assumption.Id == "settings-audit").Finding;

        Assert.Equal(AssumptionState.CannotTell, audit.Result);
        Assert.StartsWith("The probe itself failed: ExpectedFailureException", audit.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void InterfaceNames_AreComparedByGuid()
    {
        CimEvidence cim = CimSamples.Evidence((CimClasses.Adapters, CimSamples.Adapters));

        Assert.Equal(AssumptionState.Holds, Of("interface-names", Evidence(cim: cim, before: CimSamples.Interfaces)).Result);
        Assert.Equal(
            AssumptionState.DoesNotHold, Of("interface-names", Evidence(cim: cim, before: [CimSamples.Interfaces[0] with { Alias = "Team 1" }])).Result);
        Assert.Equal(AssumptionState.DoesNotHold, Of("interface-names", Evidence(cim: cim, before: [CimSamples.Interfaces[0] with { Index = 99 }])).Result);
        Assert.Equal(AssumptionState.CannotTell, Of("interface-names", Evidence(before: CimSamples.Interfaces)).Result);
        Assert.Equal(AssumptionState.CannotTell, Of("interface-names", Evidence(cim: cim)).Result);
    }

    [Fact]
    public void CimClasses_NameThePropertiesThatAreMissing()
    {
        ProbeFinding finding = Of("cim-classes", Evidence(cim: CimSamples.Evidence((CimClasses.Offloads, [CimSamples.Row(("ReceiveSideScaling", (byte)1))]))));

        Assert.Equal(AssumptionState.DoesNotHold, finding.Result);
        Assert.Contains(
            "MSFT_NetOffloadGlobalSetting: 1 instances, without ReceiveSegmentCoalescing, Chimney, TaskOffload, PacketCoalescingFilter", finding.Evidence);
        Assert.Equal(AssumptionState.CannotTell, Of("cim-classes", Evidence()).Result);
    }

    [Fact]
    public void TemplateDefaults_AreComparedWhereADumpIs()
    {
        CimEvidence cim = CimSamples.Evidence((CimClasses.Templates, CimSamples.Templates));
        CimEvidence other = CimSamples.Evidence((CimClasses.Templates, [CimSamples.Row(("SettingName", "Internet"), ("DelayedAckTimeout", 50u))]));

        Assert.Equal(AssumptionState.Holds, Of("template-defaults", Evidence(cim: cim)).Result);
        Assert.Equal(AssumptionState.DoesNotHold, Of("template-defaults", Evidence(cim: other)).Result);
        Assert.Equal(
            AssumptionState.CannotTell,
            Of("template-defaults", Evidence(SampleSnapshots.Server2022 with { Os = new HostOs { Build = 14393, IsServer = true } }, cim)).Result);
    }

    [Fact]
    public void AppliedSettings_BeyondTheDocumentedNumbersAreNoted()
    {
        ProbeFinding With(object? setting) =>
            Of(
                "applied-setting-numbers",
                Evidence(cim: CimSamples.Evidence((CimClasses.Connections, [CimSamples.Row(("AppliedSetting", setting), ("State", (byte)5))]))));

        Assert.Equal(AssumptionState.CannotTell, With((byte)3).Result);
        Assert.Equal(AssumptionState.DoesNotHold, With((byte)7).Result);
        Assert.Equal(AssumptionState.DoesNotHold, With(null).Result);
        Assert.Contains("(Byte)", Assert.Single(With((byte)3).Evidence), StringComparison.Ordinal);
    }

    [Fact]
    public void PowerPlan_OfTheRegistryIsComparedWithCim()
    {
        SelftestEvidence With(string guid) =>
            Evidence(
                cim: CimEvidence.Collect(
                    [CimClasses.PowerPlans], _ => new CimResult([CimSamples.Row(("InstanceID", $@"Microsoft:PowerPlan\{{{guid}}}"), ("IsActive", true))])));

        Assert.Equal(AssumptionState.Holds, Of("power-plan-registry", With("381B4222-f694-41f0-9685-ff5bb260df2e")).Result);
        Assert.Equal(AssumptionState.DoesNotHold, Of("power-plan-registry", With("8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c")).Result);
        Assert.Equal(AssumptionState.CannotTell, Of("power-plan-registry", Evidence()).Result);
    }

    [Theory]
    [InlineData("journal-folder-acl", JournalFolderState.Trusted, true, true, true)]
    [InlineData("journal-folder-acl", JournalFolderState.Refused, true, true, false)]
    [InlineData("journal-folder-acl", JournalFolderState.Absent, true, true, null)]
    [InlineData("journal-folder-acl", JournalFolderState.Unknown, true, true, null)]
    [InlineData("machine-guid", JournalFolderState.Trusted, true, true, true)]
    [InlineData("machine-guid", JournalFolderState.Trusted, false, true, false)]
    [InlineData("event-log-source", JournalFolderState.Trusted, true, true, null)]
    [InlineData("event-log-source", JournalFolderState.Trusted, true, false, false)]
    public void Changes_AreProbedWithoutMakingOne(string id, JournalFolderState folder, bool machineId, bool messages, bool? holds)
    {
        AssumptionState expected = holds switch { true => AssumptionState.Holds, false => AssumptionState.DoesNotHold, null => AssumptionState.CannotTell };

        Assert.Equal(expected, Of(id, Evidence(changes: new(machineId, folder, true, messages))).Result);
    }

    [Fact]
    public void Report_TellsNothingOfWhichMachineItWas()
    {
        HostSnapshot snapshot = SampleSnapshots.Server2022;
        CimEvidence cim =
            CimSamples.Evidence((CimClasses.Adapters, CimSamples.Adapters), (CimClasses.Filters, [CimSamples.Filter("InternetCustom", "10.77.0.0/16")]));
        List<ProbedAssumption> probes = Probes.Run(Evidence(snapshot, cim, snapshot.Interfaces), SocketPlatform.Current, TimeProvider.System)
            .Append(
                new ProbedAssumption(
                    AssumptionCatalogue.All[0],
                    new ProbeFinding(AssumptionState.CannotTell, "It failed.", [$"no answer from {snapshot.Machine!.ToLowerInvariant()}"]))).ToList();

        string json = ReportJson.Serialize(SelftestReportBuilder.From(snapshot, probes, new ToolIdentity("0.1.0", "os", "rt", 2), DateTimeOffset.UnixEpoch));

        IEnumerable<string> secrets = snapshot.Interfaces.SelectMany(i => i.Addresses.Append(i.Guid).Append(i.Alias).OfType<string>())
            .Append(snapshot.Machine).Append("10.77.").Append(CimSamples.Gone);
        Assert.All(secrets, s => Assert.DoesNotContain(s, json, StringComparison.OrdinalIgnoreCase));
        Assert.Contains("(this machine)", json, StringComparison.Ordinal);
    }

    [GeneratedRegex(@"^\| `[^|]* \| (`[^|]*) \| \d+ \| (`[^|]*) \|$")]
    private static partial Regex CallRow();

    [GeneratedRegex(@"^\| `([a-z0-9-]+)` \| ([a-z0-9 ,]+|-) \| ")]
    private static partial Regex Row();
}
