namespace LatencyTuner.Core.Etw;

/// <summary>Converts the clock values of a trace to nanoseconds since its first event, and these to UTC.</summary>
/// <remarks>Clocks other than the performance counter are implemented from the format description; no real trace with them was available.</remarks>
public sealed class EtlClock
{
    private const long NsPerSecond = 1_000_000_000;
    private const long TicksPerSecond = 10_000_000;
    private const long TicksPerDay = 86_400 * TicksPerSecond;

    /// <summary>Largest frequency in Hz: above it, the remainder of a second times 10^9 does not fit in 63 bits.</summary>
    private const long MaxFrequency = 9_000_000_000;

    private readonly long _multiplier;

    private EtlClock(EtlClockKind kind, long frequency, long origin, DateTimeOffset? startUtc, bool known)
    {
        (Kind, Frequency, Origin, StartUtc, IsKnown) = (kind, frequency, origin, startUtc, known);
        _multiplier = NsPerSecond % frequency == 0 ? NsPerSecond / frequency : 0;
    }

    /// <summary>Which clock the session used.</summary>
    public EtlClockKind Kind { get; }

    /// <summary>Units per second, 1 to 9,000,000,000.</summary>
    public long Frequency { get; }

    /// <summary>Clock value of the first event, which is time 0.</summary>
    public long Origin { get; }

    /// <summary>UTC time of the first event; null when the log file header is missing or has no usable time.</summary>
    public DateTimeOffset? StartUtc { get; }

    /// <summary>False when the log file header has no usable clock frequency and 10 MHz is assumed: durations can then be wrong.</summary>
    public bool IsKnown { get; }

    /// <summary>Nanoseconds since the first event, rounded down.</summary>
    /// <param name="timestamp">A clock value of the trace.</param>
    public long ToNanoseconds(long timestamp)
    {
        long units = unchecked(timestamp - Origin);
        if (_multiplier != 0)
        {
            return unchecked(units * _multiplier);
        }

        (long seconds, long rest) = Math.DivRem(units, Frequency);
        if (rest < 0)
        {
            (seconds, rest) = (seconds - 1, rest + Frequency);
        }

        return unchecked((seconds * NsPerSecond) + (rest * NsPerSecond / Frequency));
    }

    /// <summary>Converts a time of the trace to UTC.</summary>
    /// <param name="timeNs">Nanoseconds since the first event.</param>
    /// <returns>Null when <see cref="StartUtc"/> is null or the sum is not a valid date.</returns>
    public DateTimeOffset? ToUtc(long timeNs)
    {
        if (StartUtc is not { } start)
        {
            return null;
        }

        long ticks = start.Ticks + Math.DivRem(timeNs, 100).Quotient;
        return ticks >= 0 && ticks <= DateTimeOffset.MaxValue.Ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;
    }

    /// <summary>The clock that a log file header describes.</summary>
    /// <param name="header">The log file header; null when there is none.</param>
    /// <param name="origin">Clock value of the first event.</param>
    internal static EtlClock Of(EtlLogHeader? header, long origin)
    {
        if (header is null)
        {
            return new EtlClock(EtlClockKind.PerformanceCounter, TicksPerSecond, origin, null, known: false);
        }

        // Old sessions leave the clock type out: their values are either system times or performance counter values.
        EtlClockKind kind = header.ClockType != 0 ? (EtlClockKind)header.ClockType
            : Math.Abs((decimal)origin - header.StartTime) < TicksPerDay ? EtlClockKind.SystemTime : EtlClockKind.PerformanceCounter;
        long frequency = kind switch
        {
            EtlClockKind.SystemTime => TicksPerSecond,
            EtlClockKind.CycleCounter => header.ProcessorMhz * 1_000_000L,
            _ => header.ClockFrequency,
        };
        bool known = Enum.IsDefined(kind) && frequency is > 0 and <= MaxFrequency;
        DateTimeOffset? start = FileTime(kind == EtlClockKind.SystemTime ? origin : header.StartTime);
        return new EtlClock(known ? kind : EtlClockKind.PerformanceCounter, known ? frequency : TicksPerSecond, origin, start, known);
    }

    /// <summary>A FILETIME as UTC; null when it is 0 or not a valid date.</summary>
    internal static DateTimeOffset? FileTime(long value) =>
        value > 0 && value <= DateTime.MaxValue.ToFileTimeUtc() ? new DateTimeOffset(DateTime.FromFileTimeUtc(value)) : null;
}

/// <summary>The clock of a trace.</summary>
public enum EtlClockKind
{
    /// <summary>Performance counter; its frequency is in the log file header.</summary>
    PerformanceCounter = 1,

    /// <summary>System time in units of 100 ns, with the resolution of the system timer (up to 15.6 ms).</summary>
    SystemTime = 2,

    /// <summary>Cycle counter of the processor, at its nominal frequency.</summary>
    CycleCounter = 3,
}
