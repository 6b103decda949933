namespace LatencyTuner.Core.Capture;

/// <summary>Turns the ticks of an interface into nanoseconds since 1970, as if_tsresol and if_tsoffset of pcapng define them.</summary>
internal readonly struct CaptureClock
{
    /// <summary>The value of if_tsresol when the option is absent: microseconds.</summary>
    public const byte Microseconds = 6;

    /// <summary>Latest time in nanoseconds, in the year 2116; its negative is the earliest. The difference of any two times fits in 64 bits.</summary>
    public const long Latest = long.MaxValue / 2;

    private const ulong PerSecond = 1_000_000_000;
    private const byte PowerOfTwo = 0x80;

    // Up to this number of ticks, ticks times the factor fit in 64 bits; 0 where a step is shorter than a nanosecond or a power of two.
    private readonly ulong _limit;
    private readonly ulong _factor;
    private readonly long _offsetNs;
    private readonly byte _resolution;

    /// <summary>Creates the clock.</summary>
    /// <param name="resolution">The value of if_tsresol: a negative power of ten, or of two with the upper bit set.</param>
    /// <param name="offsetSeconds">The value of if_tsoffset.</param>
    public CaptureClock(byte resolution, long offsetSeconds)
    {
        _resolution = resolution;
        _factor = resolution <= 9 ? (ulong)Power(9 - resolution) : 0;
        _limit = _factor == 0 ? 0 : Latest / _factor;
        _offsetNs = Saturate((Int128)offsetSeconds * PerSecond);
    }

    /// <summary>Smallest step in nanoseconds, rounded up, at least 1.</summary>
    public long StepNs
    {
        get
        {
            int exponent = _resolution & ~PowerOfTwo;
            return (_resolution & PowerOfTwo) == 0
                ? exponent <= 9 ? (long)Power(9 - exponent) : 1
                : exponent <= 30 ? (long)((PerSecond + (1UL << exponent) - 1) >> exponent) : 1;
        }
    }

    /// <summary>The time in nanoseconds, rounded down; <see cref="Latest"/> or its negative where it is out of range.</summary>
    public long TimeNs(ulong ticks)
    {
        return ticks > _limit ? Saturate(Wide(ticks) + _offsetNs)
            : _offsetNs == 0 ? (long)(ticks * _factor)
            : Saturate((Int128)(ticks * _factor) + _offsetNs);
    }

    private Int128 Wide(ulong ticks)
    {
        int exponent = _resolution & ~PowerOfTwo;
        UInt128 scaled = (UInt128)ticks * PerSecond;
        return (Int128)((_resolution & PowerOfTwo) != 0 ? scaled >> exponent
            : exponent < 30 ? scaled / Power(exponent)
            : UInt128.Zero);
    }

    private static UInt128 Power(int exponent)
    {
        UInt128 power = 1;
        for (; exponent > 0; exponent--)
        {
            power *= 10;
        }

        return power;
    }

    private static long Saturate(Int128 value) => (long)Int128.Clamp(value, -Latest, Latest);
}
