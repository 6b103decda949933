using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class Executors
{
    [Fact]
    public void Apply_WhatIfTouchesNothing()
    {
        Bench bench = new() { MissingPrivilege = "Changing settings needs an elevated prompt." };
        string before = bench.Store.Dump();

        TuningResult result = bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1)), bench.Change(5, SettingValue.Dword(1))), whatIf: true);

        Assert.Equal(TuningOutcome.WhatIf, result.Outcome);
        Assert.Equal(before, bench.Store.Dump());
        Assert.Empty(bench.Folder.Files);
        Assert.Empty(bench.Store.Written);
        Assert.Contains("Changing settings needs an elevated prompt.", result.Notes);
        Assert.Contains("\"TcpAckFrequency\"=dword:00000001", result.Reg, StringComparison.Ordinal);
        Assert.Contains("Set-NetTCPSetting -SettingName 'InternetCustom' -DelayedAckFrequency 1", result.PowerShell);
    }

    [Fact]
    public void Apply_TwiceChangesNothingTheSecondTime()
    {
        Bench bench = new();
        ChangePlan plan = Bench.Plan("b1", Kills.Six(bench));
        Assert.Equal(TuningOutcome.Done, bench.Apply(plan).Outcome);
        (string? dump, byte[]? journal) = (bench.Store.Dump(), bench.Folder.Bytes);

        Assert.Equal(TuningOutcome.NoChange, bench.Apply(plan).Outcome);
        Assert.Equal(TuningOutcome.NoChange, bench.Apply(plan, whatIf: true).Outcome);

        Assert.Equal(dump, bench.Store.Dump());
        Assert.Equal(journal, bench.Folder.Bytes);
        Assert.Equal(TuningOutcome.Done, bench.RollBack(new RollbackSelection.All()).Outcome);
        Assert.Equal(TuningOutcome.NoChange, bench.RollBack(new RollbackSelection.All()).Outcome);
        Assert.Equal("b1-2", bench.Apply(plan).Batch);
    }

    /// <summary>A provider that refuses the call: the cmdlet, which goes another way, is printed with the failure.</summary>
    [Fact]
    public void Apply_ATemplateThatWindowsRefuses_PrintsTheCmdlet()
    {
        Bench bench = new();
        bench.Store.Put(Bench.Places[5], SettingValue.Dword(2));
        Change registry = bench.Change(0, SettingValue.Dword(1));
        bench.Store.Clamp = value => value.Equals(SettingValue.Dword(3))
            ? throw new ExpectedFailureException(ExitCode.Change, "InternetCustom cannot be written: Windows' own provider does not offer this call.") : value;

        TuningResult result = bench.Apply(Bench.Plan("b1", registry, bench.Change(5, SettingValue.Dword(3))));

        Assert.Equal(TuningOutcome.RolledBack, result.Outcome);
        Assert.Equal(["Set-NetTCPSetting -SettingName 'InternetCustom' -DelayedAckFrequency 3"], result.PowerShell);
    }

    [Fact]
    public void Apply_RefusesBeforeItTouchesAnything()
    {
        Bench bench = new();
        ChangePlan plan = Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1)));
        bench.Store.Put(Bench.Places[0], SettingValue.Of("2"));
        Refuses(ExitCode.Change, "is \"2\" REG_SZ, but when the plan was made it was 2 (0x2) REG_DWORD");

        bench.Store.Put(Bench.Places[0], SettingValue.Dword(2));
        bench.MissingPrivilege = "Changing settings needs an elevated prompt.";
        Refuses(ExitCode.Platform, "Changing settings needs an elevated prompt.");

        bench.MissingPrivilege = null;
        using (bench.Folder.Lock())
        {
            Refuses(ExitCode.Change, "Another latencytuner is changing settings");
        }

        Assert.Empty(bench.Store.Written);
        Assert.Empty(bench.Folder.Files);

        void Refuses(ExitCode code, string sentence)
        {
            ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => bench.Apply(plan));
            Assert.Equal(code, failure.Code);
            Assert.Contains(sentence, failure.Message, StringComparison.Ordinal);
            Assert.EndsWith("Nothing was changed.", failure.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Apply_RefusesAReadOnlyStoreButShowsWhatItWouldDo()
    {
        Bench bench = new();
        TuningContext context = bench.Context with { Store = new MemoryStore(bench.Faults) { IsReadOnly = true } };
        ChangePlan plan = Bench.Plan("b1", bench.Change(1, SettingValue.Dword(1)));

        Assert.Equal(ExitCode.Platform, Assert.Throws<ExpectedFailureException>(() => new PlanExecutor(context).Apply(plan, whatIf: false)).Code);
        Assert.Equal(TuningOutcome.WhatIf, new PlanExecutor(context).Apply(plan, whatIf: true).Outcome);
    }

    [Fact]
    public void Apply_SaysWhatCouldNotBePutBack()
    {
        Bench bench = new();
        ChangePlan plan = Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1)), bench.Change(1, SettingValue.Dword(0)));

        // From the second write on everything is denied.
        Bench steps = new();
        steps.Apply(Bench.Plan("b1", steps.Change(0, SettingValue.Dword(1))));
        (bench.Faults.FailAt, bench.Faults.FailCount) = (steps.Faults.Steps, int.MaxValue);
        TuningResult result = bench.Apply(plan);

        Assert.Equal((TuningOutcome.Incomplete, ExitCode.Change), (result.Outcome, result.Verdict.ExitCode));
        Assert.Contains("NOT everything could be put back", result.Text, StringComparison.Ordinal);
        Assert.Contains(Bench.Places[0].ToString()!, result.Text, StringComparison.Ordinal);
        bench.Restart();
        Assert.Contains(
            "was interrupted",
            Assert.Throws<ExpectedFailureException>(
                () => bench.Apply(plan with { Batch = "b2", Changes = [bench.Change(1, SettingValue.Dword(3))] })).Message, StringComparison.Ordinal);
        Assert.Equal(TuningOutcome.Done, bench.RollBack(new RollbackSelection.Batch("b1")).Outcome);
        Assert.Equal(SettingValue.Dword(2), bench.Store.Values[Bench.Places[0]]);
    }

    [Fact]
    public void RollBack_RefusesDriftUnlessForced()
    {
        Bench bench = new();
        string before = bench.Store.Dump();
        bench.Apply(Bench.Plan("b1", Kills.Six(bench)));
        bench.Store.Put(Bench.Places[0], SettingValue.Qword(1));
        string drifted = bench.Store.Dump();

        TuningResult refused = bench.RollBack(new RollbackSelection.All());
        Assert.Equal(TuningOutcome.Refused, refused.Outcome);
        Assert.Contains(
            "is 1 (0x1) REG_QWORD, neither as before (2 (0x2) REG_DWORD) nor as written (1 (0x1) REG_DWORD)", refused.Text, StringComparison.Ordinal);
        Assert.Equal(ChangeStatus.Drifted, refused.Changes.Single(c => c.Change.Location == Bench.Places[0]).Change.Status);
        Assert.Equal(drifted, bench.Store.Dump());

        Assert.Equal(TuningOutcome.Done, bench.RollBack(new RollbackSelection.All(), force: true).Outcome);
        Assert.Equal(before, bench.Store.Dump());
    }

    [Fact]
    public void RollBack_RefusesABatchThatALaterOneBuildsOn()
    {
        Bench bench = new();
        bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1))));
        bench.Apply(Bench.Plan("b2", bench.Change(0, SettingValue.Dword(3))));

        Assert.Contains("changed again by batch b2", bench.RollBack(new RollbackSelection.Batch("b1")).Text, StringComparison.Ordinal);
        Assert.Equal(TuningOutcome.Done, bench.RollBack(new RollbackSelection.Batch("b1"), force: true).Outcome);
        Assert.Equal(SettingValue.Dword(2), bench.Store.Values[Bench.Places[0]]);
        Assert.Equal(TuningOutcome.NoChange, bench.RollBack(new RollbackSelection.Batch("b2")).Outcome);
    }

    [Fact]
    public void RollBack_GoesOnWithAFullDisk()
    {
        Bench bench = new();
        string before = bench.Store.Dump();
        bench.Apply(Bench.Plan("b1", Kills.Six(bench)));
        TuningContext full = bench.Context with { Folder = new FullFolder(bench.Folder) };

        TuningResult result = new Rollback(full).Run(new RollbackSelection.All(), whatIf: false, force: false);

        Assert.Equal(TuningOutcome.Done, result.Outcome);
        Assert.Contains(result.Notes, n => n.Contains("The journal cannot be written", StringComparison.Ordinal));
        Assert.Equal(before, bench.Store.Dump());
        Assert.Equal(TuningOutcome.Done, bench.RollBack(new RollbackSelection.All()).Outcome);
        Assert.Equal(before, bench.Store.Dump());
    }

    [Fact]
    public void RollBack_NamesWhatItDoesNotKnow()
    {
        Bench bench = new();
        foreach (RollbackSelection selection in new RollbackSelection[] { new RollbackSelection.Batch("nope"), new RollbackSelection.Setting("nope") })
        {
            Assert.Equal(ExitCode.Usage, Assert.Throws<ExpectedFailureException>(() => bench.RollBack(selection)).Code);
        }
    }

    private sealed class FullFolder(IJournalFolder inner) : IJournalFolder
    {
        public string Path => inner.Path;

        public IDisposable Lock() => inner.Lock();

        public byte[]? Read(string name, int maxBytes) => inner.Read(name, maxBytes);

        public IReadOnlyList<string> Names() => inner.Names();

        public void Append(string name, ReadOnlySpan<byte> bytes) => throw new IOException("There is not enough space on the disk.");

        public void Truncate(string name, long length) => inner.Truncate(name, length);
    }
}
