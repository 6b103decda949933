using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Recommendations;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Tuning.Recommendations;

public sealed class Advices
{
    [Theory]
    [InlineData("LT101", Side.Client, "ONE-WRITE:client NODELAY:client SOCKET:server TEMPLATE:server INTERFACE:server")]
    [InlineData("LT101", Side.Server, "ONE-WRITE:server NODELAY:server SOCKET:client TEMPLATE:client INTERFACE:client")]
    [InlineData("LT102", Side.Client, "ONE-WRITE:client NODELAY:client")]
    [InlineData("LT103", Side.Server, "ONE-WRITE:client SOCKET:server TEMPLATE:server INTERFACE:server")]
    [InlineData("LT111", Side.Client, "BUFFER:client")]
    [InlineData("LT112", Side.Server, "READ:server BUFFER:server")]
    [InlineData("LT113", Side.Server, "REUSE:server")]
    [InlineData("LT114", Side.Server, "SIZE:server")]
    [InlineData("LT115", Side.Client, "ONE-WRITE:client")]
    public void Of_AFinding_CuresItAtTheEndThatCan(string id, Side side, string expected)
    {
        AdviceResult advice = Evidence.Of(id, side);

        Assert.Equal(
            expected,
            string.Join(' ', advice.Recommendations.Select(r => $"{string.Join('-', r.Id.Split('-').Skip(2))}:{r.Side!.Value.ToString().ToLowerInvariant()}")));
        Assert.Empty(advice.Explanations);
        Assert.All(advice.Recommendations, Complete);
    }

    [Theory]
    [InlineData("LT121")]
    [InlineData("LT122")]
    [InlineData("LT123")]
    [InlineData("LT131")]
    [InlineData("LT132")]
    [InlineData("LT141")]
    [InlineData("LT142")]
    [InlineData("LT151")]
    [InlineData("LT152")]
    [InlineData("LT161")]
    [InlineData("LT301")]
    public void Of_WhatNoSettingCures_SaysWhereToLook(string id)
    {
        AdviceResult advice = Evidence.Of(id, Side.Server, Evidence.Untouched);

        Assert.Empty(advice.Recommendations);
        Explanation explanation = Assert.Single(advice.Explanations);
        Assert.Equal(id, explanation.FindingId);
        Assert.False(string.IsNullOrWhiteSpace(explanation.LookAt));
    }

    [Fact]
    public void Ids_OfFindings_AllHaveACureOrAnExplanationOrAreOfSettings() => Assert.All(
        CauseIds.All,
        id =>
            Assert.True(
                id.StartsWith("LT2", StringComparison.Ordinal)
                    || Evidence.Of(id, Side.Client) is var a && a.Recommendations.Count + a.Explanations.Count > 0, id));

    [Fact]
    public void Ids_OfRecommendations_ArePublished() => Assert.Equal(
        [
            "REC-NAGLE-ONE-WRITE", "REC-NAGLE-NODELAY", "REC-ACK-SOCKET", "REC-ACK-TEMPLATE", "REC-ACK-INTERFACE", "REC-ACK-ONE-WRITE", "REC-WINDOW-READ",
            "REC-WINDOW-BUFFER",
            "REC-SNDBUF-SIZE", "REC-SEGMENTS-ONE-WRITE", "REC-CWND-REUSE",
        ],
        CureCatalogue.All.Select(c => c.Id));

    [Fact]
    public void Of_HarmlessDelayedAcks_RecommendsNothing()
    {
        AdviceResult advice = Advice.Of(Evidence.Inputs([Evidence.Finding("LT103", Side.Server) with { Fired = 500, Harmful = 0, Severity = Severity.Info }]));

        Assert.Empty(advice.Recommendations);
        Assert.Contains("nothing waited", Assert.Single(advice.Explanations).Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Cause.None, "No stall")]
    [InlineData(Cause.CannotTell, "No recommendation is based on it")]
    public void Of_AVerdictWithoutCause_SaysWhatDoesNotApply(Cause cause, string words)
    {
        AdviceResult advice = Advice.Of(Evidence.Inputs([], experiments: [Evidence.Experiment() with { Verdict = Evidence.Verdict(cause, null) }]));

        Assert.Empty(advice.Recommendations);
        Assert.Contains(words, Assert.Single(advice.Explanations).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Of_ARemedyThatDidNothing_IsNotRecommended()
    {
        AdviceResult advice = Advice.Of(Evidence.Inputs(
            [Evidence.Finding("LT101", Side.Client)],
            experiments: [
                Evidence.Experiment(
                    Evidence.Fix("one-write", 44_000, 1_000), Evidence.Fix("no-delay", 44_000, 43_900), Evidence.Fix("ack-immediate", 44_000, 44_100))]));

        Assert.Equal(["REC-NAGLE-ONE-WRITE"], advice.Recommendations.Select(r => r.Id));
        Assert.Equal(["REC-NAGLE-NODELAY", "REC-ACK-SOCKET", "REC-ACK-TEMPLATE", "REC-ACK-INTERFACE"], advice.Explanations.SelectMany(e => e.DoesNotApply));
    }

    [Fact]
    public void Effect_SaysWhatWasMeasuredAndWhatIsOnlyExpected()
    {
        AdviceResult advice = Advice.Of(Evidence.Inputs(
            [Evidence.Finding("LT101", Side.Client)],
            experiments: [Evidence.Experiment(Evidence.Fix("one-write", 44_000, 1_000), Evidence.Fix("ack-immediate", 44_000, 2_000))]));
        Dictionary<string, Recommendation> by = advice.Recommendations.ToDictionary(r => r.Id);

        Assert.Equal(
            (EffectBasis.Measured, 43.0, 400L, 20L),
            (by["REC-NAGLE-ONE-WRITE"].Effect.Basis, by["REC-NAGLE-ONE-WRITE"].Effect.SavesMs!.Value, by["REC-NAGLE-ONE-WRITE"].Effect.N!.Value,
                by["REC-NAGLE-ONE-WRITE"].Effect.NBefore!.Value));
        Assert.Equal((EffectBasis.Measured, Confidence.Confirmed), (by["REC-ACK-SOCKET"].Effect.Basis, by["REC-ACK-SOCKET"].Confidence));
        Assert.Equal(
            (EffectBasis.Expected, 42.0, Confidence.Likely),
            (by["REC-ACK-INTERFACE"].Effect.Basis, by["REC-ACK-INTERFACE"].Effect.SavesMs!.Value, by["REC-ACK-INTERFACE"].Confidence));
        Assert.Equal((EffectBasis.Expected, 44.0), (by["REC-NAGLE-NODELAY"].Effect.Basis, by["REC-NAGLE-NODELAY"].Effect.SavesMs!.Value));
    }

    [Fact]
    public void Effect_OfAPrediction_IsExpectedAndAMeasuredOneWins()
    {
        CurePrediction prediction = Predicted(n: 100, savesMs: 20_000, 201_000, 500);
        CurePrediction smaller = prediction with { Of = "another", N = 300, SavesMs = 4000 };
        Finding finding = Evidence.Finding("LT101", Side.Client) with { Predictions = [prediction, smaller] };

        Dictionary<string, RecommendedEffect> by =
            Advice.Of(Evidence.Inputs([finding], experiments: [Evidence.Experiment(Evidence.Fix("one-write", 44_000, 1_000))])).Recommendations
                .ToDictionary(r => r.Id, r => r.Effect);

        Assert.Equal((EffectBasis.Measured, 43.0), (by["REC-NAGLE-ONE-WRITE"].Basis, by["REC-NAGLE-ONE-WRITE"].SavesMs!.Value));
        RecommendedEffect noDelay = by["REC-NAGLE-NODELAY"];
        Assert.Equal(
            (EffectBasis.Expected, 60.0, 400L, 201_000.0, 500.0, 202_000.0, 900.0),
            (noDelay.Basis, noDelay.SavesMs!.Value, noDelay.NBefore!.Value, noDelay.P50UsBefore!.Value, noDelay.P50UsAfter!.Value, noDelay.P99UsBefore!.Value,
                noDelay.P99UsAfter!.Value));
        Assert.Contains("400 requests on 2 connections", noDelay.Because, StringComparison.Ordinal);
        Assert.Contains("99th percentile 202 ms -> 900 us", noDelay.InBrief, StringComparison.Ordinal);
        // The second write still waits for the ACK: only the most that this saves is known.
        RecommendedEffect ack = by["REC-ACK-INTERFACE"];
        Assert.Equal((EffectBasis.Expected, 60.0, null), (ack.Basis, ack.SavesMs!.Value, ack.P50UsAfter));
        Assert.Contains("at most", ack.Because, StringComparison.Ordinal);
        Assert.Contains("60.0 ms per request", ack.InBrief, StringComparison.Ordinal);
    }

    /// <summary>Rare waits are long, frequent ones short: what all requests save decides, not the length of one wait.</summary>
    [Fact]
    public void Ranking_IsByWhatIsPredicted()
    {
        Finding rare = Evidence.Finding("LT101", Side.Client, costMs: 2000, count: 10) with { Predictions = [Predicted(1000, 2000, 1000, 1000)] };
        Finding frequent = Evidence.Finding("LT111", Side.Server, costMs: 18_000, count: 900) with { Predictions = [Predicted(1000, 18_000, 40_000, 22_000)] };

        Assert.Equal("REC-WINDOW-BUFFER", Advice.Of(Evidence.Inputs([rare, frequent])).Recommendations[0].Id);
        // Documents of older versions predict nothing and are ranked as they were.
        Finding[] older = [rare with { Predictions = [] }, frequent with { Predictions = [] }];
        Assert.Equal("REC-NAGLE-ONE-WRITE", Advice.Of(Evidence.Inputs(older)).Recommendations[0].Id);
    }

    private static CurePrediction Predicted(long n, double savesMs, double p50Us, double p50AfterUs) => new()
    {
        Of = "db1",
        N = n,
        SavesMs = savesMs,
        P50Us = p50Us,
        P99Us = 202_000,
        P50AfterUs = p50AfterUs,
        P99AfterUs = 900,
    };

    [Fact]
    public void Effect_OfAnAckCallOfAnotherSystem_IsNotOneOfWindows()
    {
        AdviceInputs inputs =
            Evidence.Inputs(
                [Evidence.Finding("LT101", Side.Client)], experiments: [Evidence.Experiment(Evidence.Fix("ack-immediate", 44_000, 2_000))],
                path: Evidence.Remote with { ServerOs = "Debian GNU/Linux 12" });

        Recommendation socket = Advice.Of(inputs).Recommendations.Single(r => r.Id == "REC-ACK-SOCKET");

        Assert.Equal(EffectBasis.Expected, socket.Effect.Basis);
        Assert.Contains("Debian", socket.Effect.Because, StringComparison.Ordinal);
        Assert.Contains(socket.Caveats, c => c.Contains("does nothing there", StringComparison.Ordinal));
    }

    [Fact]
    public void Interface_IsTheOneThatOwnsTheAddress()
    {
        AdviceResult advice = Evidence.Of("LT101", Side.Client, Evidence.Untouched);

        Recommendation registry = advice.Recommendations.Single(r => r.Id == "REC-ACK-INTERFACE");
        Assert.Equal("latencytuner apply --setting tcp.ackfrequency=1 --interface Team1", Assert.Single(registry.How));
        CurrentSetting now = Assert.Single(registry.Current);
        Assert.Equal((SampleSnapshots.Team, CurrentState.Absent), (now.Interface, now.State));
        Assert.Equal("10.20.0.21", registry.Host);
    }

    [Fact]
    public void Interface_WhenItCannotBeTold_ListsTheCandidatesAndNoOther()
    {
        AdviceResult advice = Evidence.Of("LT101", Side.Server, Evidence.Untouched, Evidence.Remote with { Address = "192.0.2.9" });

        Recommendation registry = advice.Recommendations.Single(r => r.Id == "REC-ACK-INTERFACE");
        Assert.Equal(["Team1 (10.20.0.21)", "vEthernet (Mgmt) (10.30.0.21)"], registry.Current.Select(c => c.InterfaceName));
        Assert.Contains(registry.Caveats, c => c.Contains("It is unknown which interface", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(Side.Client, "192.0.2.9", "does not have the address 192.0.2.9")]
    [InlineData(Side.Server, "10.20.0.21", "the other end")]
    public void Interface_OfAnotherHostThanTheSnapshots_IsUnknownWithReason(Side side, string server, string words)
    {
        Recommendation registry =
            Evidence.Of("LT101", side, Evidence.Untouched, Evidence.Remote with { Address = server }).Recommendations.Single(r => r.Id == "REC-ACK-INTERFACE");

        CurrentSetting now = Assert.Single(registry.Current);
        Assert.Equal(CurrentState.Unknown, now.State);
        Assert.Contains(words, now.Because, StringComparison.Ordinal);
        Assert.EndsWith("--interface NAME", Assert.Single(registry.How), StringComparison.Ordinal);
    }

    [Fact]
    public void Connections_OfACaptureTellTheEndsAddresses()
    {
        Finding finding = Evidence.Finding("LT101", Side.Server) with { Connections = ["10.20.0.21:50122 -> 10.9.0.5:1433"], Target = null };

        Recommendation registry = Advice.Of(Evidence.Inputs([finding], Evidence.Untouched)).Recommendations.Single(r => r.Id == "REC-ACK-INTERFACE");

        Assert.Equal(SampleSnapshots.Team, Assert.Single(registry.Current).Interface);
    }

    [Fact]
    public void Interface_ThatHasTheValue_IsDoneAndComesLastOfTheCures()
    {
        AdviceResult advice = Evidence.Of("LT101", Side.Client, SampleSnapshots.Server2022);

        List<Recommendation> cures = advice.Recommendations.Where(r => r.Kind != RecommendationKind.Setting).ToList();
        Assert.True(cures[^1].IsDone);
        Assert.Equal("REC-ACK-INTERFACE", cures[^1].Id);
        Assert.Empty(cures[^1].How);
        Assert.All(cures.SkipLast(1), c => Assert.False(c.IsDone));
    }

    [Fact]
    public void IPv6_SaysThatItsEffectIsUnproven()
    {
        EvidencedPath path = Evidence.Remote with { Address = "2001:db8::1", IsIPv6 = true };
        Recommendation over6 = Evidence.Of("LT101", Side.Client, path: path).Recommendations.Single(r => r.Id == "REC-ACK-INTERFACE");
        Recommendation over4 = Evidence.Of("LT101", Side.Client).Recommendations.Single(r => r.Id == "REC-ACK-INTERFACE");

        Assert.Contains(over6.Caveats, c => c.Contains("It is unproven", StringComparison.Ordinal));
        Assert.Equal(Confidence.Possible, over6.Confidence);
        Assert.DoesNotContain(over4.Caveats, c => c.Contains("IPv6", StringComparison.Ordinal));
    }

    [Fact]
    public void Ignore_LeavesFindingsOutAndSaysSo()
    {
        AdviceResult advice =
            Advice.Of(Evidence.Inputs([Evidence.Finding("LT101", Side.Client), Evidence.Finding("LT112", Side.Server)]) with { Ignore = ["lt101"] });

        Assert.All(advice.Recommendations, r => Assert.Equal(["LT112"], r.Findings));
        Assert.Contains(advice.Notes, n => n.Contains("LT101", StringComparison.Ordinal));
    }

    [Fact]
    public void Finding_OfANewerVersion_IsNamedAndLeftOut()
    {
        AdviceResult advice = Evidence.Of("LT999", Side.Client);

        Assert.Empty(advice.Recommendations);
        Assert.Contains(advice.Notes, n => n.Contains("LT999", StringComparison.Ordinal));
    }

    private static void Complete(Recommendation r)
    {
        Assert.All(
            new[] { r.Title, r.What, r.Where, r.TradeOff, r.Scope, r.TakesEffect, r.Prove, r.Undo }, text => Assert.False(string.IsNullOrWhiteSpace(text)));
        Assert.All(new[] { r.Title, r.What, r.TradeOff, r.Scope, r.TakesEffect, r.Undo }, text => Assert.DoesNotContain('{', text));
        Assert.NotEmpty(r.Sources);
        Assert.NotEmpty(r.Findings);
        if (r.Value is { } value)
        {
            _ = ApplicableSetting.TryFrom(SettingsCatalogue.Current.Find(r.SettingId!))!.Parse(value);
        }
    }
}
