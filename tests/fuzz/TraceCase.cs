using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;

namespace LatencyTuner.Fuzz;

/// <summary>Reads one trace to its end and holds what came out against what must hold for any input.</summary>
internal static class TraceCase
{
    /// <summary>The smallest event takes 16 bytes after rounding.</summary>
    private const int SmallestEvent = 16;

    /// <summary>What a packed trace may become.</summary>
    private const int MostUnpacked = 1 << 20;

    /// <summary>Runs one input.</summary>
    /// <param name="bytes">The file.</param>
    /// <param name="analyse">True to go on to the findings, as the command does.</param>
    /// <exception cref="InvalidOperationException">Something that must hold does not.</exception>
    public static FuzzOutcome Run(byte[] bytes, bool analyse)
    {
        try
        {
            return analyse ? Analyse(bytes) : Read(bytes);
        }
        catch (ExpectedFailureException failure)
        {
            return failure.Code == ExitCode.Input && FuzzCase.IsSentence(failure.Message) ? new FuzzOutcome(true, false, 0, 0)
                : throw new InvalidOperationException($"refused with {failure.Code}: {failure.Message}");
        }
    }

    private static FuzzOutcome Read(byte[] bytes)
    {
        using EtlReader reader =
            EtlReader.Open(bytes, "fuzz.etl", new EtlReaderOptions { Threads = bytes.Length % 16 == 0 ? 2 : 1, MaxUnpackedBytes = MostUnpacked });
        TcpEventDecoder decoder = new(reader.ReadLayouts());
        TracePacketReader packets = new();
        long decoded = 0;
        long taken = 0;
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            if (packets.TryTake(in header, payload, out TracePacket packet))
            {
                taken += packet.OriginalLength >= packet.Data.Length ? 1
                    : throw new InvalidOperationException($"{packet.Data.Length} of {packet.OriginalLength} bytes");
            }
            else if (decoder.TryDecode(in header, payload, out TcpEvent _, out EtwPayload fields))
            {
                decoded++;
                fields.TryGetText("Injected", out _);
            }
        });
        EtlCounts counts = reader.Counts;
        bool sound = counts.Events <= counts.DecodedBytes / SmallestEvent && decoder.Counts.Decoded == decoded && counts.SkippedBytes >= 0
            && counts.SkippedBytes <= counts.FileBytes
            && counts.Located.All(d => d.Offset >= 0 && d.Offset <= counts.FileBytes && FuzzCase.IsSentence(d.Detail));
        return sound ? new FuzzOutcome(false, counts.Damages.Count > 0, taken, decoded)
            : throw new InvalidOperationException(
                $"{counts.Events} events in {counts.DecodedBytes} bytes, {counts.SkippedBytes} of {counts.FileBytes} skipped: "
                + $"{string.Join("; ", counts.Located)}");
    }

    private static FuzzOutcome Analyse(byte[] bytes)
    {
        RecordingInput input = new("fuzz.etl", () => new MemoryStream(bytes, writable: false));
        RecordingResult result = RecordingAnalysis.Run([input], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None);
        RecordingFileFacts file = result.Files[0];
        bool sound = result.Findings.All(f => f.CostMs is null or >= 0 && f.Count >= 0 && f.For.All(FuzzCase.IsSentence)) && file.Segments <= file.Packets;
        return sound ? new FuzzOutcome(false, file.Damage is not null, file.Packets, file.Segments)
            : throw new InvalidOperationException(
                $"findings that make no sense: {string.Join("; ", result.Findings.Select(f => $"{f.Id} {f.Count} {f.CostMs}"))}");
    }
}
