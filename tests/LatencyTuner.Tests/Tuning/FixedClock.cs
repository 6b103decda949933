namespace LatencyTuner.Tests.Tuning;

/// <summary>A clock that stands until it is moved.</summary>
public sealed class FixedClock : TimeProvider
{
    internal static readonly DateTimeOffset Start = new(2026, 11, 20, 3, 4, 5, TimeSpan.Zero);

    internal DateTimeOffset Now { get; set; } = Start;

    public override DateTimeOffset GetUtcNow() => Now;
}
