using System.Buffers.Binary;
using System.IO.Compression;
using LatencyTuner.Core;
using LatencyTuner.Core.Etw;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>Traces that are damaged or hostile: what is lost is counted, and what is behind it is read.</summary>
public sealed class Damages
{
    private const int Buffer = 1_024;
    private const int Events = 200;

    private static readonly Guid Provider = new("11111111-2222-3333-4444-555555555555");

    private static byte[] Trace(bool compressed = false, ushort format = 3)
    {
        EtlWriter writer = new() { BufferBytes = Buffer, Compressed = compressed, CompressionFormat = format };
        for (int i = 1; i <= Events; i++)
        {
            writer.Add(EtlRecord.Manifest(writer.Origin + i, 0, Provider, (ushort)i, 0, new byte[12]));
        }

        return writer.ToArray();
    }

    private static (List<int> Ids, EtlReader Reader) Read(byte[] trace)
    {
        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = WrittenTraces.ReadAll(trace);
        return ([.. events.Where(e => e.Header.Provider == Provider).Select(e => (int)e.Header.Id)], reader);
    }

    private static void Put(byte[] trace, int at, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(trace.AsSpan(at), value);

    [Theory]
    [InlineData(0u)]
    [InlineData(16u)]
    [InlineData(uint.MaxValue)]
    [InlineData(1_000_000u)]
    [InlineData(1_032u)]
    public void SizeOfABuffer_CannotBe_NextBufferIsFound(uint size)
    {
        byte[] trace = Trace();
        Put(trace, 3 * Buffer, size);
        (List<int>? ids, EtlReader? reader) = Read(trace);

        // Nine events of 96 bytes fit into a buffer; at most the damaged one is lost.
        Assert.InRange(ids.Count, Events - 9, Events);
        Assert.Equal(Events, ids[^1]);
        Assert.NotEmpty(reader.Counts.Damages);
        Assert.Contains(reader.Counts.Located, d => d.Offset >= 3 * Buffer && d.Offset <= (4 * Buffer) + 8);
    }

    [Theory]
    [InlineData(uint.MaxValue)]
    [InlineData(2_000u)]
    [InlineData(8u)]
    public void ValidLengthOfABuffer_CannotBe_OnlyThatBufferIsLost(uint valid)
    {
        byte[] trace = Trace();
        Put(trace, (3 * Buffer) + 4, valid);
        (List<int>? ids, EtlReader? reader) = Read(trace);

        Assert.Equal(Events - 9, ids.Count);
        Assert.Equal(1, reader.Counts.Damages[EtlDamageKind.BufferHeader]);
        Assert.Equal(3 * Buffer, Assert.Single(reader.Counts.Located).Offset);
        Assert.Equal(Buffer, reader.Counts.SkippedBytes);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(7)]
    [InlineData(0x4F)]
    [InlineData(0xFFFF)]
    public void SizeOfAnEvent_CannotBe_RestOfItsBufferIsLost(int size)
    {
        byte[] trace = Trace();
        int at = (3 * Buffer) + 0x48 + (2 * 96);
        BinaryPrimitives.WriteUInt16LittleEndian(trace.AsSpan(at), (ushort)size);
        (List<int>? ids, EtlReader? reader) = Read(trace);

        Assert.Equal(Events - 7, ids.Count);
        Assert.Equal(1, reader.Counts.Damages[EtlDamageKind.EventSize]);
        Assert.Equal(at, Assert.Single(reader.Counts.Located).Offset);
    }

    [Theory]
    [InlineData(0x77, 0xC0, EtlDamageKind.EventForm)]
    [InlineData(0x0E, 0xC0, EtlDamageKind.EventForm)]
    [InlineData(0x13, 0x90, EtlDamageKind.Message)]
    public void FormOfAnEvent_IsNotKnown_OnlyThatEventIsSkipped(byte form, byte flags, EtlDamageKind kind)
    {
        byte[] trace = Trace();
        int at = (3 * Buffer) + 0x48 + 96;
        (trace[at + 2], trace[at + 3]) = (form, flags);
        (List<int>? ids, EtlReader? reader) = Read(trace);

        Assert.Equal(Events - 1, ids.Count);
        Assert.Equal(1, reader.Counts.Damages[kind]);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(8, 9)]
    [InlineData(4_000, 0)]
    public void ExtendedItem_OverrunsItsEvent_OnlyThatEventIsSkipped(ushort total, ushort data)
    {
        byte[] trace = Trace();
        int at = (3 * Buffer) + 0x48 + 96;
        trace[at + 4] = 1;
        BinaryPrimitives.WriteUInt16LittleEndian(trace.AsSpan(at + 0x50), total);
        BinaryPrimitives.WriteUInt16LittleEndian(trace.AsSpan(at + 0x56), data);
        (List<int>? ids, EtlReader? reader) = Read(trace);

        Assert.Equal(Events - 1, ids.Count);
        Assert.Equal(1, reader.Counts.Damages[EtlDamageKind.ExtendedItems]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void FileCutAnywhere_ReadsWhatIsBeforeTheCut(bool compressed)
    {
        byte[] trace = Trace(compressed);
        int last = 0;
        for (int length = 1; length < trace.Length; length += 61)
        {
            try
            {
                (List<int>? ids, EtlReader? reader) = Read(trace[..length]);
                Assert.Equal(Enumerable.Range(1, ids.Count), ids);
                Assert.True(ids.Count >= last, $"{ids.Count} events of {length} bytes, {last} of fewer");
                Assert.False(reader.Counts.IsComplete);
                last = ids.Count;
            }
            catch (ExpectedFailureException failure)
            {
                Assert.Equal(ExitCode.Input, failure.Code);
                Assert.True(length <= Buffer, failure.Message);
            }
        }

        Assert.True(last > Events - 10);
    }

    [Fact]
    public void CompressedDataIsDamaged_OtherBuffersAreRead()
    {
        byte[] trace = Trace(compressed: true);
        int second = (int)BinaryPrimitives.ReadUInt32LittleEndian(trace);
        trace.AsSpan(second + 0x48 + 40, 30).Fill(0xFF);
        (List<int>? ids, EtlReader? reader) = Read(trace);

        Assert.InRange(ids.Count, Events - 9, Events - 1);
        Assert.Equal(Events, ids[^1]);
        Assert.NotEmpty(reader.Counts.Damages);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(4)]
    public void OtherCompression_IsRefusedWithCount(ushort format)
    {
        (List<int>? ids, EtlReader? reader) = Read(Trace(compressed: true, format));

        Assert.Empty(ids);
        Assert.Equal(reader.Counts.CompressedBuffers, reader.Counts.Damages[EtlDamageKind.Compression]);
        Assert.Contains(reader.Counts.Located, d => d.Detail.Contains($"compression format {format} ", StringComparison.Ordinal));
    }

    [Fact]
    public void FirstBufferIsLost_EventsAreReadAndTheClockIsDoubted()
    {
        (List<int>? ids, EtlReader? reader) = Read(Trace()[Buffer..]);

        Assert.Equal(Events, ids.Count);
        Assert.Null(reader.LogHeader);
        Assert.False(reader.Clock.IsKnown);
        Assert.Null(reader.Clock.StartUtc);
        Assert.Equal(5_000_000_001, reader.Clock.Origin);
        Assert.Equal(1, reader.Counts.Damages[EtlDamageKind.LogHeader]);
    }

    [Theory]
    [InlineData(0L)]
    [InlineData(-5L)]
    [InlineData(long.MaxValue)]
    public void FrequencyCannotBe_TheClockIsDoubted(long frequency)
    {
        EtlWriter writer = new() { Frequency = frequency };
        (List<int> _, EtlReader? reader) = Read(writer.Add(EtlRecord.Manifest(writer.Origin + long.MaxValue / 2, 0, Provider, 1, 0, [])).ToArray());

        Assert.False(reader.Clock.IsKnown);
    }

    [Theory]
    [InlineData("", "the file is empty")]
    [InlineData("Nettrace and more", "a .nettrace file")]
    [InlineData("\u0014\0\0\0!FastSerialization.1", "an .etlx file")]
    [InlineData("just text, and long enough to hold what could be a header of a buffer, were it one", "not an event trace")]
    public void NotATrace_IsRefused(string text, string expected)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => EtlReader.Open(text.Select(c => (byte)c).ToArray(), "x.etl"));

        Assert.Equal(ExitCode.Input, failure.Code);
        Assert.StartsWith("x.etl: ", failure.Message, StringComparison.Ordinal);
        Assert.Contains(expected, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Packed_ByZipOrGzip_IsRead()
    {
        using TempFolder folder = new();
        string zip = Path.Combine(folder.Path, "a.zip");
        File.WriteAllBytes(zip, Zip(("notes.txt", [1]), ("a.etl", Trace())));
        using MemoryStream gzip = new();
        using (GZipStream stream = new(gzip, CompressionLevel.Fastest, leaveOpen: true))
        {
            stream.Write(Trace());
        }

        using EtlReader reader = EtlReader.Open(zip);
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) => { });
        Assert.Equal(Events + 1, reader.Counts.Events);
        Assert.Equal(Events, Read(gzip.ToArray()).Ids.Count);
    }

    [Fact]
    public void Packed_WithNoneOrSeveral_OrTooLarge_IsRefused()
    {
        Assert.Contains("holds no .etl", Refusal(Zip(("a.txt", [1]))), StringComparison.Ordinal);
        Assert.Contains("\"a.etl\" and \"b.etl\"", Refusal(Zip(("a.etl", Trace()), ("b.etl", Trace()))), StringComparison.Ordinal);
        Assert.Contains("more than 1000 bytes", Refusal(Zip(("a.etl", Trace())), new EtlReaderOptions { MaxUnpackedBytes = 1_000 }), StringComparison.Ordinal);
        Assert.Contains("cannot be unpacked", Refusal(Zip(("a.etl", Trace()))[..300]), StringComparison.Ordinal);
    }

    [Fact]
    public void MissingFile_IsRefused()
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => EtlReader.Open("/nowhere/at/all.etl"));

        Assert.Equal(ExitCode.Input, failure.Code);
    }

    private static string Refusal(byte[] bytes, EtlReaderOptions? options = null)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => EtlReader.Open(bytes, "x.zip", options));
        Assert.Equal(ExitCode.Input, failure.Code);
        return failure.Message;
    }

    private static byte[] Zip(params (string Name, byte[] Bytes)[] members)
    {
        using MemoryStream stream = new();
        using (ZipArchive archive = new(stream, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach ((string? name, byte[]? bytes) in members)
            {
                using Stream member = archive.CreateEntry(name).Open();
                member.Write(bytes);
            }
        }

        return stream.ToArray();
    }
}
