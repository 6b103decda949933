namespace LatencyTuner.Core.Measurement;

/// <summary>The settings of one measurement.</summary>
public sealed record MeasurementPlan
{
    /// <summary>The workload of each connection.</summary>
    public Workload Workload { get; init; } = new();

    /// <summary>Open-loop rate in requests per second over all connections; null for a closed loop.</summary>
    public double? RatePerSecond { get; init; }

    /// <summary>Spacing of the requests of the open loop.</summary>
    public Arrivals Arrivals { get; init; }

    /// <summary>Measured time of one run; null when <see cref="Count"/> ends it.</summary>
    public TimeSpan? Duration { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Requests over all connections of one run; null when <see cref="Duration"/> ends it. With both, the limit reached first ends it.</summary>
    public long? Count { get; init; }

    /// <summary>Requests that are sent even after <see cref="Duration"/> has passed, so that a slow path gives evidence too.</summary>
    public long AtLeast { get; init; }

    /// <summary>Time at the start that is not counted.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Connections, 1 to 1024.</summary>
    public int Connections { get; init; } = 1;

    /// <summary>Most requests in flight on one connection of an open loop.</summary>
    public int InFlight { get; init; } = 4096;

    /// <summary>Processor numbers: the client's threads run on the first, the in-process responder's on the second.</summary>
    public IReadOnlyList<int> Pin { get; init; } = [];

    /// <summary>Seed of the arrival times.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>How long a reply may take before the run is ended.</summary>
    public TimeSpan ReplyTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a connection may take to be accepted.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long the whole handshake on one connection may take.</summary>
    public TimeSpan HandshakeTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Number of runs; each run opens its own connections.</summary>
    public int Runs { get; init; } = 1;

    /// <summary>Interval of the time series.</summary>
    public TimeSpan SeriesInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>True: both ends report processor use and scheduling delays of their machines, and single requests are kept.</summary>
    public bool Watch { get; init; }

    /// <summary>Requests of an open loop that belong to its warm-up; counted, not timed, so that exactly the planned ones are measured.</summary>
    internal long WarmupRequests => RatePerSecond is { } rate ? Requests(Warmup, rate) : 0;

    /// <summary>More requests than any run can make.</summary>
    internal const long MostRequests = 1_000_000_000_000_000;

    /// <summary>Number of requests at a rate in a time; rounded first, since 0.29 s at 100/s is 28.999... in floating point.</summary>
    internal static long Requests(TimeSpan time, double ratePerSecond) =>
        (long)Math.Min(Math.Floor(Math.Round(time.TotalSeconds * ratePerSecond, 6)), MostRequests);
}
