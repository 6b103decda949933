namespace LatencyTuner.Lab;

/// <summary>A frame the emulator dropped.</summary>
/// <param name="Sender">The host that sent it.</param>
/// <param name="TimeNs">When, nanoseconds since 1970-01-01 UTC, the clock of the packet captures.</param>
/// <param name="Sequence">TCP sequence number; 0 where the frame is not TCP.</param>
/// <param name="PayloadLength">TCP payload bytes.</param>
/// <param name="Reason">Why.</param>
public readonly record struct LabDrop(LabHost Sender, long TimeNs, uint Sequence, int PayloadLength, DropReason Reason);
