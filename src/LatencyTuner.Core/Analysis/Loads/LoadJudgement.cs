using System.Text.Json.Serialization;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Loads;

/// <summary>Whether one direction of the path was full, and what else limited the load where it was not.</summary>
/// <param name="Saturated">True: the path was full; false: something else limited the load; null: cannot tell.</param>
/// <param name="LimitedBy">What limited it.</param>
/// <param name="Because">Why, a sentence.</param>
internal sealed record LoadJudgement(bool? Saturated, LoadLimit LimitedBy, string Because)
{
    private const double MostRise = 1.25;
    private const double LeastBusy = 0.8;
    private const double Limited = 0.5;
    private const double FullMachine = 0.9;
    private const double OwnPart = 0.25;
    private const double QueueUs = 5000;

    /// <summary>Judges.</summary>
    /// <param name="facts">What is known.</param>
    public static LoadJudgement Of(LoadFacts facts)
    {
        ArgumentNullException.ThrowIfNull(facts);
        if (facts.SameMachine)
        {
            return new(
                false, LoadLimit.NoPath, "Both ends are this machine: the load was limited by its processors and memory, and no network path was filled.");
        }

        if (facts.BytesSpent)
        {
            return new(null, LoadLimit.Bytes, "The load ended before its time because its bytes were spent: allow more with --load-limit.");
        }

        if (facts.Bytes == 0 || facts.BytesPerSecond.All(p => p.Count == 0))
        {
            return new(null, LoadLimit.Unknown, facts.Failure is { } why ? $"No load was moved: {why}." : "No load was moved in the counted time.");
        }

        if (Processors(facts.Client, facts.Connections) is { } client)
        {
            return new(false, LoadLimit.ClientProcessors, $"The processors of this machine limited the load ({client}), so that the added time may be theirs.");
        }

        if (Processors(facts.Server, facts.Connections) is { } server)
        {
            return new(
                false, LoadLimit.ServerProcessors,
                $"The processors of the server limited the load ({server}, as it says), so that the added time may be theirs.");
        }

        if (facts.Failed > 0)
        {
            return new(null, LoadLimit.Failures, $"{facts.Failed} connections of the load ended by themselves: {facts.Failure}.");
        }

        if (IsRising(facts.BytesPerSecond))
        {
            return new(null, LoadLimit.Time, "The throughput was still rising when the time was over: measure longer, or with more --load-connections.");
        }

        if (facts.RwndLimitedShare >= Limited)
        {
            return new(
                false, LoadLimit.ReceiveWindow,
                $"The receiver's window limited the sender for {facts.RwndLimitedShare:0 %} of the time: more --load-connections may fill the path.");
        }

        if (facts.SndbufLimitedShare >= Limited)
        {
            return new(
                false, LoadLimit.SendBuffer,
                $"The send buffer limited the sender for {facts.SndbufLimitedShare:0 %} of the time: more --load-connections may fill the path.");
        }

        if (facts.BusyShare < LeastBusy)
        {
            return new(null, LoadLimit.Unknown, $"The sender had nothing under way for {1 - facts.BusyShare:0 %} of the time.");
        }

        if (PathEvidence(facts) is { } evidence)
        {
            return new(true, LoadLimit.Path, $"The throughput levelled off while {evidence}.");
        }

        return facts.Counted
            ? new(null, LoadLimit.Unknown, "The throughput levelled off, but neither losses nor a longer round trip show that the path was what limited it.")
            : new(
                null, LoadLimit.Unknown,
                $"The throughput levelled off, and no kernel counters of {(facts.Up ? "this end" : "the server")} tell whether losses or a longer round "
                + "trip came with it.");
    }

    /// <summary>What only a full path shows; null when nothing does.</summary>
    private static string? PathEvidence(LoadFacts facts)
    {
        List<string> seen = [];
        if (facts.CwndLimitedShare >= Limited)
        {
            seen.Add("the senders waited for their congestion windows");
        }

        if ((facts.RetransmittedSegments ?? facts.RetransmittedBytes) is > 0)
        {
            seen.Add("segments were lost");
        }

        if (facts.RttUs - facts.MinRttUs >= QueueUs && facts.RttUs >= 2 * facts.MinRttUs)
        {
            seen.Add($"their own round trip rose from {facts.MinRttUs / 1e3:0.0} to {facts.RttUs / 1e3:0.0} ms");
        }
        // Waiting for the congestion window alone is also what a sender does that is only slow to get its processor.
        bool busyElsewhere = facts.Client.Concat(facts.Server).Any(h => h.MachineBusyShare >= FullMachine);
        return seen.Count == 0 || (busyElsewhere && seen.Count == 1 && facts.CwndLimitedShare >= Limited) ? null : string.Join(" and ", seen);
    }

    /// <summary>Whether making the load took what processors there are; a machine that is busy with something else is not meant.</summary>
    private static string? Processors(IReadOnlyList<HostUse> phases, int threads)
    {
        HostUse? full = phases.FirstOrDefault(h => h.MachineBusyShare >= FullMachine && h.ProcessProcessors >= OwnPart * h.Processors);
        if (full is not null)
        {
            return $"{full.MachineBusyShare:0 %} busy, {full.ProcessProcessors:0.0} of {full.Processors} with the load";
        }

        HostUse? threadsFull = phases.FirstOrDefault(h => h.Processors > 0 && h.ProcessProcessors >= FullMachine * Math.Min(threads, h.Processors));
        return threadsFull is null ? null : $"the load's threads used {threadsFull.ProcessProcessors:0.0} of {threadsFull.Processors} processors";
    }

    /// <summary>
    /// The second halves of the phases together moved clearly more than the first ones. Together, since after a loss bytes count in jumps.
    /// </summary>
    private static bool IsRising(IReadOnlyList<IReadOnlyList<double>> phases)
    {
        double[] first = [.. phases.SelectMany(p => p.Take(p.Count / 2))];
        double[] last = [.. phases.SelectMany(p => p.Skip(p.Count - (p.Count / 2)))];
        return first.Length < 2 || last.Average() > MostRise * first.Average();
    }
}

/// <summary>What kept a load from being larger.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<LoadLimit>))]
public enum LoadLimit
{
    /// <summary>The evidence does not tell.</summary>
    Unknown,

    /// <summary>The path: it was full.</summary>
    Path,

    /// <summary>Both ends are one machine: there is no path.</summary>
    NoPath,

    /// <summary>The processors of the client.</summary>
    ClientProcessors,

    /// <summary>The processors of the server.</summary>
    ServerProcessors,

    /// <summary>The window of the receiving end.</summary>
    ReceiveWindow,

    /// <summary>The send buffer of the sending end.</summary>
    SendBuffer,

    /// <summary>The throughput was still rising when the time was over.</summary>
    Time,

    /// <summary>The bytes that were allowed.</summary>
    Bytes,

    /// <summary>Connections broke.</summary>
    Failures,
}
