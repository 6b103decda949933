using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Recommendations;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Tuning.Recommendations;

public sealed class Rankings
{
    [Fact]
    public void Of_MoreEffectNeverRanksBelowACostlierCureWithLess()
    {
        Random random = new(20261121);
        for (int round = 0; round < 300; round++)
        {
            double before = 1000 + (random.NextDouble() * 300_000);
            MeasuredFix[] fixes = new[] { "one-write", "no-delay", "ack-immediate" }
                .Select(id => Evidence.Fix(id, before, before * random.NextDouble() * 0.85)).ToArray();
            Finding[] findings = new[] {
                Evidence.Finding("LT101", Side.Client), Evidence.Finding("LT112", Side.Server, random.NextDouble() * 20_000),
                Evidence.Finding("LT114", Side.Client, random.NextDouble() * 20_000) };

            List<Recommendation> ranked = Advice.Of(Evidence.Inputs(findings, Evidence.Untouched, [Evidence.Experiment(fixes)])).Recommendations
                .Where(r => r.Kind != RecommendationKind.Setting).ToList();

            for (int low = 1; low < ranked.Count; low++)
            {
                for (int high = 0; high < low; high++)
                {
                    bool lowerIsBetter = ranked[low].Effect.SavesMs > ranked[high].Effect.SavesMs && PriceOf(ranked[low]) <= PriceOf(ranked[high]);
                    Assert.False(
                        lowerIsBetter,
                        $"{ranked[low].Id} saves {ranked[low].Effect.SavesMs} ms below {ranked[high].Id} with {ranked[high].Effect.SavesMs} ms.");
                }
            }
        }
    }

    [Fact]
    public void Of_EffectsThatAreAboutEqual_PutTheCheaperFirst()
    {
        MeasuredFix[] fixes = new[] {
            Evidence.Fix("one-write", 44_000, 1_400), Evidence.Fix("no-delay", 44_000, 1_100), Evidence.Fix("ack-immediate", 44_000, 1_000) };

        IReadOnlyList<Recommendation> ranked =
            Advice.Of(Evidence.Inputs([Evidence.Finding("LT101", Side.Client)], experiments: [Evidence.Experiment(fixes)])).Recommendations;

        Assert.Equal(["REC-NAGLE-ONE-WRITE", "REC-NAGLE-NODELAY", "REC-ACK-SOCKET", "REC-ACK-TEMPLATE", "REC-ACK-INTERFACE"], ranked.Select(r => r.Id));
    }

    [Theory]
    [InlineData("server2022.json")]
    [InlineData("win11.json")]
    public void Of_SettingsWithoutAFinding_ArePossibleAndLast(string file)
    {
        foreach (WorkloadProfile profile in Enum.GetValues<WorkloadProfile>())
        {
            HostSnapshot snapshot = SampleSnapshots.Read(file);

            IReadOnlyList<Recommendation> ranked =
                Advice.Of(Evidence.Inputs([Evidence.Finding("LT101", Side.Client)], snapshot) with { Profile = profile }).Recommendations;

            int first = ranked.TakeWhile(r => r.Kind != RecommendationKind.Setting).Count();
            Assert.True(first > 0 && first < ranked.Count);
            Assert.All(ranked.Skip(first), r =>
            {
                Assert.Equal((RecommendationKind.Setting, Confidence.Possible, EffectBasis.Unknown), (r.Kind, r.Confidence, r.Effect.Basis));
                Assert.Null(r.Effect.SavesMs);
                Assert.Matches("^REC-LT20[134]-[A-Z0-9._]+$", r.Id);
            });
            Assert.Equal(ranked.Count, ranked.Select(r => (r.Id, r.Side, r.Target)).Distinct().Count());
        }
    }

    /// <summary>Every setting that does nothing, set in the snapshot, under every profile and with every finding.</summary>
    [Fact]
    public void Of_WhatDoesNothing_IsNeverRecommended()
    {
        List<SettingDefinition> myths = SettingsCatalogue.Current.All
            .Where(d => d.Action == SettingAction.FlagOnly && d.Store is SettingStore.Registry { IsPerInterface: false } or SettingStore.Registry)
            .Where(d => d.Action == SettingAction.FlagOnly).ToList();
        Assert.True(myths.Count > 10);
        foreach (SettingDefinition? myth in myths)
        {
            SettingStore.Registry registry = (SettingStore.Registry)myth.Store;
            HostSnapshot snapshot = Evidence.Untouched with
            {
                Values =
                [
                    .. Evidence.Untouched.Values,
                    new SnapshotValue
                    {
                        Id = myth.Id, Store = "registry", Interface = registry.IsPerInterface ? SampleSnapshots.Team : null,
                        Path = registry.Key.Replace(SettingStore.InterfaceGuid, SampleSnapshots.Team, StringComparison.Ordinal), Name = registry.Values[0],
                        Absent = false, Type = "REG_DWORD", Data = ["7"],
                    },
                ],
            };

            AdviceResult advice =
                Advice.Of(
                    Evidence.Inputs(
                        [.. CauseIds.All.Where(i => !i.StartsWith("LT2", StringComparison.Ordinal)).Select(i => Evidence.Finding(i, Side.Client))], snapshot));

            Assert.DoesNotContain(advice.Recommendations, r => r.SettingId == myth.Id && r.Value is not null);
            Assert.DoesNotContain(advice.Recommendations, r => r.How.Any(h => h.Contains($"--setting {myth.Id}=", StringComparison.OrdinalIgnoreCase)));
            Assert.DoesNotContain(advice.Recommendations, r => r.SettingId == myth.Id && r.Kind != RecommendationKind.Setting);
            if (!myth.Flagged!.HasEffect)
            {
                Assert.DoesNotContain(advice.Recommendations, r => r.SettingId == myth.Id);
                Assert.Contains(
                    advice.Notes, n => n.StartsWith(myth.Title + " ", StringComparison.Ordinal) && n.Contains("has no effect", StringComparison.Ordinal));
            }
        }
    }

    private static double PriceOf(Recommendation recommendation) => CureCatalogue.All.Single(c => c.Id == recommendation.Id).Price;
}
