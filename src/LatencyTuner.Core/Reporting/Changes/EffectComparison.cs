using System.Net;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Core.Reporting.Changes;

/// <summary>Whether two measurements can show the effect of changes, and what they show.</summary>
public static class EffectComparison
{
    private const string Loopback = "loopback";

    /// <summary>Why measurements of a kind show nothing of the changes; null when they do.</summary>
    /// <param name="changes">The changes as verify found them.</param>
    /// <param name="before">The measurement before them.</param>
    /// <param name="after">The measurement after them; null while it is still to be made, by this host.</param>
    /// <param name="interfaces">The interfaces of this host.</param>
    public static string? WhyNot(
        IReadOnlyList<ChangeOutcome> changes, MeasurementReport before, MeasurementReport? after, IReadOnlyList<NetworkInterface> interfaces)
    {
        ArgumentNullException.ThrowIfNull(changes);
        ArgumentNullException.ThrowIfNull(before);
        ArgumentNullException.ThrowIfNull(interfaces);
        if (changes.Count == 0)
        {
            return "Nothing is in force, so there is no effect to measure.";
        }

        if (changes.Any(c => c.Change.Status != ChangeStatus.Done))
        {
            return "Not every value is as written, so a measurement would show something else.";
        }

        if (changes.FirstOrDefault(c => c.Pending is RestartNeed.Adapter or RestartNeed.Windows) is { } waiting)
        {
            return $"{waiting.Change.Name} is not in force until {(waiting.Pending == RestartNeed.Windows ? "Windows" : "the adapter or Windows")} is "
                + "restarted: restart it, then verify again.";
        }

        if (changes.Any(c => c.ChangedUtc < before.StartedUtc))
        {
            return $"The measurement before was made at {Time(before.StartedUtc)}, after the change.";
        }

        if (after is not null && changes.Any(c => c.ChangedUtc > after.StartedUtc))
        {
            return $"The measurement after was made at {Time(after.StartedUtc)}, before the change.";
        }

        if (before.Target.Name == Loopback && changes.All(c => c.Change.Interface is not null))
        {
            return "Loopback crosses no interface, and the changes are of an interface: measure the path to a peer.";
        }

        if (!changes.All(c => AckSettings.IsOfAcks(c.Change.SettingId)) || IsFeltBy(before, interfaces))
        {
            return null;
        }

        return $"{AckSettings.OnlyThePeerFeelsIt([.. changes.Select(c => c.Change.SettingId).Distinct()])}, and this was measured at this end: measure "
            + "from the peer before and after, with latencytuner serve on this host, and give both to --against.";
    }

    /// <summary>The verdict of a comparison.</summary>
    /// <param name="comparison">After against before.</param>
    public static MeasuredEffect From(ComparisonReport comparison)
    {
        ArgumentNullException.ThrowIfNull(comparison);
        return new(comparison.Verdict, string.Join(' ', comparison.Notes.Prepend(comparison.Text)));
    }

    /// <summary>The ACKs of this host matter to who sends to it in pieces: a peer that measures it, or one whose replies come so.</summary>
    private static bool IsFeltBy(MeasurementReport report, IReadOnlyList<NetworkInterface> interfaces)
    {
        RequestedOptions asked = report.Options.Requested;
        return (asked.PeerWrites > 1 && asked.PeerNoDelay != true)
            || (report.Target.Name != Loopback && IPAddress.TryParse(report.Target.Address, out IPAddress? target) && !IPAddress.IsLoopback(target)
                && interfaces.Any(i => i.Addresses.Any(a => IPAddress.TryParse(a, out IPAddress? own) && own.Equals(target))));
    }

    private static string Time(DateTimeOffset time) => $"{time.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC";
}
