using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class Journals
{
    [Fact]
    public void Read_OfAJournalCutAtAnyByteKeepsWhatIsBefore()
    {
        byte[] bytes = Written(out _);
        int whole = 0;
        for (int length = 0; length <= bytes.Length; length++)
        {
            JournalContents contents = Read(bytes[..length]);

            Assert.NotEqual(JournalTail.Damaged, contents.Tail);
            Assert.Equal(length == 0 || bytes[length - 1] == '\n', contents.Tail == JournalTail.Whole);
            Assert.InRange(contents.GoodLength, 0, length);
            Assert.Equal(
                contents.GoodLength == 0 ? 0 : length < bytes.Length ? Array.LastIndexOf(bytes, (byte)'\n', length - 1) + 1 : length, contents.GoodLength);
            whole += contents.Tail == JournalTail.Whole ? 1 : 0;
        }

        Assert.InRange(whole, 10, 100);
    }

    [Fact]
    public void Read_OfAnyMutationNeverUndoesWhatWasNotRecorded()
    {
        byte[] bytes = Written(out JournalContents? original);
        HashSet<string> recorded = Values(original).ToHashSet();
        Random random = new(7);
        int damaged = 0;
        int rounds = Repository.Times(16_000);
        for (int round = 0; round < rounds; round++)
        {
            byte[] mutated = Mutate(bytes, random);
            JournalContents contents;
            try
            {
                contents = Read(mutated);
            }
            catch (ExpectedFailureException failure)
            {
                Assert.Equal(ExitCode.Input, failure.Code);
                continue;
            }

            damaged += contents.Tail == JournalTail.Damaged ? 1 : 0;
            Assert.Subset(recorded, Values(contents).ToHashSet());
            Assert.True(contents.Tail == JournalTail.Whole || contents.TailText!.Contains($"at byte {contents.GoodLength}", StringComparison.Ordinal));
            if (round % 10 != 0)
            {
                continue;
            }

            Bench bench = new();
            List<KeyValuePair<SettingLocation, SettingValue>> others = bench.Store.Values.Where(v => !Bench.Places.Contains(v.Key)).ToList();
            bench.Folder.Bytes = mutated;
            Kills.Expected(() => bench.RollBack(new RollbackSelection.All(), force: true, untilDamage: true));
            Assert.Equal(others, bench.Store.Values.Where(v => !Bench.Places.Contains(v.Key)));
            Assert.All(bench.Store.Written, p => Assert.Contains(p, Bench.Places));
            Assert.Equal(JournalTail.Whole, bench.Store.Written.Count > 0 ? Read(bench.Folder.Bytes).Tail : JournalTail.Whole);
        }

        Assert.InRange(damaged, rounds / 6, rounds);
    }

    [Fact]
    public void RollBack_SetsADamagedTailAside()
    {
        Bench bench = new();
        string before = bench.Store.Dump();
        bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1))));
        byte[] good = bench.Folder.Bytes;
        bench.Folder.Bytes = [.. good, .. "0000000a what is this\n"u8];

        ExpectedFailureException refused = Assert.Throws<ExpectedFailureException>(() => bench.Apply(Bench.Plan("b2", bench.Change(1, SettingValue.Dword(1)))));
        Assert.Contains($"damaged at byte {good.Length}", refused.Message, StringComparison.Ordinal);
        Assert.Equal(TuningOutcome.Damaged, bench.RollBack(new RollbackSelection.All()).Outcome);
        Assert.NotEqual(before, bench.Store.Dump());
        TuningResult result = bench.RollBack(new RollbackSelection.All(), untilDamage: true);

        Assert.Equal(TuningOutcome.Damaged, result.Outcome);
        Assert.Contains($"damaged at byte {good.Length}", result.Text, StringComparison.Ordinal);
        Assert.Equal(before, bench.Store.Dump());
        Assert.Equal(
            "0000000a what is this\n"u8.ToArray(), bench.Folder.Files.Single(f => f.Key.StartsWith("journal-damaged-", StringComparison.Ordinal)).Value);
        Assert.Equal(JournalTail.Whole, Read(bench.Folder.Bytes).Tail);
    }

    // A flipped bit, a byte too many or too few, an end too early, at every byte: it is told, or the undo is exact all the same.
    [Theory]
    [InlineData("flip")]
    [InlineData("remove")]
    [InlineData("insert")]
    [InlineData("cut")]
    public void DamageAtAnyByte_IsToldOrUndoneExactly(string kind)
    {
        int length = Applied(out _).Folder.Bytes.Length, told = 0;
        for (int at = 0; at < length; at += Repository.Stride)
        {
            Bench bench = Applied(out string before);
            byte[] bytes = bench.Folder.Bytes;
            bench.Folder.Bytes = kind switch
            {
                "flip" => [.. bytes[..at], (byte)(bytes[at] ^ (1 << (at % 8))), .. bytes[(at + 1)..]],
                "remove" => [.. bytes[..at], .. bytes[(at + 1)..]],
                "insert" => [.. bytes[..at], (byte)'7', .. bytes[at..]],
                _ => bytes[..at],
            };
            bool cut = Read(bench.Folder.Bytes).Tail != JournalTail.Damaged;
            Assert.True(!cut || kind is "cut" or "remove", $"{kind} at byte {at} is not damage");
            ExitCode[] codes = [.. new[] { Verify(bench), new Verification(bench.Context).History(), bench.RollBack(new RollbackSelection.All()) }
                .Select(r => r.Verdict.ExitCode)];
            Assert.True(
                cut ? codes[2] == ExitCode.Change || bench.Store.Dump() == before : Array.TrueForAll(codes, c => c == ExitCode.Change),
                $"{kind} at byte {at}: {string.Join(", ", codes)}");
            if (!cut)
            {
                bench.RollBack(new RollbackSelection.All(), untilDamage: true);
            }

            // What could not be read is told for as long as its backup lies there.
            bool undone = bench.Store.Dump() == before;
            told += undone ? 0 : 1;
            Assert.True(undone || Verify(bench).Verdict.ExitCode == ExitCode.Change, $"{kind} at byte {at}: silence afterwards");
        }

        Assert.InRange(told, 50 / Repository.Stride, length);
    }

    [Theory]
    [InlineData("\uFEFF", "\n", "byte order mark")]
    [InlineData("", "\r\n", "CR of an editor")]
    public void SavedByAnEditor_IsToldAsThat(string start, string newLine, string says)
    {
        Bench bench = Applied(out _);
        bench.Folder.Bytes = Encoding.UTF8.GetBytes(start + Encoding.UTF8.GetString(bench.Folder.Bytes).Replace("\n", newLine, StringComparison.Ordinal));

        TuningResult result = Verify(bench);
        Assert.Equal((ExitCode.Change, "JOURNAL DAMAGED"), (result.Verdict.ExitCode, result.Verdict.Word));
        Assert.Contains(says, result.Text, StringComparison.Ordinal);
        Assert.Contains("before-b1.reg", result.Text, StringComparison.Ordinal);
    }

    // A journal that is gone, or was cut where a record ends, reads as whole: the backups tell.
    [Fact]
    public void LostRecords_AreToldByTheBackups()
    {
        Bench bench = Applied(out _);
        bench.Folder.Files.Remove(Journal.FileName);

        TuningResult result = Verify(bench);
        Assert.Equal((ExitCode.Change, "JOURNAL DAMAGED"), (result.Verdict.ExitCode, result.Verdict.Word));
        Assert.Contains("/journal/before-b1.reg, /journal/before-b2.reg are the backups", result.Text, StringComparison.Ordinal);
        Assert.Contains("-2", bench.Apply(Bench.Plan("b1", bench.Change(1, SettingValue.Dword(7)))).Batch, StringComparison.Ordinal);
        Assert.Equal(TuningOutcome.Damaged, bench.RollBack(new RollbackSelection.All()).Outcome);
    }

    private static TuningResult Verify(Bench bench) => new Verification(bench.Context).Verify(null, new RestartTimes(null, _ => null));

    private static Bench Applied(out string before)
    {
        Bench bench = new();
        before = bench.Store.Dump();
        bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1)), bench.Change(2, SettingValue.Dword(5))));
        bench.Apply(Bench.Plan("b2", bench.Change(0, SettingValue.Dword(3))));
        return bench;
    }

    [Fact]
    public void Read_RefusesANewerVersion()
    {
        byte[] line =
            JournalFormat.Line(new() { Kind = JournalRecord.Header, TimeUtc = FixedClock.Start, Version = 2 }, new byte[JournalFormat.HashBytes], out _);

        Assert.Contains("newer version", Assert.Throws<ExpectedFailureException>(() => Read(line)).Message, StringComparison.Ordinal);
    }

    /// <summary>A journal that someone planted: well-formed, hashes right, but naming what the catalogue does not have.</summary>
    [Fact]
    public void RollBack_OfAPlantedJournalWritesNothing()
    {
        Bench bench = new();
        SettingLocation.Registry run = new(@"HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Run", "Evil");
        SettingLocation.Registry victim = new(@"HKLM\SYSTEM\CurrentControlSet\Services\Other", "Left");
        bench.Store.Keys.Add(@"HKLM\SYSTEM\CurrentControlSet\Services\Empty");
        string before = bench.Store.Dump();
        using (Journal journal = Journal.Open(bench.Folder, bench.Clock))
        {
            List<Change> changes = new[] { run, victim }
                .Select(l => bench.Change(0, SettingValue.Of("alone")) with { Location = l, Before = SettingValue.Of("cmd.exe") }).ToList();
            journal.Begin(Bench.Plan("planted"), "planted", changes, [[], []], bootId: null);
        }

        TuningResult result = bench.RollBack(new RollbackSelection.All(), force: true);

        Assert.Equal(TuningOutcome.Incomplete, result.Outcome);
        Assert.Contains("the catalogue has no setting at", result.Text, StringComparison.Ordinal);
        Assert.Empty(bench.Store.Written);
        Assert.Equal(before, bench.Store.Dump());
    }

    [Fact]
    public void RollBack_RefusesAJournalOfAnotherMachine()
    {
        Bench bench = new();
        bench.Apply(Bench.Plan("b1", bench.Change(0, SettingValue.Dword(1))));
        TuningContext there = bench.Context with { Machine = new("other", "SRV02") };

        TuningResult result = new Rollback(there).Run(new RollbackSelection.All(), whatIf: false, force: true);

        Assert.Equal(TuningOutcome.Incomplete, result.Outcome);
        Assert.Contains("was applied on SRV01, but this machine is SRV02", result.Text, StringComparison.Ordinal);
        Assert.Equal(SettingValue.Dword(1), bench.Store.Values[Bench.Places[0]]);
    }

    [Fact]
    public void Apply_RefusesAFullJournalButRollBackGoesOn()
    {
        Bench bench = new();
        string before = bench.Store.Dump();
        string? refused = null;
        for (int n = 0; n < 10 && refused is null; n++)
        {
            refused = Kills.Expected(() => bench.Apply(Bench.Plan($"b{n}", bench.Change(0, SettingValue.Binary(new byte[1_500_000 + n])))));
        }

        Assert.Contains("is full", refused, StringComparison.Ordinal);
        Assert.EndsWith("Nothing was changed.", refused, StringComparison.Ordinal);
        Assert.InRange(bench.Folder.Bytes.Length, 1, Journal.MaxBytes);
        Assert.Equal(TuningOutcome.Done, bench.RollBack(new RollbackSelection.All()).Outcome);
        Assert.Equal(before, bench.Store.Dump());
    }

    [Fact]
    public void Lock_LetsOneProcessIn()
    {
        string path = Path.Combine(Path.GetTempPath(), "lt-" + Guid.NewGuid().ToString("N"));
        try
        {
            DiskJournalFolder folder = new(path);
            using (Journal.Open(folder, TimeProvider.System))
            {
                ExpectedFailureException failure =
                    Assert.Throws<ExpectedFailureException>(() => Journal.Open(new DiskJournalFolder(path), TimeProvider.System));
                Assert.Equal(ExitCode.Change, failure.Code);
                Assert.StartsWith("Another latencytuner is changing settings", failure.Message, StringComparison.Ordinal);
            }

            using Journal again = Journal.Open(folder, TimeProvider.System);
            Assert.Empty(again.Contents.Batches);
        }
        finally
        {
            Directory.Delete(path, recursive: true);
        }
    }

    private static JournalContents Read(byte[] bytes) => Journal.Read(new MemoryFolder(new Faults()) { Bytes = bytes });

    private static byte[] Written(out JournalContents contents)
    {
        Bench bench = new();
        bench.Apply(Bench.Plan("b1", Kills.Six(bench)));
        bench.Apply(Bench.Plan("b2", bench.Change(0, SettingValue.Of("lone \ud800")), bench.Change(3, SettingValue.Absent)));
        bench.RollBack(new RollbackSelection.Batch("b2"));
        contents = Read(bench.Folder.Bytes);
        Assert.Equal(2, contents.Batches.Count);
        return bench.Folder.Bytes;
    }

    private static IEnumerable<string> Values(JournalContents contents) =>
        contents.Batches.SelectMany(b => b.Changes)
            .Select(c => $"{c.Batch.Id} {c.Index} {c.Change.Location} {c.Change.Before.Kind} {c.Change.Before} {c.Change.After}");

    private static byte[] Mutate(byte[] bytes, Random random)
    {
        List<byte> all = bytes.ToList();
        for (int n = random.Next(1, 4); n > 0 && all.Count > 0; n--)
        {
            int at = random.Next(all.Count);
            switch (random.Next(6))
            {
                case 0:
                    all.RemoveRange(at, random.Next(all.Count - at + 1));
                    break;
                case 1:
                    all.InsertRange(at, Enumerable.Range(0, random.Next(1, 40)).Select(_ => (byte)random.Next(256)));
                    break;
                case 2:
                    // Lines change places or come twice.
                    string[] lines = Encoding.Latin1.GetString([.. all]).Split('\n');
                    (int a, int b) = (random.Next(lines.Length), random.Next(lines.Length));
                    (lines[a], lines[b]) = random.Next(2) == 0 ? (lines[b], lines[a]) : (lines[a], lines[a]);
                    all = [.. Encoding.Latin1.GetBytes(string.Join('\n', lines))];
                    break;
                default:
                    all[at] = (byte)random.Next(256);
                    break;
            }
        }

        return [.. all];
    }
}
