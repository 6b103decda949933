using LatencyTuner.Core.Analysis.Sockets;
using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Experiments;

namespace LatencyTuner.Core.Analysis.Diagnosis;

/// <summary>
/// Draws the verdict of the experiment. It is conditional: it says what an application that writes its messages in pieces would pay on this
/// path. Only a capture or an ETW trace of an application shows whether it does so.
/// </summary>
internal static class DiagnosisRules
{
    /// <summary>Judges an experiment: a verdict for each direction, the fixes and the findings.</summary>
    /// <param name="result">The experiment.</param>
    /// <param name="application">The application that sends the requests; null for applications of any kind.</param>
    public static DiagnosisOutcome Judge(ExperimentResult result, ApplicationSockets? application = null)
    {
        SplitDirection requests = SplitDirection.Requests(result);
        SplitDirection replies = SplitDirection.Replies(result);
        DirectionJudgement request = ForApplication(DirectionJudgement.Of(requests, result), requests, application);
        DirectionJudgement? reply = replies.Split is null ? null : DirectionJudgement.Of(replies, result);
        List<DiagnosisFix> fixes = [];
        List<Finding> findings = [];
        foreach ((SplitDirection direction, DirectionJudgement? judgement) in ((SplitDirection, DirectionJudgement?)[])[(requests, request), (replies, reply)])
        {
            if (judgement is not null)
            {
                CurePrediction? prediction = Predict(result, direction, judgement);
                AddExposure(findings, result, direction, judgement, prediction);
                fixes.AddRange(DiagnosisFixes.Of(direction, judgement, prediction));
            }
        }

        AddExplanations(findings, result);
        return new DiagnosisOutcome(
            request.Verdict, reply?.Verdict, fixes,
            application is null ? findings
                : [.. findings.Select(f => f.Side == Side.Client && f.CountOf == "stall" ? f with { Process = application.Name } : f)]);
    }

    /// <summary>The verdict on requests for one application: where it has TCP_NODELAY on, Nagle's algorithm holds nothing of it.</summary>
    private static DirectionJudgement ForApplication(DirectionJudgement judged, SplitDirection direction, ApplicationSockets? application)
    {
        if (application is null || !judged.Verdict.Stalls)
        {
            return judged;
        }

        return application.NoDelay == true && judged.Verdict.Cause is Cause.NagleDelayedAck or Cause.NagleHold
            ? new(VerdictText.NoDelayIsOn(direction, application.Name), null)
            : judged with { Verdict = judged.Verdict with { AppliesTo = $"{application.Name}, if it writes a request in two or more sends" } };
    }

    /// <summary>The stalled requests replayed: they take what requests in one write took in the same rounds.</summary>
    private static CurePrediction? Predict(ExperimentResult result, SplitDirection direction, DirectionJudgement judgement)
    {
        const int Fewest = 3;
        if (judgement is not { Stalls: { } stalls, Verdict.Cause: not (Cause.None or Cause.CannotTell) })
        {
            return null;
        }

        CellResult stalled = Stalled(direction, judgement);
        return new HoldReplay
        {
            Response = stalled.Response,
            Stalls = stalls,
            RoundTripNs = stalls.RttNs,
            ResidenceNs = (long)stalled.ServerMeanNs,
            Plan = new MeasurementPlan(),
            Plain = direction.OneWrite is { Response.Count: >= Fewest } plain ? plain.Transport : null,
        }.Predict(result.Target.Name);
    }

    private static CellResult Stalled(SplitDirection direction, DirectionJudgement judgement) =>
        judgement.Verdict.Cause == Cause.DelayedAck ? direction.NoDelay! : direction.Split!;

    private static void AddExposure(
        List<Finding> findings, ExperimentResult result, SplitDirection direction, DirectionJudgement judgement, CurePrediction? prediction)
    {
        DiagnosisVerdict verdict = judgement.Verdict;
        if (verdict.Cause is Cause.None or Cause.CannotTell)
        {
            return;
        }

        bool despiteNoDelay = verdict.Cause == Cause.DelayedAck;
        CellResult stalled = Stalled(direction, judgement);
        double active = stalled.Response.MeanNs * stalled.Response.Count;
        findings.Add(new Finding
        {
            Cause = verdict.Cause,
            Side = verdict.Side,
            Host = verdict.Side == Side.Server ? result.Target.Endpoint.Address.ToString() : null,
            Confidence = verdict.Confidence,
            // Exposure is not a fault: split writes with Nagle on stall on every healthy network with delayed ACKs.
            Severity = Severity.Info,
            Count = judgement.Stalls!.Count,
            CostMs = judgement.Stalls.LostNs / 1e6,
            CostShare = active > 0 ? Math.Min(judgement.Stalls.LostNs / active, 1) : null,
            Connections = [result.Target.Name],
            For = verdict.For,
            Against = verdict.Against,
            Predictions = prediction is null ? [] : [prediction],
            Recommendation = despiteNoDelay
                ? $"Concerns only {verdict.AppliesTo}: write each {direction.Message} with one send call, or let the {direction.ReceiverName} "
                    + "acknowledge every segment. TCP_NODELAY does not help here."
                : CureCatalogue.NagleRemedy(direction.Sender, $"Concerns only {verdict.AppliesTo}"),
        });
    }

    /// <summary>Where the time of a plain request goes, by the same rules as a measurement's.</summary>
    private static void AddExplanations(List<Finding> findings, ExperimentResult result)
    {
        if (result[ExperimentCell.OneWrite] is not { Response.Count: > 0 } plain)
        {
            return;
        }

        MeasurementFacts facts = new()
        {
            Target = result.Target.Name,
            Address = result.Target.Endpoint.Address.ToString(),
            Workload = new Workload { Writes = [result.Plan.Size], ReplySize = result.Plan.ReplySize },
            Received = plain.Response.Count,
            Exchanges = plain.Exchanges,
            Elapsed = TimeSpan.FromMicroseconds(plain.Response.MeanNs * plain.Response.Count / 1e3),
            ActiveNs = plain.Response.MeanNs * plain.Response.Count,
            MedianNs = plain.Response.ValueAtPercentile(50),
            ServerMeanNs = plain.ServerMeanNs,
            Stalls = StallAnalysis.From(plain.Transport, plain.Transport.MinNs, 0),
            Local = EndCounters.From(plain.Local),
            Peer = EndCounters.From(plain.Peer),
            Retransmitted = SplitDirection.Retransmitted(plain, result.Plan),
            Complete = true,
        };
        Finding?[] explanations = [
            MeasuredLossRule.Evaluate(facts, SeverityLimits.Standard), MeasuredRttRule.Evaluate(facts), ServerThinkRule.Evaluate(facts)];
        findings.AddRange(explanations.OfType<Finding>());
    }
}
