using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Wine;

/// <summary>
/// Kills a process at the steps of applying and rolling back, one after the other; after each kill a rollback must leave the registry as reg.exe
/// exported it before the first, byte for byte.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class Kills
{
    private const int Dead = 137;

    /// <summary>Wine 8 on a busy machine crashes in one of some hundred processes; what is found after that must be as after a kill.</summary>
    private const int MostCrashes = 5;

    /// <summary>The child: applies and rolls back, and dies on the way.</summary>
    public static int Child(string folder, int killAt)
    {
        Steps steps = new(killAt);
        Bench bench = new(folder, steps);
        bench.Apply($"kill-{Environment.ProcessId}-{TimeProvider.System.GetUtcNow().Ticks}", refused: false);
        bench.RollBack();
        Console.Out.WriteLine(steps.Count);
        return 0;
    }

    /// <param name="folder">Of the journal.</param>
    /// <param name="scratch">For exports of the registry.</param>
    /// <param name="least">How often it kills: at every step of the part at least once, or, where that is much more, at every second or third.</param>
    /// <param name="part">From which step on, from 0.</param>
    /// <param name="parts">In how many parts the steps are divided, each spread over all of them.</param>
    public static int Run(string folder, string scratch, int least, int part, int parts)
    {
        byte[] before = Export(scratch);
        // The first of all makes the folder, which no other has to.
        Start(folder, int.MaxValue);
        (_, string counted) = Start(folder, int.MaxValue);
        int steps = int.Parse(counted, CultureInfo.InvariantCulture);
        int interrupted = 0, cut = 0, crashes = 0;
        int every = Math.Max(1, steps / parts / least);
        int once = (steps - part + (parts * every) - 1) / (parts * every);
        int kills = Math.Max(least, once);
        for (int i = 0; i < kills; i++)
        {
            int step = part + (parts * every * (i % once));
            (int code, _) = Start(folder, step);
            if (code == 0)
            {
                return Fail($"step {step}: the process was not killed");
            }

            if (code != Dead && ++crashes > MostCrashes)
            {
                return Fail($"step {step}: the process ended with {code}");
            }

            Bench bench = new(folder, new Steps(int.MaxValue));
            JournalContents journal = bench.Journal();
            if (journal.Tail == JournalTail.Damaged)
            {
                return Fail($"step {step}: {journal.TailText}");
            }

            interrupted += journal.Interrupted is null ? 0 : 1;
            cut += journal.Tail == JournalTail.Whole ? 0 : 1;
            TuningResult result = bench.RollBack();
            if (result.Outcome is not (TuningOutcome.Done or TuningOutcome.NoChange))
            {
                return Fail($"step {step}: {result.Text}");
            }

            if (!Export(scratch).AsSpan().SequenceEqual(before))
            {
                return Fail($"step {step}: the registry is not as it was; {result.Text}");
            }
        }

        Console.Out.WriteLine(
            $"{kills} kills over {once} of {steps} steps: {interrupted} met a batch at work, {cut} cut a record in two; "
            + $"the registry was as before after each.{(crashes > 0 ? $" {crashes} were crashes of Wine." : "")}");
        return interrupted > 0 && cut > 0 ? 0 : Fail("No kill met a batch at work.");
    }

    private static int Fail(string sentence)
    {
        Console.Error.WriteLine(sentence);
        return 1;
    }

    private static (int Code, string Output) Start(string folder, int killAt)
    {
        using Process child =
            Process.Start(
                new ProcessStartInfo(Environment.ProcessPath!, ["child", folder, killAt.ToString(CultureInfo.InvariantCulture)])
                {
                    RedirectStandardOutput = true,
                })!;
        string output = child.StandardOutput.ReadToEnd();
        child.WaitForExit();
        return (child.ExitCode, output.Trim());
    }

    private static byte[] Export(string scratch)
    {
        string file = Path.Combine(scratch, "kills.reg");
        return TryExport(file) ?? TryExport(file) ?? throw new InvalidOperationException("reg export failed twice.");
    }

    private static byte[]? TryExport(string file)
    {
        File.Delete(file);
        using Process reg = Process.Start(new ProcessStartInfo("reg.exe", ["export", Bench.Root, file, "/y"]) { RedirectStandardOutput = true })!;
        reg.StandardOutput.ReadToEnd();
        reg.WaitForExit();
        return reg.ExitCode == 0 && File.Exists(file) ? File.ReadAllBytes(file) : null;
    }
}
