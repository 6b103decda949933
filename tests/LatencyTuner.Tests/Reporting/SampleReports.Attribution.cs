using LatencyTuner.Core.Analysis.Ownership;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Tests.Reporting;

internal static partial class SampleReports
{
    private static OwnerShareFigures Part(Owner owner, double share, double low, double high, double meanUs) =>
        new() { Owner = owner, Share = share, LowShare = low, HighShare = high, MeanUs = meanUs };

    /// <summary>A client whose own processors hold the tail up, on a path that is nobody's fault.</summary>
    internal static MeasurementReport Owned => Healthy with
    {
        Attribution = Healthy.Attribution with
        {
            Typical = new()
            {
                Owner = Owner.Network,
                Because = "The network accounts for 99 % (98 % to 99 %, 95 %) of the usual response time.",
                Count = 443,
                Shares = [
                    Part(Owner.Client, 0.007, 0.005, 0.01, 7.8), Part(Owner.Server, 0.004, 0.004, 0.005, 4.2), Part(Owner.Network, 0.989, 0.98, 0.99, 1102)],
            },
            Tail = new()
            {
                Owner = Owner.Client,
                Because = "The client accounts for 91 % (78 % to 97 %, 95 %) of the tail above the 90th percentile.",
                Count = 88,
                AbovePercentile = 90,
                Shares = [Part(Owner.Client, 0.91, 0.78, 0.97, 4_310), Part(Owner.Server, 0.02, 0, 0.05, 95), Part(Owner.Network, 0.07, 0.02, 0.15, 331)],
            },
            ClientWaitsBy = "run queue",
            ServerWaitsBy = "stall clock",
            Client = new()
            {
                Processors = 2,
                MachineBusyShare = 0.97,
                ProcessProcessors = 0.04,
                DelayCount = 870,
                DelayP50Us = 53.8,
                DelayP99Us = 4_900,
                DelayMaxUs = 11_600,
                GcCount = 1,
                GcPauseMs = 0.4,
            },
            Server = new()
            {
                Processors = 8,
                MachineBusyShare = 0.02,
                ProcessProcessors = 0.03,
                DelayCount = 990,
                DelayP50Us = 9.5,
                DelayP99Us = 107,
                DelayMaxUs = 256,
            },
        },
    };
}
