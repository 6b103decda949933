using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Analysis.Ownership;

/// <summary>The requests of a measurement, each split by owner, and what the split rests on.</summary>
internal sealed record RequestOwners
{
    /// <summary>The kernel reported how long the thread itself waited for a processor.</summary>
    public const string RunQueue = "run queue";

    /// <summary>A second thread measured how late it got to run itself.</summary>
    public const string StallClock = "stall clock";

    private const int EnoughTold = 100;
    private const double EnoughToldShare = 0.9;

    /// <summary>Longest time from the end of a stall to a reply that waited for it: the kernel works and the thread wakes up.</summary>
    private const double AfterStallNs = 200_000;

    /// <summary>The requests in the order of their planned times.</summary>
    public required IReadOnlyList<OwnedTimes> Requests { get; init; }

    /// <summary>How the client's waits are known: <see cref="RunQueue"/>, <see cref="StallClock"/>, or null: not at all.</summary>
    public string? ClientBy { get; init; }

    /// <summary>How the server's waits are known (reported by the server); null: not at all.</summary>
    public string? ServerBy { get; init; }

    /// <summary>Median of the delay with which threads got to run, the larger of both ends, nanoseconds; 0 when unknown.</summary>
    public double HostMedianDelayNs { get; init; }

    /// <summary>99th percentile of the delay with which threads got to run, the larger of both ends, nanoseconds; 0 when unknown.</summary>
    public double HostDelayNs { get; init; }

    /// <summary>How long the measurement took; zero when unknown.</summary>
    public TimeSpan Measured { get; init; }

    /// <summary>Whether either machine's processors were nearly all busy.</summary>
    public bool MachineFull { get; init; }

    /// <summary>Splits the requests that a measurement kept.</summary>
    /// <param name="result">What was measured.</param>
    public static RequestOwners From(MeasurementResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        const double Full = 0.9;
        double nsPerTick = 1e9 / result.TimestampFrequency;
        bool ownThread = result.Rows.Any(r => r.ClientWaitNs >= 0);
        bool serverThread = result.Rows.Any(r => r.ServerWaitNs >= 0);
        bool serverClock = result.Rows.Any(r => r.ServerStallNs >= 0);
        bool clock = result.ClientHost is { DelayCount: > 0 };
        // The wait of the first request of a connection is not known here, nor that of the last one at the server: unknown time is not the network's.
        RequestRow[] told = [.. result.Rows.Where(r => (!ownThread || r.ClientWaitNs >= 0) && (!serverThread || r.ServerWaitNs >= 0))];
        return new RequestOwners
        {
            Requests = Split(
                told.Length >= Math.Max(EnoughTold, EnoughToldShare * result.Rows.Count) ? told : [.. result.Rows], result.LocalStalls, nsPerTick, ownThread,
                serverThread),
            ClientBy = ownThread ? RunQueue : clock ? StallClock : null,
            ServerBy = serverThread ? RunQueue : serverClock ? StallClock : null,
            HostMedianDelayNs = Math.Max(result.ClientHost?.DelayP50Ns ?? 0, result.ServerHost?.DelayP50Ns ?? 0),
            HostDelayNs = Math.Max(result.ClientHost?.DelayP99Ns ?? 0, result.ServerHost?.DelayP99Ns ?? 0),
            MachineFull = result.ClientHost?.MachineBusyShare >= Full || result.ServerHost?.MachineBusyShare >= Full,
            Measured = result.Elapsed,
        };
    }

    /// <summary>The same requests, with the waits of TCP itself apart from the network: what a stalled request took beyond one round trip.</summary>
    /// <param name="rttNs">The path's own round trip, nanoseconds.</param>
    /// <param name="thresholdNs">A request that took longer, without the time of client and server, stalled; nanoseconds.</param>
    public RequestOwners WithTcpWaits(long rttNs, long thresholdNs) => this with
    {
        Requests = [.. Requests.Select(r => r.Network > thresholdNs ? r with { Network = rttNs, Tcp = r.Network - rttNs } : r)],
    };

    private static OwnedTimes[] Split(RequestRow[] rows, IReadOnlyList<(long Start, long End)> stalls, double nsPerTick, bool ownThread, bool serverThread)
    {
        OwnedTimes[] times = new OwnedTimes[rows.Length];
        int firstStall = 0;
        for (int i = 0; i < times.Length; i++)
        {
            RequestRow row = rows[i];
            double late = Math.Max((row.Sent - row.Planned) * nsPerTick, 0);
            double service = Math.Max((row.Received - row.Sent) * nsPerTick, 0);
            // Stalls are in the order of time and requests in that of their planned times, so a stall before one request is before the next one too.
            while (firstStall < stalls.Count && stalls[firstStall].End <= row.Planned)
            {
                firstStall++;
            }

            double known = Math.Max(row.ClientWaitNs, 0);
            double stood = nsPerTick
                * (ownThread ? Delaying(stalls, firstStall, row, (long)((AfterStallNs + known) / nsPerTick)) : Overlap(stalls, firstStall, row));
            // The thread's wait in the run queue may be part of a stall, so only the longer of both is certain.
            times[i] = Of(late, service, row.ResidenceNs, Math.Max(known, stood), serverThread ? row.ServerWaitNs : row.ServerStallNs);
        }

        return times;
    }

    /// <summary>Splits one request by owner. What does not fit into the time that was seen here is cut.</summary>
    /// <param name="lateNs">From the planned to the actual send, nanoseconds.</param>
    /// <param name="serviceNs">From the actual send to the reply, nanoseconds.</param>
    /// <param name="residenceNs">The server's own time (reported by the server), nanoseconds.</param>
    /// <param name="clientWaitNs">Waits of the client, nanoseconds; those before the send are already in <paramref name="lateNs"/>.</param>
    /// <param name="serverWaitNs">Waits of the server (reported by the server), nanoseconds; below 0 when it reports none.</param>
    internal static OwnedTimes Of(double lateNs, double serviceNs, double residenceNs, double clientWaitNs, double serverWaitNs)
    {
        double residence = Math.Clamp(residenceNs, 0, serviceNs);
        double rest = serviceNs - residence;
        double client = Math.Clamp(clientWaitNs - lateNs, 0, rest);
        double server = Math.Clamp(serverWaitNs, 0, rest);
        double scale = client + server > rest ? rest / (client + server) : 1;
        return new(lateNs + (client * scale), residence + (server * scale), rest - ((client + server) * scale));
    }

    private static double Overlap(IReadOnlyList<(long Start, long End)> stalls, int first, RequestRow row)
    {
        double overlap = 0;
        for (int i = first; i < stalls.Count && stalls[i].Start < row.Received; i++)
        {
            overlap += Common(stalls[i], row);
        }

        return overlap;
    }

    /// <summary>
    /// The part of the stalls that delayed the request: those that lasted when it was sent or until its reply was read. A machine that pauses
    /// while the reply is still on its way delays nothing. The kernel's run queue does not count these times for a thread that sleeps.
    /// </summary>
    private static double Delaying(IReadOnlyList<(long Start, long End)> stalls, int first, RequestRow row, long tolerance)
    {
        double overlap = 0;
        for (int i = first; i < stalls.Count && stalls[i].Start < row.Received; i++)
        {
            if (stalls[i].Start <= row.Sent || stalls[i].End >= row.Received - tolerance)
            {
                overlap += Common(stalls[i], row);
            }
        }

        return overlap;
    }

    private static double Common((long Start, long End) stall, RequestRow row) =>
        Math.Max(0, Math.Min(stall.End, row.Received) - Math.Max(stall.Start, row.Planned));
}
