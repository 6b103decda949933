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

    /// <summary>Why the measurements cannot show the effect of the changes; null when they can.</summary>
    /// <param name="changes">The changes as verify found them.</param>
    /// <param name="before">The measurement before the changes.</param>
    /// <param name="after">The measurement after the changes; null while this host still has to make it.</param>
    /// <param name="interfaces">The interfaces of this host.</param>
    public static string? WhyNot(
        IReadOnlyList<ChangeOutcome> changes, MeasurementReport before, MeasurementReport? after, IReadOnlyList<NetworkInterface> interfaces)
    {
        ArgumentNullException.ThrowIfNull(changes);
        ArgumentNullException.ThrowIfNull(before);
        ArgumentNullException.ThrowIfNull(interfaces);
        if (changes.Count == 0)
        {
            return "No change is in force, so there is no effect to measure.";
        }

        if (changes.Any(c => c.Change.Status != ChangeStatus.Done))
        {
            return "Not every value is as it was written, so a measurement would show the effect of other values.";
        }

        if (changes.FirstOrDefault(c => c.Pending is RestartNeed.Adapter or RestartNeed.Windows) is { } waiting)
        {
            return $"{waiting.Change.Name} takes effect only after a restart of "
                + $"{(waiting.Pending == RestartNeed.Windows ? "Windows" : "the adapter or Windows")}. Restart it, then run the same verify command again.";
        }

        if (changes.Any(c => c.ChangedUtc < before.StartedUtc))
        {
            return $"The 'before' measurement was started at {Time(before.StartedUtc)}, after the change.";
        }

        if (after is not null && changes.Any(c => c.ChangedUtc > after.StartedUtc))
        {
            return $"The 'after' measurement was started at {Time(after.StartedUtc)}, before the change.";
        }

        if (before.Target.Name == Loopback && changes.All(c => c.Change.Interface is not null))
        {
            return "The changes are to an interface, but loopback uses no interface. Measure the path to a peer.";
        }

        if (!changes.All(c => AckSettings.IsOfAcks(c.Change.SettingId)) || IsFeltBy(before, interfaces))
        {
            return null;
        }

        return $"{AckSettings.OnlyThePeerFeelsIt([.. changes.Select(c => c.Change.SettingId).Distinct()])}, but this was measured at this end. "
            + "Run latencytuner serve on this host, measure from the peer before and after the change, and give both reports to --against.";
    }

    /// <summary>The measured effect that a comparison shows.</summary>
    /// <param name="comparison">The comparison of the measurement after with the one before.</param>
    public static MeasuredEffect From(ComparisonReport comparison)
    {
        ArgumentNullException.ThrowIfNull(comparison);
        return new(comparison.Result, string.Join(' ', comparison.Notes.Prepend(comparison.Text)));
    }

    /// <summary>True when this measurement shows the effect of this host's ACKs: a peer measured it, or the peer sent its replies in several writes.</summary>
    private static bool IsFeltBy(MeasurementReport report, IReadOnlyList<NetworkInterface> interfaces)
    {
        RequestedOptions asked = report.Options.Requested;
        return (asked.PeerWrites > 1 && asked.PeerNoDelay != true)
            || (report.Target.Name != Loopback && IPAddress.TryParse(report.Target.Address, out IPAddress? target) && !IPAddress.IsLoopback(target)
                && interfaces.Any(i => i.Addresses.Any(a => IPAddress.TryParse(a, out IPAddress? own) && own.Equals(target))));
    }

    private static string Time(DateTimeOffset time) => $"{time.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC";
}
