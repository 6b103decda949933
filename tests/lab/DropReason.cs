namespace LatencyTuner.Lab;

/// <summary>Why the emulator dropped a frame.</summary>
public enum DropReason
{
    /// <summary>Random loss.</summary>
    Loss,

    /// <summary>The bottleneck's queue was full.</summary>
    QueueFull,
}
