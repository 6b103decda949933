using System.Diagnostics;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class ProcessKills
{
    private static readonly int Kills = Repository.Times(160);

    /// <summary>A process that applies and rolls back is killed with SIGKILL at a random moment, over and over on the same files.</summary>
    [Fact]
    public void RollBack_RestoresExactlyAfterEveryKill()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "SIGKILL and the lock that ends with a process are those of Linux here.");
        string root = Directory.CreateDirectory(Path.Combine(Path.GetTempPath(), "lt-kill-" + Guid.NewGuid().ToString("N"))).FullName;
        try
        {
            TuningContext context = KillTarget.Context(root);
            context.Store.Write(Bench.Places[0], SettingValue.Dword(2));
            context.Store.Write(new SettingLocation.Registry(@"HKLM\SYSTEM\CurrentControlSet\Services\Other", "Left"), SettingValue.Of("alone"));
            string before = ((FileStore)context.Store).Dump();
            Random random = new(9);
            (int interrupted, int moved) = (0, 0);
            for (int kill = 0; kill < Kills; kill++)
            {
                KillOne(root, random);

                JournalContents contents = Journal.Read(context.Folder);
                Assert.NotEqual(JournalTail.Damaged, contents.Tail);
                interrupted += contents.Interrupted is not null ? 1 : 0;
                moved += ((FileStore)context.Store).Dump() != before ? 1 : 0;
                TuningResult result = new Rollback(context).Run(new RollbackSelection.All(), whatIf: false, force: false);

                Assert.True(result.Outcome is TuningOutcome.Done or TuningOutcome.NoChange, result.Text);
                Assert.Equal(before, ((FileStore)context.Store).Dump());

                // Everything is settled; a fast machine would fill the journal before the last kill.
                if (kill % 10 == 9)
                {
                    Directory.Delete(context.Folder.Path, recursive: true);
                }
            }

            TestContext.Current.TestOutputHelper?.WriteLine($"{Kills} kills: {interrupted} met a batch at work, {moved} left values changed.");

            // Kills that never met a batch at work would prove nothing.
            Assert.InRange(interrupted, 1, Kills);
            Assert.InRange(moved, 1, Kills);
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private static void KillOne(string root, Random random)
    {
        ProcessStartInfo start = new(Environment.ProcessPath!) { RedirectStandardOutput = true, RedirectStandardError = true };
        if (Path.GetFileNameWithoutExtension(start.FileName) == "dotnet")
        {
            start.ArgumentList.Add(typeof(KillTarget).Assembly.Location);
        }

        start.Environment[KillTarget.Variable] = root;
        using Process process = Process.Start(start)!;
        try
        {
            Assert.Equal("ready", process.StandardOutput.ReadLine());
            Thread.Sleep(random.Next(60));
            Assert.False(process.HasExited, "It ended by itself.");
        }
        finally
        {
            process.Kill();
            process.WaitForExit();
        }
    }
}
