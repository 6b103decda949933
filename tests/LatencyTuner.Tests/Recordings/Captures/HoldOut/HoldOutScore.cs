using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <summary>
/// Captures of known causes with numbers that are drawn, a seed for each. LATENCYTUNER_HOLDOUT_SEEDS draws more of each kind, from
/// LATENCYTUNER_HOLDOUT_FIRST on; LATENCYTUNER_HOLDOUT_KIND names the only kind.
/// </summary>
public sealed class HoldOutScore(ITestOutputHelper output)
{
    private static readonly int Seeds = Repository.Times(80);

    public static TheoryData<string> Kinds => [.. HoldOutKinds.All.Keys];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void EachOfAKind_IsToldAsItIs(string kind)
    {
        int seeds = Number("LATENCYTUNER_HOLDOUT_SEEDS", Seeds);
        int first = Number("LATENCYTUNER_HOLDOUT_FIRST", 0);
        Assert.SkipWhen(Environment.GetEnvironmentVariable("LATENCYTUNER_HOLDOUT_KIND") is { Length: > 0 } only && only != kind, "Another kind is asked for.");
        List<string> wrong = [];
        for (int seed = first; seed < first + seeds; seed++)
        {
            HoldOutCase drawn = HoldOutKinds.All[kind](new Random(HashOf(kind) + seed));
            string[] complaints = [.. drawn.Complaints()];
            if (complaints.Length > 0)
            {
                Keep(drawn, $"{kind.Split(' ', ',')[0]}-{seed}");
                wrong.Add($"seed {seed}: {string.Join("\n    ", complaints)}");
            }
        }

        output.WriteLine($"{kind}: {seeds - wrong.Count} of {seeds} hold\n{string.Join('\n', wrong)}");
        Assert.True(wrong.Count == 0, $"{kind}: {wrong.Count} of {seeds} do not hold; {string.Join('\n', wrong.Take(3))}");
    }

    /// <summary>Leaves a capture to look at in the folder that LATENCYTUNER_ARTIFACTS names.</summary>
    private static void Keep(HoldOutCase drawn, string name)
    {
        if (Environment.GetEnvironmentVariable("LATENCYTUNER_ARTIFACTS") is { Length: > 0 } folder)
        {
            Directory.CreateDirectory(folder);
            foreach (int tap in drawn.Taps)
            {
                File.WriteAllBytes(Path.Combine(folder, $"{name}.{tap}.pcap"), drawn.Capture(tap));
            }
        }
    }

    private static int Number(string name, int otherwise) => int.TryParse(Environment.GetEnvironmentVariable(name), out int number) ? number : otherwise;

    private static int HashOf(string kind) => kind.Aggregate(17, (hash, letter) => unchecked((hash * 31) + letter)) & 0xFF_FFFF;
}
