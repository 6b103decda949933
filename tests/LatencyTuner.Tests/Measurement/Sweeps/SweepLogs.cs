using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Sweeps;

public sealed class SweepLogs
{
    private static readonly SweepPlan Plan = SweepRuns.Plan();

    private static SweepLog Open(string path, SweepPlan? plan = null) => SweepLog.Open(path, SampleResults.Target, plan ?? Plan);

    private static void Fill(string path, int rounds)
    {
        using SweepLog log = Open(path);
        for (int i = 0; i < rounds; i++)
        {
            log.Append(i, 0, SweepRuns.Round(Plan.Cells[i].Plan));
        }
    }

    [Fact]
    public void Cut_AtAnyByte_LosesTheTornRoundOnly()
    {
        using TempFolder folder = new();
        Fill(folder["whole"], 3);
        byte[] whole = File.ReadAllBytes(folder["whole"]);
        int[] ends = [.. Enumerable.Range(0, whole.Length).Where(i => whole[i] == '\n')];
        Assert.Equal(4, ends.Length);
        foreach (int length in Enumerable.Range(0, 40).Select(i => i * whole.Length / 40).Concat(ends).Concat(ends.Select(e => e + 1)))
        {
            File.WriteAllBytes(folder["cut"], whole[..length]);
            int kept = Math.Max(ends.Count(e => e < length) - 1, 0);
            using (SweepLog log = Open(folder["cut"]))
            {
                Assert.Equal(kept, log.Count);
                log.Append(4, 2, SweepRuns.Round(Plan.Cells[4].Plan));
            }

            using SweepLog again = Open(folder["cut"]);
            Assert.Equal(kept + 1, again.Count);
        }
    }

    [Fact]
    public void Flipped_AnyBit_NeverGivesAWrongRound()
    {
        using TempFolder folder = new();
        Fill(folder["whole"], 2);
        byte[] whole = File.ReadAllBytes(folder["whole"]);
        Random random = new(5);
        for (int i = 0; i < 200; i++)
        {
            byte[] bytes = [.. whole];
            bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            File.WriteAllBytes(folder["flipped"], bytes);
            try
            {
                using SweepLog log = Open(folder["flipped"]);
                Assert.InRange(log.Count, 0, 1);
            }
            catch (ExpectedFailureException e)
            {
                // The line that says which sweep it is was hit.
                Assert.Equal(ExitCode.Usage, e.Code);
            }
        }
    }

    [Fact]
    public void OtherSweep_IsRefused()
    {
        using TempFolder folder = new();
        Fill(folder["state"], 2);
        foreach (SweepPlan other in new[] { SweepRuns.Plan(rounds: 4), SweepRuns.Plan(seed: 8), SweepRuns.Plan(sizes: [64, 128]) })
        {
            ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => Open(folder["state"], other));
            Assert.Contains("belongs to another sweep", failure.Message, StringComparison.Ordinal);
        }

        Assert.Throws<ExpectedFailureException>(() => SweepLog.Open(folder["state"], SampleResults.Target with { Name = "other" }, Plan));
        using SweepLog same = Open(folder["state"]);
        Assert.Equal(2, same.Count);
    }

    [Theory]
    [InlineData("some,csv\n1,2\n")]
    [InlineData("no line feed")]
    [InlineData("{}\n")]
    public void OtherFile_IsRefusedAndLeftAsItIs(string text)
    {
        using TempFolder folder = new();
        folder.Write("state", text);

        Assert.Contains("not a state file of a sweep", Assert.Throws<ExpectedFailureException>(() => Open(folder["state"])).Message, StringComparison.Ordinal);
        Assert.Equal(text, File.ReadAllText(folder["state"], Encoding.UTF8));
    }

    [Fact]
    public void InUse_IsRefused()
    {
        using TempFolder folder = new();
        using SweepLog first = Open(folder["state"]);

        Assert.Contains("cannot be used", Assert.Throws<ExpectedFailureException>(() => Open(folder["state"])).Message, StringComparison.Ordinal);
        Assert.Contains("cannot be used", Assert.Throws<ExpectedFailureException>(() => Open(folder["missing/state"])).Message, StringComparison.Ordinal);
    }
}
