using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>Makes the plan of a measurement from its report, so that the measurement can be repeated.</summary>
public static class PlanFromReport
{
    private const int MostBytes = 1 << 30;
    private static readonly double LongestUs = TimeSpan.FromHours(1).TotalMicroseconds;

    /// <summary>The plan of the measurement in a report: the requested options and the number of runs.</summary>
    /// <param name="report">The report.</param>
    /// <param name="path">Path of the report, for error messages.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: an option has a value that cannot be measured with.</exception>
    public static MeasurementPlan From(MeasurementReport report, string path)
    {
        ArgumentNullException.ThrowIfNull(report);
        RequestedOptions asked = report.Options.Requested;
        double durationMs = asked.DurationMs ?? 0;
        Require(
            path, "writesBytes",
            asked.WritesBytes.Count is > 0 and <= 64 && asked.WritesBytes.All(w => w is > 0 and <= MostBytes)
                && asked.WritesBytes.Sum(w => (long)w) == asked.SizeBytes, "the sizes of the writes of a request, at most 1 GiB together");
        Require(path, "replySizeBytes", asked.ReplySizeBytes is > 0 and <= MostBytes, "1 to 1073741824 bytes");
        Require(path, "peerWrites", asked.PeerWrites >= 1 && asked.PeerWrites <= asked.ReplySizeBytes, "1 to one write per byte of the reply");
        Require(path, "connections", asked.Connections is >= 1 and <= 1024, "1 to 1024");
        Require(path, "inFlight", asked.InFlight is >= 1 and <= 1 << 20, "1 to 1048576");
        Require(path, "ratePerSecond", asked.RatePerSecond is null or (> 0 and <= 10_000_000), "more than 0, at most 10,000,000 requests/s");
        Require(
            path, "durationMs", durationMs >= 0 && durationMs <= TimeSpan.FromDays(1).TotalMilliseconds && (asked.DurationMs is > 0 || asked.Count is > 0),
            "a duration of at most a day, or a count");
        Require(path, "count", asked.Count is null or (> 0 and <= 1_000_000_000), "1 to 1,000,000,000");
        Require(path, "warmupMs", asked.WarmupMs >= 0 && asked.WarmupMs * 1e3 <= LongestUs, "at most an hour");
        Require(path, "gapUs", asked.GapUs >= 0 && asked.GapUs <= 10e6, "at most 10 s");
        Require(path, "peerThinkUs", asked.PeerThinkUs >= 0 && asked.PeerThinkUs <= 10e6, "at most 10 s");
        int runs = report.Runs.Select(r => r.Run).Distinct().Count();
        return new MeasurementPlan
        {
            Workload = new Workload
            {
                Pattern = Enum.GetValues<WritePattern>().FirstOrDefault(p => MeasurementReportBuilder.PatternName(p) == report.Pattern),
                Writes = asked.WritesBytes,
                Gap = TimeSpan.FromMicroseconds(asked.GapUs),
                ReplySize = asked.ReplySizeBytes,
                PeerWrites = asked.PeerWrites,
                PeerThink = TimeSpan.FromMicroseconds(asked.PeerThinkUs),
                NoDelay = asked.NoDelay,
                PeerNoDelay = asked.PeerNoDelay,
                Ack = AckOf(asked.Ack),
                PeerAck = AckOf(asked.PeerAck),
                SendBuffer = asked.SendBufferBytes,
                ReceiveBuffer = asked.ReceiveBufferBytes,
                PeerSendBuffer = asked.PeerSendBufferBytes,
                PeerReceiveBuffer = asked.PeerReceiveBufferBytes,
                Spin = asked.Spin,
            },
            RatePerSecond = asked.RatePerSecond,
            Arrivals = asked.Arrivals == "poisson" ? Arrivals.Poisson : Arrivals.Constant,
            Duration = asked.DurationMs is { } ms ? TimeSpan.FromMilliseconds(ms) : null,
            Count = asked.Count,
            Warmup = TimeSpan.FromMilliseconds(asked.WarmupMs),
            Connections = asked.Connections,
            InFlight = asked.InFlight,
            Pin = asked.Pin,
            Seed = asked.Seed,
            Runs = Math.Clamp(runs, 1, 1000),
        };
    }

    private static AckBehaviour AckOf(string word) => word == "immediate" ? AckBehaviour.Immediate : AckBehaviour.Default;

    private static void Require(string path, string field, bool holds, string valid)
    {
        if (!holds)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: options.requested.{field} is not valid for a new measurement. Valid: {valid}.");
        }
    }
}
