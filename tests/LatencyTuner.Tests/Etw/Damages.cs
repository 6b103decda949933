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
        var writer = new EtlWriter { BufferBytes = Buffer, Compressed = compressed, CompressionFormat = format };
        for (var i = 1; i <= Events; i++)
            writer.Add(EtlRecord.Manifest(writer.Origin + i, 0, Provider, (ushort)i, 0, new byte[12]));

        return writer.ToArray();
    }

    private static (List<int> Ids, EtlReader Reader) Read(byte[] trace)
    {
        var (events, reader) = WrittenTraces.ReadAll(trace);
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
        var trace = Trace();
        Put(trace, 3 * Buffer, size);
        var (ids, reader) = Read(trace);

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
        var trace = Trace();
        Put(trace, (3 * Buffer) + 4, valid);
        var (ids, reader) = Read(trace);

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
        var trace = Trace();
        var at = (3 * Buffer) + 0x48 + (2 * 96);
        BinaryPrimitives.WriteUInt16LittleEndian(trace.AsSpan(at), (ushort)size);
        var (ids, reader) = Read(trace);

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
        var trace = Trace();
        var at = (3 * Buffer) + 0x48 + 96;
        (trace[at + 2], trace[at + 3]) = (form, flags);
        var (ids, reader) = Read(trace);

        Assert.Equal(Events - 1, ids.Count);
        Assert.Equal(1, reader.Counts.Damages[kind]);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(8, 9)]
    [InlineData(4_000, 0)]
    public void ExtendedItem_OverrunsItsEvent_OnlyThatEventIsSkipped(ushort total, ushort data)
    {
        var trace = Trace();
        var at = (3 * Buffer) + 0x48 + 96;
        trace[at + 4] = 1;
        BinaryPrimitives.WriteUInt16LittleEndian(trace.AsSpan(at + 0x50), total);
        BinaryPrimitives.WriteUInt16LittleEndian(trace.AsSpan(at + 0x56), data);
        var (ids, reader) = Read(trace);

        Assert.Equal(Events - 1, ids.Count);
        Assert.Equal(1, reader.Counts.Damages[EtlDamageKind.ExtendedItems]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void FileCutAnywhere_ReadsWhatIsBeforeTheCut(bool compressed)
    {
        var trace = Trace(compressed);
        var last = 0;
        for (var length = 1; length < trace.Length; length += 61)
        {
            try
            {
                var (ids, reader) = Read(trace[..length]);
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
        var trace = Trace(compressed: true);
        var second = (int)BinaryPrimitives.ReadUInt32LittleEndian(trace);
        trace.AsSpan(second + 0x48 + 40, 30).Fill(0xFF);
        var (ids, reader) = Read(trace);

        Assert.InRange(ids.Count, Events - 9, Events - 1);
        Assert.Equal(Events, ids[^1]);
        Assert.NotEmpty(reader.Counts.Damages);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(4)]
    public void OtherCompression_IsRefusedWithCount(ushort format)
    {
        var (ids, reader) = Read(Trace(compressed: true, format));

        Assert.Empty(ids);
        Assert.Equal(reader.Counts.CompressedBuffers, reader.Counts.Damages[EtlDamageKind.Compression]);
        Assert.Contains(reader.Counts.Located, d => d.Detail.Contains($"compression format {format} ", StringComparison.Ordinal));
    }

    [Fact]
    public void FirstBufferIsLost_EventsAreReadAndTheClockIsDoubted()
    {
        var (ids, reader) = Read(Trace()[Buffer..]);

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
        var writer = new EtlWriter { Frequency = frequency };
        var (_, reader) = Read(writer.Add(EtlRecord.Manifest(writer.Origin + long.MaxValue / 2, 0, Provider, 1, 0, [])).ToArray());

        Assert.False(reader.Clock.IsKnown);
    }

    [Theory]
    [InlineData("", "the file is empty")]
    [InlineData("Nettrace and more", "a .nettrace file")]
    [InlineData("\u0014\0\0\0!FastSerialization.1", "an .etlx file")]
    [InlineData("just text, and long enough to hold what could be a header of a buffer, were it one", "no event trace")]
    public void NotATrace_IsRefused(string text, string expected)
    {
        var failure = Assert.Throws<ExpectedFailureException>(() => EtlReader.Open(text.Select(c => (byte)c).ToArray(), "x.etl"));

        Assert.Equal(ExitCode.Input, failure.Code);
        Assert.StartsWith("x.etl: ", failure.Message, StringComparison.Ordinal);
        Assert.Contains(expected, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Packed_ByZipOrGzip_IsRead()
    {
        using var folder = new TempFolder();
        var zip = Path.Combine(folder.Path, "a.zip");
        File.WriteAllBytes(zip, Zip(("notes.txt", [1]), ("a.etl", Trace())));
        using var gzip = new MemoryStream();
        using (var stream = new GZipStream(gzip, CompressionLevel.Fastest, leaveOpen: true))
            stream.Write(Trace());

        using var reader = EtlReader.Open(zip);
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
        var failure = Assert.Throws<ExpectedFailureException>(() => EtlReader.Open("/nowhere/at/all.etl"));

        Assert.Equal(ExitCode.Input, failure.Code);
    }

    private static string Refusal(byte[] bytes, EtlReaderOptions? options = null)
    {
        var failure = Assert.Throws<ExpectedFailureException>(() => EtlReader.Open(bytes, "x.zip", options));
        Assert.Equal(ExitCode.Input, failure.Code);
        return failure.Message;
    }

    private static byte[] Zip(params (string Name, byte[] Bytes)[] members)
    {
        using var stream = new MemoryStream();
        using (var archive = new ZipArchive(stream, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (var (name, bytes) in members)
            {
                using var member = archive.CreateEntry(name).Open();
                member.Write(bytes);
            }
        }

        return stream.ToArray();
    }
}
