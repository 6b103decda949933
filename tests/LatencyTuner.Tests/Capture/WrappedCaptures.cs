using System.IO.Compression;
using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Fuzz;
using LatencyTuner.Tests.Commands;
using Xunit;
using static LatencyTuner.Fuzz.Datagrams;

namespace LatencyTuner.Tests.Capture;

/// <summary>Captures in gzip and zip, on pipes and in files.</summary>
public sealed class WrappedCaptures
{
    private const int Frames = 500;

    private static readonly byte[] Plain = Capture();

    private static byte[] Capture()
    {
        CaptureBytes file = new CaptureBytes().PcapHeader();
        byte[] payload = new byte[Payload];
        for (int i = 0; i < Frames; i++)
        {
            byte[] frame = Ethernet(0x0800, V4(Tcp()));
            new Random(i).NextBytes(payload);
            payload.CopyTo(frame, frame.Length - payload.Length);
            file.Record(frame, fraction: (uint)i);
        }

        return file.ToArray();
    }

    private static byte[] Gzip(byte[] bytes)
    {
        MemoryStream stream = new();
        using (GZipStream gzip = new(stream, CompressionLevel.Fastest))
        {
            gzip.Write(bytes);
        }

        return stream.ToArray();
    }

    private static byte[] Zip(params (string Name, byte[] Content)[] files) => Zip(CompressionLevel.Optimal, files);

    private static byte[] Zip(CompressionLevel level, params (string Name, byte[] Content)[] files)
    {
        MemoryStream stream = new();
        using (ZipArchive zip = new(stream, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach ((string name, byte[] content) in files)
            {
                using Stream entry = zip.CreateEntry(name, level).Open();
                entry.Write(content);
            }
        }

        return stream.ToArray();
    }

    private static void AssertWhole(byte[] file, string kind)
    {
        DecodedCapture read = DecodedCapture.Read(file);
        Assert.Equal((Frames, kind, null), (read.Segments.Count, read.Kind, read.Damage?.Reason));
    }

    private static string Refused(byte[] file)
    {
        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(() => DecodedCapture.Read(file));
        Assert.Equal(ExitCode.Input, e.Code);
        return e.Message;
    }

    [Fact]
    public void Gzip_OneMember_Whole() => AssertWhole(Gzip(Plain), "pcap in gzip");

    [Fact]
    public void Gzip_ManyMembers_Whole() => AssertWhole([.. Plain.Chunk(997).SelectMany(Gzip)], "pcap in gzip");

    [Fact]
    public void Gzip_NameCommentExtraAndHeaderChecksum_Skipped()
    {
        byte[] gzip = Gzip(Plain);
        byte[] header = [.. gzip[..10], 3, 0, 9, 9, 9, .. "x.pcap\0a comment\0"u8, 0, 0];
        header[3] = 4 | 8 | 16 | 2;

        AssertWhole([.. header, .. gzip[10..]], "pcap in gzip");
    }

    [Fact]
    public void Gzip_PaddedWithZeros_Whole() => AssertWhole([.. Gzip(Plain), .. new byte[600]], "pcap in gzip");

    [Fact]
    public void Gzip_CutAnywhere_DamageAndWhatCameBefore()
    {
        byte[] two = [.. Gzip(Plain[..30_000]), .. Gzip(Plain[30_000..])];
        int most = 0;
        for (int length = 1500; length < two.Length; length += length < two.Length - 150 ? 97 : 1)
        {
            DecodedCapture read = DecodedCapture.Read(two[..length]);
            Assert.True(read.Damage is not null, $"a cut at {length} of {two.Length} bytes was not seen");
            Assert.True(read.Frames >= most);
            most = (int)read.Frames;
        }

        Assert.Equal(Frames, most);
    }

    [Fact]
    public void Gzip_CutBetweenFrames_SeenAllTheSame()
    {
        // The decompressed bytes end with a whole frame; only the compressed ones tell.
        byte[] stored = Zip(CompressionLevel.NoCompression, ("x", Plain));
        byte[] gzip = Gzip(Plain);

        DecodedCapture read = DecodedCapture.Read(gzip[..^8]);

        Assert.Equal(Frames, read.Frames);
        Assert.Contains("checksum", read.Damage!.Reason, StringComparison.Ordinal);
        AssertWhole(stored, "pcap in zip");
    }

    [Fact]
    public void Gzip_OtherChecksum_Damage()
    {
        byte[] gzip = Gzip(Plain);
        gzip[^8] ^= 1;

        Assert.Contains("checksum", DecodedCapture.Read([.. gzip, .. new byte[20]]).Damage!.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Gzip_SpoiledData_DamageAndWhatCameBefore()
    {
        byte[] gzip = Gzip(Plain);
        gzip.AsSpan(gzip.Length / 2, 40).Fill(0xFF);

        DecodedCapture read = DecodedCapture.Read(gzip);

        Assert.NotNull(read.Damage);
        Assert.InRange(read.Frames, 1, Frames);
    }

    [Fact]
    public void Gzip_OfSomethingElse_OneSentence() =>
    Assert.Contains("begins with the bytes 68656C6C", Refused(Gzip("hello"u8.ToArray())), StringComparison.Ordinal);

    [Fact]
    public void Zip_OneCapture_OthersIgnored()
    {
        AssertWhole(Zip(("a/readme.txt", "hello"u8.ToArray()), ("empty", []), ("a/trace.dat", Plain), ("b/", [])), "pcap in zip");
        AssertWhole(Zip(("trace.gz", Gzip(Plain))), "pcap in gzip in zip");
    }

    [Fact]
    public void Zip_NoneOrSeveral_OneSentence()
    {
        Assert.Contains("Files: 1, captures: 0", Refused(Zip(("x.pcap", "hello"u8.ToArray()))), StringComparison.Ordinal);
        Assert.Contains("Files: 3, captures: 2", Refused(Zip(("x", Plain), ("y", Gzip(Plain)), ("z", [1]))), StringComparison.Ordinal);
        Assert.Contains("Files: 0, captures: 0", Refused(Zip()), StringComparison.Ordinal);
    }

    [Fact]
    public void Zip_Cut_OneSentence() => Assert.Contains("no directory", Refused(Zip(("x", Plain))[..^30]), StringComparison.Ordinal);

    [Fact]
    public void Zip_SpoiledData_DamageAndWhatCameBefore()
    {
        byte[] zip = Zip(CompressionLevel.NoCompression, ("x", Plain));
        zip[zip.Length / 2] ^= 0x55;

        DecodedCapture read = DecodedCapture.Read(zip);

        Assert.InRange(read.Frames, Frames / 3, Frames);
        Assert.NotNull(read.Damage);
    }

    [Fact]
    public void Zip_TooManyFiles_OneSentence() => Assert.Contains(
        "more than 4096 files", Refused(Zip([.. Enumerable.Range(0, ZipDirectory.MostEntries + 1).Select(i => ($"{i}", Array.Empty<byte>()))])),
        StringComparison.Ordinal);

    [Fact]
    public async Task Pipe_PlainAndGzip_WholeAndHashed()
    {
        foreach (byte[] bytes in new[] { Plain, Gzip(Plain) })
        {
            FileHash hash = new(new RecordingInput("-", () => new Pipe(bytes)));
            using ICaptureReader reader = CaptureContainer.Open(hash.Open(), "-");
            int frames = 0;
            while (reader.TryRead(out _))
            {
                frames++;
            }

            Assert.Equal((Frames, Hash(bytes)), (frames, await hash.Value()));
        }
    }

    [Fact]
    public void Pipe_Zip_OneSentence() => Assert.Contains(
        "comes through a pipe", Assert.Throws<ExpectedFailureException>(() => DecodedCapture.Read(new Pipe(Zip(("x", Plain))), "-")).Message,
        StringComparison.Ordinal);

    [Fact]
    public async Task File_AnyWrapping_HashOfTheFile()
    {
        using TempFolder folder = new();
        foreach (byte[] bytes in new[] { Plain, Gzip(Plain), [.. Gzip(Plain), .. new byte[100_000]], Zip(("x", Plain)) })
        {
            string path = folder.Write("x", bytes);
            FileHash hash = new(new RecordingInput(path, () => File.OpenRead(path)));
            using ICaptureReader reader = CaptureContainer.Open(hash.HashWhileReading(hash.Open()), path);
            int frames = 0;
            while (reader.TryRead(out _))
            {
                frames++;
            }

            Assert.Equal((Frames, Hash(bytes)), (frames, await hash.Value()));
        }
    }

    [Fact]
    public async Task File_ReadByOtherMeans_HashOfTheFile()
    {
        using TempFolder folder = new();
        string path = folder.Write("x", Plain);
        FileHash hash = new(new RecordingInput(path, () => File.OpenRead(path)));
        using Stream stream = hash.Open();
        stream.Position = 100;

        hash.HashSeparately();

        Assert.Equal(Hash(Plain), await hash.Value());
    }

    [Fact]
    public async Task File_GoneWhileItIsRead_NoHash()
    {
        int opened = 0;
        FileHash hash = new(
            new RecordingInput("x", () => opened++ == 0 ? new MemoryStream(Plain) : throw new ExpectedFailureException(ExitCode.Input, "gone")));
        using Stream stream = hash.Open();

        hash.HashSeparately();

        Assert.Null(await hash.Value());
    }

    [Fact]
    public void File_FailsOnTheWay_WhatCameBeforeAndNoHash()
    {
        RecordingResult result =
            RecordingAnalysis.Run([new RecordingInput("x", () => new Failing(Plain))], RecordingFilter.All, new SeverityLimits(), null, CancellationToken.None);

        RecordingFileFacts file = Assert.Single(result.Files);
        Assert.InRange(file.Packets, 1, Frames - 1);
        Assert.Contains("broken", file.Damage!.Reason, StringComparison.Ordinal);
        Assert.Null(file.Sha256);
    }

    private static string Hash(byte[] bytes) => Convert.ToHexString(SHA256.HashData(bytes)).ToLowerInvariant();

    /// <summary>A file whose second half cannot be read.</summary>
    private sealed class Failing(byte[] bytes) : MemoryStream(bytes)
    {
        public override int Read(byte[] buffer, int offset, int count) =>
            Position < Length / 2 ? base.Read(buffer, offset, (int)Math.Min(count, (Length / 2) - Position)) : throw new IOException("broken");
    }

    /// <summary>Gives a few bytes at a time and knows neither its length nor a position.</summary>
    private sealed class Pipe(byte[] bytes) : ReadOnlyStream
    {
        private int _at;

        public override int Read(Span<byte> buffer)
        {
            int count = Math.Min(Math.Min(buffer.Length, 777), bytes.Length - _at);
            bytes.AsSpan(_at, count).CopyTo(buffer);
            _at += count;
            return count;
        }
    }
}
