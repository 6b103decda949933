using LatencyTuner.Core.Analysis.Ownership;
using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>
/// Builds the attribution of a measurement: the mean times and, where single requests were kept, the owners of the usual time and of the tail.
/// </summary>
internal static class AttributionBuilding
{
    /// <summary>Builds the attribution.</summary>
    /// <param name="result">What was measured.</param>
    /// <param name="tcp">The stalls that a finding explains by TCP itself; null without one.</param>
    internal static AttributionFigures Of(MeasurementResult result, StallAnalysis? tcp = null)
    {
        if (result.Received == 0 || result.Plan.Workload.Pattern == WritePattern.Stream)
        {
            return new AttributionFigures();
        }

        double server = (double)result.ResidenceNs / result.Received;
        double client = (result.Lateness?.MeanNs ?? 0) + ((double)result.SendNs / Math.Max(result.Sent, 1));
        AttributionFigures means = new()
        {
            ClientUs = LatencyFigures.Us(client),
            ServerUs = LatencyFigures.Us(server),
            NetworkUs = LatencyFigures.Us(Math.Max(result.Response.MeanNs - client - server, 0)),
        };
        if (!result.Plan.Watch)
        {
            return means;
        }

        RequestOwners owners = RequestOwners.From(result);
        owners = tcp is null ? owners : owners.WithTcpWaits(tcp.RttNs, tcp.ThresholdNs);
        return means with
        {
            Typical = Of(OwnershipRules.Typical(owners, result.Plan.Seed)),
            Tail = Of(OwnershipRules.Tail(owners, result.Plan.Seed)),
            ClientWaitsBy = owners.ClientBy,
            ServerWaitsBy = owners.ServerBy,
            Client = result.ClientHost is { } here ? FigureBuilder.Host(here) : null,
            Server = result.ServerHost is { } there ? FigureBuilder.Host(there) : null,
        };
    }

    private static OwnershipFigures Of(OwnershipVerdict verdict) => new()
    {
        Owner = verdict.Owner,
        Because = verdict.Because,
        Count = verdict.Count,
        AbovePercentile = verdict.AbovePercentile,
        Shares = [.. verdict.Shares.Select(s => new OwnerShareFigures
        {
            Owner = s.Owner,
            Share = Math.Round(s.Share, 4),
            LowShare = Math.Round(s.Low, 4),
            HighShare = Math.Round(s.High, 4),
            MeanUs = LatencyFigures.Us(s.MeanNs),
        })],
    };
}
