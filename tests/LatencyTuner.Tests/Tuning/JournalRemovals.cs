using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class JournalRemovals
{
    [Fact]
    public void Refusal_OfAFolderThatIsNotThere_IsNone() => Assert.Null(JournalRemoval.Refusal(new Bench().Folder));

    [Fact]
    public void Refusal_WhileAChangeIsInForce_NamesTheWayOut()
    {
        Bench bench = new();
        bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1)), bench.Change(1, SettingValue.Dword(3))));

        string? refusal = JournalRemoval.Refusal(bench.Folder);

        Assert.Contains("lists 2 changes in force", refusal, StringComparison.Ordinal);
        Assert.Contains("'latencytuner rollback --all --yes'", refusal, StringComparison.Ordinal);
        bench.RollBack(new RollbackSelection.All());
        Assert.Null(JournalRemoval.Refusal(bench.Folder));
    }

    [Fact]
    public void Refusal_OfAJournalWithDamage_StaysUntilItIsTold()
    {
        Bench bench = new();
        bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1))));
        bench.RollBack(new RollbackSelection.All());
        bench.Folder.Bytes = [.. bench.Folder.Bytes, .. "0000000a what is this\n"u8];

        Assert.EndsWith("Nothing was removed.", JournalRemoval.Refusal(bench.Folder), StringComparison.Ordinal);
    }

    /// <summary>A backup shows that a batch was begun, whatever the journal says now.</summary>
    [Fact]
    public void Refusal_OfAJournalThatLostABatch_NamesItsBackup()
    {
        Bench bench = new();
        bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1))));
        bench.Folder.Files.Remove(Journal.FileName);

        Assert.Contains("before-b1.reg", JournalRemoval.Refusal(bench.Folder), StringComparison.Ordinal);
    }
}
