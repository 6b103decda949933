using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Analysis.Sweeps;

/// <summary>The parts of the time of a point's streams, as shares (0 to 1).</summary>
/// <param name="Fetch">Share of the sender's time in which it made messages.</param>
/// <param name="Send">Share of the sender's time inside the calls that hand messages on.</param>
/// <param name="Wait">Share of the sender's time in which it waited for flushes.</param>
/// <param name="Overlap">Share of the time of making messages in which a flush was under way, as the sender saw it.</param>
/// <param name="SeenOverlap">Share of the time of making messages after the first one had arrived, at least, as the receiver saw it.</param>
/// <param name="WindowBytes">The largest window that a stream had, bytes.</param>
/// <param name="RoundTripUs">The shortest round trip seen, microseconds.</param>
internal sealed record StreamShares(double? Fetch, double? Send, double? Wait, double? Overlap, double? SeenOverlap, long WindowBytes, double? RoundTripUs)
{
    /// <summary>Null when the point was not measured over HTTP/2.</summary>
    internal static StreamShares? From(SweepPointResult point)
    {
        List<StreamFigures> rounds = [.. point.Rounds.Select(r => r.Streams).OfType<StreamFigures>()];
        if (rounds.Count == 0)
        {
            return null;
        }

        double sender = rounds.Sum(r => (double)r.SenderNs);
        double fetch = rounds.Sum(r => (double)r.FetchNs);
        double? Of(double part, double whole) => whole > 0 ? Math.Clamp(part / whole, 0, 1) : null;
        long? roundTrip = rounds.Min(r => r.RoundTripNs);
        return new StreamShares(
            Of(fetch, sender), Of(rounds.Sum(r => (double)r.SendNs), sender), Of(rounds.Sum(r => (double)r.WaitNs), sender),
            Of(rounds.Sum(r => (double)r.OverlapNs), fetch), Of(rounds.Sum(r => (double)r.SeenOverlapNs), fetch),
            rounds.Max(r => r.WindowBytes), roundTrip is { } ns ? LatencyFigures.Us((double)ns) : null);
    }
}
