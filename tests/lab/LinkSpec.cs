namespace LatencyTuner.Lab;

/// <summary>One direction of the emulated link. The default is a wire without delay, loss or limit.</summary>
public sealed record LinkSpec
{
    /// <summary>One-way delay of every frame, milliseconds, 0 or more.</summary>
    public double DelayMs { get; init; }

    /// <summary>Added to the delay: uniform between 0 and this, milliseconds. Order is kept, as on a path whose queues vary.</summary>
    public double JitterMs { get; init; }

    /// <summary>Amplitude of a sine that is added to the delay, milliseconds from 0 to <see cref="DelayMs"/>. Order is kept.</summary>
    public double SwingMs { get; init; }

    /// <summary>Period of that sine, seconds, above 0. Both directions and all connections swing in step, as behind one congested link.</summary>
    public double SwingSeconds { get; init; } = 60;

    /// <summary>Probability, 0 to 1, that a TCP segment with payload is lost. Pure ACKs, SYN, FIN and RST without payload never are.</summary>
    public double Loss { get; init; }

    /// <summary>Bottleneck rate in bits per second of Ethernet frames (without preamble and checksum); 0 is unlimited.</summary>
    public long RateBitsPerSecond { get; init; }

    /// <summary>
    /// Bytes that fit in front of the bottleneck, the frame being sent included; a frame that does not fit is dropped. Ignored without a rate.
    /// </summary>
    public long QueueBytes { get; init; } = 1 << 30;

    /// <summary>Probability, 0 to 1, that a TCP segment with payload is overtaken by the frames behind it.</summary>
    public double Reorder { get; init; }

    /// <summary>How much later an overtaken segment arrives, milliseconds.</summary>
    public double ReorderMs { get; init; } = 3;

    internal void Validate()
    {
        CheckTime(DelayMs, nameof(DelayMs));
        CheckTime(JitterMs, nameof(JitterMs));
        CheckTime(ReorderMs, nameof(ReorderMs));
        if (!(SwingMs >= 0 && SwingMs <= DelayMs))
        {
            throw new ArgumentOutOfRangeException(nameof(SwingMs), SwingMs, "A swing is 0 to the delay.");
        }

        if (!(SwingSeconds > 0 && SwingSeconds <= 86_400))
        {
            throw new ArgumentOutOfRangeException(nameof(SwingSeconds), SwingSeconds, "A period is above 0 and at most 86400 seconds.");
        }

        CheckProbability(Loss, nameof(Loss));
        CheckProbability(Reorder, nameof(Reorder));
        ArgumentOutOfRangeException.ThrowIfNegative(RateBitsPerSecond);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(QueueBytes);
    }

    private static void CheckTime(double ms, string name)
    {
        if (!(ms >= 0 && ms <= 3_600_000))
        {
            throw new ArgumentOutOfRangeException(name, ms, "A time is 0 to 3600000 milliseconds.");
        }
    }

    private static void CheckProbability(double p, string name)
    {
        if (!(p >= 0 && p <= 1))
        {
            throw new ArgumentOutOfRangeException(name, p, "A probability is 0 to 1.");
        }
    }
}
