namespace LatencyTuner.Lab;

/// <summary>What a <see cref="LinkEmulator"/> has done so far.</summary>
public sealed record EmulatorStatistics
{
    /// <summary>Frames that left the client, held ACKs that never left excluded.</summary>
    public required long ClientFrames { get; init; }

    /// <summary>Frames that left the server, held ACKs that never left excluded.</summary>
    public required long ServerFrames { get; init; }

    /// <summary>ACKs kept back at the client.</summary>
    public required long ClientAcksHeld { get; init; }

    /// <summary>ACKs kept back at the server.</summary>
    public required long ServerAcksHeld { get; init; }

    /// <summary>Frames the receiving host's device refused (it is down).</summary>
    public required long WriteFailures { get; init; }

    /// <summary>Mean time between when a frame was due and when it was handed over, nanoseconds: the emulator's own delay after reading it.</summary>
    public required long MeanLatenessNs { get; init; }

    /// <summary>The largest such time, nanoseconds.</summary>
    public required long MaxLatenessNs { get; init; }

    /// <summary>Every dropped frame in order of time.</summary>
    public required IReadOnlyList<LabDrop> Drops { get; init; }
}
