namespace LatencyTuner.Lab;

/// <summary>
/// A receiver that delays acknowledgements (RFC 1122 section 4.2.3.2, RFC 5681 section 4.2). The host itself must acknowledge at once
/// (route quickack), because the stage can delay an ACK but not invent one.
/// </summary>
public sealed record AckHoldSpec
{
    /// <summary>
    /// How long the pure ACK of a lone segment is kept, milliseconds, above 0: 200 (older Windows), 50 and 40 (newer Windows, Linux), 100 (BSD), 10.
    /// </summary>
    public required double TimerMs { get; init; }

    /// <summary>
    /// 0: the timer starts at the segment's arrival. Above 0: a host-wide tick of this many milliseconds; the ACK leaves on the tick that makes
    /// the wait longer than <see cref="TimerMs"/> minus one tick and at most <see cref="TimerMs"/>.
    /// </summary>
    public double TickMs { get; init; }

    /// <summary>An ACK that covers this many segments leaves at once, 1 or more; 1 disables the delay. RFC 5681 asks for 2.</summary>
    public int SegmentsPerAck { get; init; } = 2;

    internal void Validate()
    {
        if (!(TimerMs > 0 && TimerMs <= 60_000))
        {
            throw new ArgumentOutOfRangeException(nameof(TimerMs), TimerMs, "The timer is above 0 and at most 60000 milliseconds.");
        }

        if (!(TickMs >= 0 && TickMs <= TimerMs))
        {
            throw new ArgumentOutOfRangeException(nameof(TickMs), TickMs, "The tick is 0 or at most the timer.");
        }

        ArgumentOutOfRangeException.ThrowIfLessThan(SegmentsPerAck, 1);
    }
}
