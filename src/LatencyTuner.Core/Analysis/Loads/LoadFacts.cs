using LatencyTuner.Core.Analysis.Stalls;
using LatencyTuner.Core.Measurement.Load;
using LatencyTuner.Core.Measurement.Scheduling;

namespace LatencyTuner.Core.Analysis.Loads;

/// <summary>What is known of one direction of the load over all loaded phases.</summary>
internal sealed record LoadFacts
{
    private static readonly bool[] Ways = [true, false];

    /// <summary>True for the direction towards the responder, false for the direction from it.</summary>
    public required bool Up { get; init; }

    /// <summary>Number of connections in each phase.</summary>
    public required int Connections { get; init; }

    /// <summary>Bytes moved in the counted time.</summary>
    public required long Bytes { get; init; }

    /// <summary>The time in which bytes were counted, all phases together.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Bytes per second over tenths of a second, one list for each phase.</summary>
    public IReadOnlyList<IReadOnlyList<double>> BytesPerSecond { get; init; } = [];

    /// <summary>Share (0 to 1) of the connections' time with data outstanding; null where the sender's kernel does not count it.</summary>
    public double? BusyShare { get; init; }

    /// <summary>Share (0 to 1) of the time with data outstanding in which the receive window limited the sender.</summary>
    public double? RwndLimitedShare { get; init; }

    /// <summary>Share (0 to 1) of the time with data outstanding in which the send buffer limited the sender.</summary>
    public double? SndbufLimitedShare { get; init; }

    /// <summary>
    /// Share (0 to 1) of the time in which the congestion window limited the sender, as Windows counts it. Elsewhere the share of the time with
    /// data outstanding that neither the receive window nor the send buffer limited, which is the most that it can be.
    /// </summary>
    public double? CwndLimitedShare { get; init; }

    /// <summary>Segments that the sender retransmitted; null where not counted.</summary>
    public long? RetransmittedSegments { get; init; }

    /// <summary>Bytes that the sender retransmitted; null where not counted.</summary>
    public long? RetransmittedBytes { get; init; }

    /// <summary>Mean smoothed round trip of the load's own connections at the end, µs.</summary>
    public double? RttUs { get; init; }

    /// <summary>Smallest round trip of the load's own connections, µs.</summary>
    public long? MinRttUs { get; init; }

    /// <summary>True when the sender's kernel reported retransmissions, round trips or congestion-window limits of its connections.</summary>
    public bool Counted =>
        (RetransmittedSegments ?? RetransmittedBytes) is not null || (RttUs is not null && MinRttUs is not null) || CwndLimitedShare is not null;

    /// <summary>Processor use of the client's machine, one entry for each phase.</summary>
    public IReadOnlyList<HostUse> Client { get; init; } = [];

    /// <summary>Processor use of the server's machine (reported by the server); phases without a report are left out.</summary>
    public IReadOnlyList<HostUse> Server { get; init; } = [];

    /// <summary>True when both ends are one machine.</summary>
    public bool SameMachine { get; init; }

    /// <summary>True when the load reached <c>--load-limit</c>.</summary>
    public bool BytesSpent { get; init; }

    /// <summary>Number of connections that broke.</summary>
    public int Failed { get; init; }

    /// <summary>Why the first connection broke, a phrase; null when none did or no reason is known.</summary>
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
