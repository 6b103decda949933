using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Measurement.Load;
using LatencyTuner.Core.Measurement.Scheduling;

namespace LatencyTuner.Core.Analysis.Loads;

/// <summary>What is known of one direction of the load over all loaded phases.</summary>
internal sealed record LoadFacts
{
    private static readonly bool[] Ways = [true, false];

    /// <summary>True: towards the responder.</summary>
    public required bool Up { get; init; }

    /// <summary>Connections in each phase.</summary>
    public required int Connections { get; init; }

    /// <summary>Bytes moved in the counted time.</summary>
    public required long Bytes { get; init; }

    /// <summary>The counted time.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Bytes per second over tenths of a second, one list for each phase.</summary>
    public IReadOnlyList<IReadOnlyList<double>> BytesPerSecond { get; init; } = [];

    /// <summary>Share (0 to 1) of the connections' time with data outstanding; null where the sender's kernel does not count it.</summary>
    public double? BusyShare { get; init; }

    /// <summary>Share of the time with data outstanding that the receiver's window limited.</summary>
    public double? RwndLimitedShare { get; init; }

    /// <summary>Share of it that the send buffer limited.</summary>
    public double? SndbufLimitedShare { get; init; }

    /// <summary>Share of it that neither limited: at most the congestion window, which is the path; of it as Windows counts it.</summary>
    public double? CwndLimitedShare { get; init; }

    /// <summary>Segments that the sender sent again; null where not counted.</summary>
    public long? RetransmittedSegments { get; init; }

    /// <summary>Bytes that the sender sent again; null where not counted.</summary>
    public long? RetransmittedBytes { get; init; }

    /// <summary>Mean smoothed round trip of the load's own connections at the end, µs.</summary>
    public double? RttUs { get; init; }

    /// <summary>Their smallest, µs.</summary>
    public long? MinRttUs { get; init; }

    /// <summary>True when the sender's kernel told something of its connections' losses or round trips.</summary>
    public bool Counted =>
        (RetransmittedSegments ?? RetransmittedBytes) is not null || (RttUs is not null && MinRttUs is not null) || CwndLimitedShare is not null;

    /// <summary>What the client's machine did, one entry for each phase.</summary>
    public IReadOnlyList<HostUse> Client { get; init; } = [];

    /// <summary>What the server says its machine did; phases of which it says nothing are left out.</summary>
    public IReadOnlyList<HostUse> Server { get; init; } = [];

    /// <summary>True when both ends are one machine.</summary>
    public bool SameMachine { get; init; }

    /// <summary>True when the allowed bytes were spent.</summary>
    public bool BytesSpent { get; init; }

    /// <summary>Connections that broke.</summary>
    public int Failed { get; init; }

    /// <summary>Why the first of them did, a phrase.</summary>
    public string? Failure { get; init; }

    /// <summary>Bytes per second over the counted time.</summary>
    public double Throughput => Elapsed > TimeSpan.Zero ? Bytes / Elapsed.TotalSeconds : 0;

    /// <summary>The facts of each direction of a result.</summary>
    /// <param name="result">What was measured.</param>
    public static IReadOnlyList<LoadFacts> From(UnderLoadResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        LoadPhase[] loaded = [.. result.Phases.Where(p => p.Load.Count > 0)];
        return [.. Ways.Where(up => loaded.Any(p => p.Load.Any(s => s.Up == up))).Select(up => Of(result, loaded, up))];
    }

    private static LoadFacts Of(UnderLoadResult result, LoadPhase[] loaded, bool up)
    {
        LoadSide[] sides = [.. loaded.SelectMany(p => p.Load).Where(s => s.Up == up)];
        EndCounters? sender = EndCounters.From([.. sides.SelectMany(s => s.Sender)]);
        double connectionUs = sides.Sum(s => s.SenderElapsed.TotalMicroseconds * s.Sender.Count);
        double? OfBusy(long? us) => sender?.BusyUs is > 0 and { } busy && us is { } limited ? Math.Clamp((double)limited / busy, 0, 1) : null;
        return new LoadFacts
        {
            Up = up,
            Connections = sides.Max(s => s.Connections),
            Bytes = sides.Sum(s => s.Bytes),
            Elapsed = TimeSpan.FromTicks(sides.Sum(s => s.Elapsed.Ticks)),
            BytesPerSecond = [.. sides.Select(s => s.BytesPerSecond)],
            BusyShare = sender?.BusyUs is { } all && connectionUs > 0 ? Math.Clamp(all / connectionUs, 0, 1) : null,
            RwndLimitedShare = OfBusy(sender?.RwndLimitedUs) ?? OfTime(sender?.RwndLimitedUs, connectionUs),
            SndbufLimitedShare = OfBusy(sender?.SndbufLimitedUs),
            CwndLimitedShare = OfTime(sender?.CwndLimitedUs, connectionUs)
                ?? (sender is { BusyUs: { } b, RwndLimitedUs: { } r, SndbufLimitedUs: { } s } ? OfBusy(Math.Max(b - r - s, 0)) : null),
            RetransmittedSegments = sender?.RetransmittedSegments,
            RetransmittedBytes = sender?.RetransmittedBytes,
            RttUs = sender?.RttUs,
            MinRttUs = sender?.MinRttUs,
            Client = [.. loaded.Select(p => p.Client)],
            Server =
                [.. sides.Select(s => s.Server ?? loaded.First(p => p.Load.Contains(s)).Load.Select(o => o.Server).FirstOrDefault(h => h is not null))
                    .OfType<HostUse>()],
            SameMachine = result.SameMachine,
            BytesSpent = result.BytesSpent,
            Failed = sides.Sum(s => s.Failed),
            Failure = sides.Select(s => s.Failure).FirstOrDefault(f => f is not null),
        };
    }

    private static double? OfTime(long? us, double connectionUs) => us is { } limited && connectionUs > 0 ? Math.Clamp(limited / connectionUs, 0, 1) : null;
}
