namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>A probe that times the parts of an exchange itself.</summary>
public abstract class PhasedProbe : MonitorProbe
{
    /// <summary>Names of the parts, in the order in which they end; fixed for a probe.</summary>
    public abstract IReadOnlyList<string> Phases { get; }

    /// <summary>Nanoseconds from the start of the last exchange to the end of each part; negative for a part that was not observed.</summary>
    public abstract ReadOnlySpan<long> PhaseNs { get; }

    /// <summary>HTTP status of the last answer; 0 where there is none.</summary>
    public int Status { get; protected set; }

    /// <summary>True when the last exchange found its kept connection closed and opened another, which its times then include.</summary>
    public bool Reconnected { get; protected set; }
}
