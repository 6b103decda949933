using System.Text.Json;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>
/// One round of one point as a state file keeps it. Histograms are HdrHistogram V2, compressed, in Base64, together with the values that this encoding loses.
/// </summary>
internal sealed record SweepRecord(
    int Cell, int Round, SweepHistogram Response, SweepHistogram? Lateness, IReadOnlyList<SweepBlock> Blocks, long ElapsedTicks, long? Planned,
    long Exchanges, long SendNs, long LongestSendNs,
    long StreamBytes, long StreamTimeTicks, string? ResponderSoftware, string? ResponderOs, EndState? Local, EndState? Peer,
    IReadOnlyList<KernelCounters> LocalCounters, IReadOnlyList<KernelCounters> PeerCounters, StreamFigures? Streams = null, long DrainTicks = 0,
    bool Quiet = true)
{
    internal static string Write(int cell, int round, SweepRound measured)
    {
        SweepRecord record = new(
            cell, round, SweepHistogram.Of(measured.Response), measured.Lateness is { } late ? SweepHistogram.Of(late) : null,
            [.. measured.Blocks.Select(b => new SweepBlock(SweepHistogram.Of(b.Times), b.LengthNs))], measured.Elapsed.Ticks, measured.Planned,
            measured.Exchanges, measured.SendNs, measured.LongestSendNs,
            measured.StreamBytes, measured.StreamTime.Ticks, measured.ResponderSoftware, measured.ResponderOs, measured.LocalState, measured.PeerState,
            Flat(measured.LocalCounters), Flat(measured.PeerCounters), measured.Streams, measured.Drain.Ticks, measured.Quiet);
        return JsonSerializer.Serialize(record, SweepJsonContext.Default.SweepRecord);
    }

    /// <summary>Null for a line that is not what <see cref="Write"/> writes.</summary>
    internal static (int Cell, int Round, SweepRound Measured)? Read(string text)
    {
        try
        {
            return JsonSerializer.Deserialize(text, SweepJsonContext.Default.SweepRecord) is
            { Response: not null, Blocks: not null, LocalCounters: not null, PeerCounters: not null, ElapsedTicks: >= 0, StreamTimeTicks: >= 0 } record
                && record.Blocks.All(b => b?.Times is not null)
                ? (record.Cell, record.Round, record.Measured())
                : null;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or FormatException or ArgumentException or ExpectedFailureException
            or OverflowException)
        {
            return null;
        }
    }

    private SweepRound Measured() => new()
    {
        Response = Response.Histogram(),
        Lateness = Lateness?.Histogram(),
        Blocks = [.. Blocks.Select(b => (b.Times.Histogram(), Math.Max(b.LengthNs, 0)))],
        Elapsed = TimeSpan.FromTicks(ElapsedTicks),
        Planned = Planned,
        Exchanges = Exchanges,
        SendNs = SendNs,
        LongestSendNs = LongestSendNs,
        StreamBytes = StreamBytes,
        StreamTime = TimeSpan.FromTicks(StreamTimeTicks),
        Streams = Streams,
        Drain = TimeSpan.FromTicks(Math.Max(DrainTicks, 0)),
        Quiet = Quiet,
        ResponderSoftware = ResponderSoftware,
        ResponderOs = ResponderOs,
        LocalState = Local,
        PeerState = Peer,
        LocalCounters = Pairs(LocalCounters),
        PeerCounters = Pairs(PeerCounters),
    };

    private static List<KernelCounters> Flat(IReadOnlyList<(KernelCounters Start, KernelCounters End)> pairs) =>
        [.. pairs.SelectMany(p => new[] { p.Start, p.End })];

    private static List<(KernelCounters Start, KernelCounters End)> Pairs(IReadOnlyList<KernelCounters> flat) =>
        [.. flat.Chunk(2).Where(p => p.Length == 2).Select(p => (p[0], p[1]))];
}

/// <summary>A time block of a stored round.</summary>
internal sealed record SweepBlock(SweepHistogram Times, long LengthNs);

/// <summary>The JSON settings of state files: absent values are omitted.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(SweepRecord))]
[JsonSerializable(typeof(IReadOnlyList<SweepCell>))]
internal sealed partial class SweepJsonContext : JsonSerializerContext;
