namespace LatencyTuner.Core.Measurement.Load;

/// <summary>The settings of a measurement under load.</summary>
public sealed record LoadPlan
{
    /// <summary>The requests that are timed, in idle and in loaded phases alike: workload, rate, timeouts, seed. An open loop on one connection.</summary>
    public required MeasurementPlan Probe { get; init; }

    /// <summary>The direction of the load.</summary>
    public LoadDirection Direction { get; init; } = LoadDirection.Both;

    /// <summary>Number of connections that make load in each direction, 1 to 64.</summary>
    public int Connections { get; init; } = 8;

    /// <summary>Most bytes of load, both directions and all phases together.</summary>
    public long MostBytes { get; init; } = 16L << 30;

    /// <summary>Number of loaded phases, 1 to 100; there is one idle phase more than loaded phases.</summary>
    public int Rounds { get; init; } = 2;

    /// <summary>Counted time of all loaded phases together; that of the idle ones is the same.</summary>
    public TimeSpan Loaded { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Counted time of one loaded phase.</summary>
    public TimeSpan LoadedEach => Loaded / Rounds;

    /// <summary>Counted time of one idle phase.</summary>
    public TimeSpan IdleEach => Loaded / (Rounds + 1);

    /// <summary>Time for the load to fill the path before the counted time, and for the path to drain after it.</summary>
    public TimeSpan Settle => TimeSpan.FromSeconds(Math.Clamp(Math.Max(LoadedEach.TotalSeconds / 3, Probe.Warmup.TotalSeconds), 0.05, 2));

    /// <summary>True when there is load towards the responder.</summary>
    public bool Up => Direction is LoadDirection.Up or LoadDirection.Both;

    /// <summary>True when there is load from the responder.</summary>
    public bool Down => Direction is LoadDirection.Down or LoadDirection.Both;
}

/// <summary>The direction of the load.</summary>
public enum LoadDirection
{
    /// <summary>From this machine to the responder.</summary>
    Up,

    /// <summary>From the responder to this machine.</summary>
    Down,

    /// <summary>Both at the same time.</summary>
    Both,
}
