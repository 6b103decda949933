namespace LatencyTuner.Core.Measurement.Load;

/// <summary>Which way the load goes.</summary>
public enum LoadDirection
{
    /// <summary>From this machine to the responder.</summary>
    Up,

    /// <summary>From the responder to this machine.</summary>
    Down,

    /// <summary>Both at the same time.</summary>
    Both,
}
