using LatencyTuner.Core.Analysis.Fleets;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Analysis;

/// <summary>Outliers, common swings and drift: what they must find, and what must not fool them.</summary>
public sealed class FleetJudgements
{
    private static FleetPairFacts Pair(double? p99Us, double spread = 0.05, string workload = "single", string server = "db1") =>
        new($"app{p99Us}", server, workload, p99Us, p99Us * (1 - spread), p99Us * (1 + spread));

    private static FleetOutlier[] Outliers(params FleetPairFacts[] pairs) => [.. OutlyingPairs.Judge(pairs).Select(j => j.Outlier)];

    [Fact]
    public void Outliers_OneFarAway_IsFound()
    {
        FleetOutlier[] found = Outliers([.. Enumerable.Range(0, 9).Select(i => Pair(1000 + (10 * i))), Pair(8000), Pair(100)]);

        Assert.Equal(FleetOutlier.Slower, found[9]);
        Assert.Equal(FleetOutlier.Faster, found[10]);
        Assert.All(found[..9], o => Assert.Equal(FleetOutlier.None, o));
    }

    [Fact]
    public void Outliers_AllEqual_AreNone()
    {
        Assert.All(
            OutlyingPairs.Judge([.. Enumerable.Repeat(Pair(1000), 50)]),
            j => Assert.Equal((0, 1000, FleetOutlier.None), (j.Z, Math.Round(j.UsualUs!.Value), j.Outlier)));
        // The others have no deviation at all: a fifth more is still alike, and double is not.
        FleetOutlier[] found = Outliers([.. Enumerable.Repeat(Pair(1000), 50), Pair(1200), Pair(2000)]);
        Assert.Equal((FleetOutlier.None, FleetOutlier.Slower), (found[50], found[51]));
    }

    [Fact]
    public void Outliers_HalfOfThemSlow_AreTwoGroupsAndNoOutliers() =>
        Assert.All(Outliers([.. Enumerable.Range(0, 20).Select(i => Pair(i % 2 == 0 ? 1000 + i : 9000 + i))]), o => Assert.Equal(FleetOutlier.None, o));

    [Fact]
    public void Outliers_ThatRestOnFewSamples_AreNotNamed() =>
        Assert.Equal(FleetOutlier.None, Outliers([.. Enumerable.Range(0, 9).Select(i => Pair(1000 + i)), Pair(8000, spread: 0.95)])[9]);

    [Fact]
    public void Outliers_AreSoughtAmongTheSameWorkloadOnly()
    {
        FleetPairFacts[] pairs = [.. Enumerable.Range(0, 9).Select(i => Pair(1000 + i)), Pair(50_000, workload: "split"), Pair(15, server: "loopback")];
        Assert.All(OutlyingPairs.Judge(pairs).Skip(9), j => Assert.Null(j.Z));
        Assert.All(OutlyingPairs.Judge(pairs[..4]), j => Assert.Null(j.Z));
    }

    [Theory]
    [InlineData(0.0)]
    [InlineData(-1.0)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(double.MaxValue)]
    [InlineData(double.Epsilon)]
    [InlineData(null)]
    public void Outliers_ExtremeValue_SpoilsNothing(double? value)
    {
        IReadOnlyList<FleetPairJudgement> judged = OutlyingPairs.Judge([.. Enumerable.Range(0, 9).Select(i => Pair(1000 + i)), Pair(value)]);

        Assert.All(judged.Take(9), j => Assert.InRange(j.Z!.Value, -3, 3));
        Assert.True(judged[9].Z is null || double.IsFinite(judged[9].Z!.Value));
    }

    [Fact]
    public void Swings_OfOnePeriod_AreGroupedAndSaidToBeInStep()
    {
        DateTimeOffset peak = new(2026, 11, 1, 0, 0, 0, TimeSpan.Zero);
        SeriesOscillation Of(string host, double period, double late) => new(host, "median", period, period - 0.05, period + 0.05, peak.AddSeconds(late));

        FleetSwing together = Assert.Single(SharedSwings.Oscillations([Of("a", 60, 0), Of("b", 60.04, 601), Of("c", 59.98, 2), Of("d", 45, 0)]));
        Assert.Equal((3, true), (together.Members.Count, together.InStep));
        Assert.False(Assert.Single(SharedSwings.Oscillations([Of("a", 60, 0), Of("b", 60, 30)])).InStep);
        // After a day of a period known to 0.1 %, the phase can be anywhere.
        Assert.Null(Assert.Single(SharedSwings.Oscillations([Of("a", 60, 0), Of("b", 60, 86_400)])).InStep);
        // Two and two, half a period apart.
        Assert.Equal([2, 2], SharedSwings.Oscillations([Of("a", 60, 0), Of("b", 60, 30), Of("c", 60, 60), Of("d", 60, 91)]).Select(g => g.Members.Count));
        // Two oscillations of one host are no group.
        Assert.Empty(SharedSwings.Oscillations([Of("a", 60, 0), Of("a", 60, 0)]));
    }

    [Fact]
    public void Shifts_AtOneTimeInOneDirection_AreGrouped()
    {
        DateTimeOffset at = new(2026, 11, 1, 0, 0, 0, TimeSpan.Zero);
        SeriesShift Of(string host, double late, bool up = true) =>
            new(host, "median", at.AddSeconds(late), at.AddSeconds(late - 5), at.AddSeconds(late + 5), up);

        FleetSwing together = Assert.Single(SharedSwings.Shifts([Of("a", 0), Of("b", 7), Of("c", 3, up: false), Of("d", 60)]));
        Assert.Equal(["a", "b"], together.Members);
    }

    [Fact]
    public void Drift_FindsTheHostThatDiffers_AndNothingAmongEqualOnes()
    {
        SettingsDrift drift = new();
        foreach (string host in new[] { "a", "b", "c" })
        {
            drift.Add(host, SampleSnapshots.Server2022, host + ".json");
        }

        Assert.Empty(drift.Differences());
        drift.Add("d", SampleSnapshots.Changed(), "d.json");
        DriftedSetting setting = drift.Differences().First(d => d.Id == "tcp.ackfrequency");
        Assert.Equal([3, 1], setting.Values.Select(v => v.Hosts.Count));
        Assert.Equal(["d"], setting.Values[1].Hosts);
        Assert.Contains(drift.Differences(), d => d.Path == "Windows build");
    }

    /// <summary>Before and after a change: two snapshots, one host. The newest counts, in whatever order they come.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Drift_OfTwoSnapshotsOfOneHost_IsThatOfTheNewest(bool oldestFirst)
    {
        HostSnapshot after = SampleSnapshots.Changed() with { TakenUtc = SampleSnapshots.Server2022.TakenUtc!.Value.AddHours(1) };
        SettingsDrift drift = new();
        foreach (HostSnapshot snapshot in oldestFirst ? [SampleSnapshots.Server2022, after] : new[] { after, SampleSnapshots.Server2022 })
        {
            drift.Add("a", snapshot, "a.json");
        }

        Assert.Empty(drift.Differences());
        Assert.Equal(["a"], drift.Hosts);
        drift.Add("b", SampleSnapshots.Server2022, "b.json");
        Assert.All(drift.Differences().SelectMany(d => d.Values), v => Assert.Single(v.Hosts));
        Assert.Contains(drift.Differences(), d => d.Id == "tcp.ackfrequency");
        drift.Add("b", after with { TakenUtc = after.TakenUtc.Value.AddHours(1) }, "b2.json");
        Assert.Empty(drift.Differences());
    }

    [Fact]
    public void Drift_ComparesAdaptersByTheirRole()
    {
        // The same host with other GUIDs, as a second machine has them.
        HostSnapshot first = SampleSnapshots.Server2022;
        Dictionary<string, string> guids = first.Interfaces.ToDictionary(i => i.Guid, i => i.Guid[..^3] + "99}", StringComparer.OrdinalIgnoreCase);
        HostSnapshot second = first with
        {
            Interfaces = [.. first.Interfaces.Select(i => i with { Guid = guids[i.Guid] })],
            Values =
            [
                .. first.Values.Select(v => v.Interface is { } guid && guids.TryGetValue(guid, out string? other)
                    ? v with { Interface = other, Path = v.Path.Replace(guid, other, StringComparison.OrdinalIgnoreCase) } : v),
            ],
        };
        SettingsDrift drift = new();
        drift.Add("a", first, "a.json");
        drift.Add("b", second, "b.json");

        Assert.DoesNotContain(drift.Differences(), d => d.Id is not null);
    }
}
