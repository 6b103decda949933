namespace LatencyTuner.Core.Etw;

/// <summary>Turns the clock values of a trace into nanoseconds since its first event, and those into UTC.</summary>
/// <remarks>Kinds other than the performance counter rest on the description of the format; no real trace with them was at hand.</remarks>
public sealed class EtlClock
{
    private const long NsPerSecond = 1_000_000_000;
    private const long TicksPerSecond = 10_000_000;
    private const long TicksPerDay = 86_400 * TicksPerSecond;

    /// <summary>Above this the remainder of a second times 10^9 would not fit into 63 bits.</summary>
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

    /// <summary>When the first event was written; null when the log file header is missing or says nothing usable.</summary>
    public DateTimeOffset? StartUtc { get; }

    /// <summary>False when the log file header does not say how the clock runs and 10 MHz were assumed: durations are then doubtful.</summary>
    public bool IsKnown { get; }

    /// <summary>Nanoseconds since the first event, rounded down.</summary>
    /// <param name="timestamp">A clock value of the trace.</param>
    public long ToNs(long timestamp)
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

    /// <summary>UTC of a time of the trace.</summary>
    /// <param name="timeNs">Nanoseconds since the first event.</param>
    /// <returns>Null when <see cref="StartUtc"/> is, or the sum is no date.</returns>
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

        // Old sessions leave the kind out: their times are dates, or else they count.
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

    /// <summary>A FILETIME as UTC; null when it is 0 or no date.</summary>
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
