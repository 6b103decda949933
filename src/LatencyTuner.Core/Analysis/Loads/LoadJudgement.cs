using System.Text.Json.Serialization;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Loads;

/// <summary>Whether one direction of the path was full, and what else limited the load where it was not.</summary>
/// <param name="Saturated">True: the path was full; false: something else limited the load; null: cannot tell.</param>
/// <param name="LimitedBy">What limited the load.</param>
/// <param name="Because">Why, a sentence.</param>
internal sealed record LoadJudgement(bool? Saturated, LoadLimit LimitedBy, string Because)
{
    private const double MostRise = 1.25;
    private const double LeastBusy = 0.8;
    private const double Limited = 0.5;
    private const double FullMachine = 0.9;
    private const double OwnPart = 0.25;
    private const double QueueUs = 5000;

    /// <summary>Judges one direction of the load.</summary>
    /// <param name="facts">What is known of that direction.</param>
    public static LoadJudgement Of(LoadFacts facts)
    {
        ArgumentNullException.ThrowIfNull(facts);
        if (facts.SameMachine)
        {
            return new(
                false, LoadLimit.NoPath, "Both ends are this machine: its processors and memory limited the load, and no network path was filled.");
        }

        if (facts.BytesSpent)
        {
            return new(null, LoadLimit.Bytes, "The load ended early because it reached --load-limit. Give a higher --load-limit.");
        }

        if (facts.Bytes == 0 || facts.BytesPerSecond.All(p => p.Count == 0))
        {
            return new(null, LoadLimit.Unknown, facts.Failure is { } why ? $"The load moved no data: {why}." : "The load moved no data in the counted time.");
        }

        if (Processors(facts.Client, facts.Connections) is { } client)
        {
            return new(false, LoadLimit.ClientProcessors, $"The processors of this machine limited the load ({client}), and may have caused the added time.");
        }

        if (Processors(facts.Server, facts.Connections) is { } server)
        {
            return new(
                false, LoadLimit.ServerProcessors,
                $"The processors of the server limited the load ({server}; reported by the server), and may have caused the added time.");
        }

        if (facts.Failed > 0)
        {
            return new(null, LoadLimit.Failures, $"Connections of the load that broke: {facts.Failed} ({facts.Failure}).");
        }

        if (IsRising(facts.BytesPerSecond))
        {
            return new(null, LoadLimit.Time, "The throughput was still rising when the load ended: measure longer, or with more --load-connections.");
        }

        if (facts.RwndLimitedShare >= Limited)
        {
            return new(
                false, LoadLimit.ReceiveWindow,
                $"The receive window limited the sender for {facts.RwndLimitedShare:0 %} of the time: more --load-connections may fill the path.");
        }

        if (facts.SndbufLimitedShare >= Limited)
        {
            return new(
                false, LoadLimit.SendBuffer,
                $"The send buffer limited the sender for {facts.SndbufLimitedShare:0 %} of the time: more --load-connections may fill the path.");
        }

        if (facts.BusyShare < LeastBusy)
        {
            return new(null, LoadLimit.Unknown, $"The sender had no data in flight for {1 - facts.BusyShare:0 %} of the time.");
        }

        if (PathEvidence(facts) is { } evidence)
        {
            return new(true, LoadLimit.Path, $"The throughput levelled off while {evidence}.");
        }

        return facts.Counted
            ? new(null, LoadLimit.Unknown, "The throughput levelled off, but neither losses nor a longer round trip show that the path limited it.")
            : new(
                null, LoadLimit.Unknown,
                $"The throughput levelled off. No kernel counters of {(facts.Up ? "this end" : "the server")} show whether losses or a longer round "
                + "trip came with it.");
    }

    /// <summary>Evidence that only a full path gives; null when there is none.</summary>
    private static string? PathEvidence(LoadFacts facts)
    {
        List<string> seen = [];
        if (facts.CwndLimitedShare >= Limited)
        {
            seen.Add("the senders waited for their congestion windows");
        }

        if ((facts.RetransmittedSegments ?? facts.RetransmittedBytes) is > 0)
        {
            seen.Add("segments were retransmitted");
        }

        if (facts.RttUs - facts.MinRttUs >= QueueUs && facts.RttUs >= 2 * facts.MinRttUs)
        {
            seen.Add($"the round trip of the load's connections rose from {facts.MinRttUs / 1e3:0.0} to {facts.RttUs / 1e3:0.0} ms");
        }
        // A sender that is only slow to get its processor waits for the congestion window as well.
        bool busyElsewhere = facts.Client.Concat(facts.Server).Any(h => h.MachineBusyShare >= FullMachine);
        return seen.Count == 0 || (busyElsewhere && seen.Count == 1 && facts.CwndLimitedShare >= Limited) ? null : string.Join(" and ", seen);
    }

    /// <summary>How the load used up the processors, a phrase; null when it did not. A machine that is busy with something else does not count.</summary>
    private static string? Processors(IReadOnlyList<HostUse> phases, int threads)
    {
        HostUse? full = phases.FirstOrDefault(h => h.MachineBusyShare >= FullMachine && h.ProcessProcessors >= OwnPart * h.Processors);
        if (full is not null)
        {
            return $"{full.MachineBusyShare:0 %} busy, {full.ProcessProcessors:0.0} of {Counted.Of(full.Processors, "processor")} with the load";
        }

        HostUse? threadsFull = phases.FirstOrDefault(h => h.Processors > 0 && h.ProcessProcessors >= FullMachine * Math.Min(threads, h.Processors));
        return threadsFull is null ? null : $"the load's threads used {threadsFull.ProcessProcessors:0.0} of {Counted.Of(threadsFull.Processors, "processor")}";
    }

    /// <summary>
    /// True when the second halves of the phases together moved clearly more than the first halves. Together, because bytes come in jumps after a loss.
    /// </summary>
    private static bool IsRising(IReadOnlyList<IReadOnlyList<double>> phases)
    {
        double[] first = [.. phases.SelectMany(p => p.Take(p.Count / 2))];
        double[] last = [.. phases.SelectMany(p => p.Skip(p.Count - (p.Count / 2)))];
        return first.Length < 2 || last.Average() > MostRise * first.Average();
    }
}

/// <summary>What limited a load.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<LoadLimit>))]
public enum LoadLimit
{
    /// <summary>The evidence does not show what limited it.</summary>
    Unknown,

    /// <summary>The path: it was full.</summary>
    Path,

    /// <summary>Both ends are one machine: there is no path.</summary>
    NoPath,

    /// <summary>The processors of the client.</summary>
    ClientProcessors,

    /// <summary>The processors of the server.</summary>
    ServerProcessors,

    /// <summary>The receive window of the receiving end.</summary>
    ReceiveWindow,

    /// <summary>The send buffer of the sending end.</summary>
    SendBuffer,

    /// <summary>The duration: the throughput was still rising when the load ended.</summary>
    Time,

    /// <summary>The load reached <c>--load-limit</c>.</summary>
    Bytes,

    /// <summary>The load ended because its connections broke.</summary>
    Failures,
}
