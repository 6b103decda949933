using System.Buffers.Binary;
using System.IO.Compression;

namespace LatencyTuner.Core.Etw;

/// <summary>Finds the trace in what the user named: an .etl, one packed by gzip, or a .zip with exactly one .etl among its members.</summary>
internal static class EtlInput
{
    private const int PieceBytes = 1 << 20;
    private const int SignatureBytes = 32;

    internal static EtlSource Open(string path, EtlReaderOptions options)
    {
        FileStream? file = null;
        try
        {
            file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
            Span<byte> start = stackalloc byte[SignatureBytes];
            start = start[..file.ReadAtLeast(start, SignatureBytes, throwOnEndOfStream: false)];
            file.Position = 0;
            if (!IsGzip(start) && !IsZip(start))
            {
                RefuseOthers(path, start);
                file.Dispose();
                return new EtlFileSource(path, File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
            }

            using (file)
                return Unpack(path, file, IsZip(start), options);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            file?.Dispose();
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: cannot be read: {failure.Message.TrimEnd('.')}.", failure);
        }
        catch (InvalidDataException failure)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: cannot be unpacked: {failure.Message.TrimEnd('.')}.", failure);
        }
    }

    internal static EtlSource Open(ReadOnlyMemory<byte> bytes, string path, EtlReaderOptions options)
    {
        if (!IsGzip(bytes.Span) && !IsZip(bytes.Span))
        {
            RefuseOthers(path, bytes.Span);
            return new EtlMemorySource(path, [bytes]);
        }

        try
        {
            using var stream = new MemoryStream(bytes.ToArray(), writable: false);
            return Unpack(path, stream, IsZip(bytes.Span), options);
        }
        catch (InvalidDataException failure)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: cannot be unpacked: {failure.Message.TrimEnd('.')}.", failure);
        }
    }

    private static EtlMemorySource Unpack(string path, Stream packed, bool zip, EtlReaderOptions options)
    {
        if (!zip)
        {
            using var gzip = new GZipStream(packed, CompressionMode.Decompress);
            return new EtlMemorySource(path, Pieces(path, gzip, options.MaxUnpackedBytes));
        }

        using var archive = new ZipArchive(packed, ZipArchiveMode.Read);
        var traces = archive.Entries.Where(e => e.Name.EndsWith(".etl", StringComparison.OrdinalIgnoreCase)).Take(3).ToList();
        if (traces.Count != 1)
        {
            throw new ExpectedFailureException(
                ExitCode.Input,
                traces.Count == 0 ? $"{path}: the archive holds no .etl file; exactly one is expected." : $"{path}: the archive holds several .etl files, {Quoting.Quote(traces[0].FullName)} and {Quoting.Quote(traces[1].FullName)} among them; unpack the one to read.");
        }

        using var member = traces[0].Open();
        return new EtlMemorySource(path, Pieces(path, member, options.MaxUnpackedBytes));
    }

    private static List<ReadOnlyMemory<byte>> Pieces(string path, Stream stream, long most)
    {
        List<ReadOnlyMemory<byte>> pieces = [];
        for (long total = 0; ;)
        {
            var piece = new byte[PieceBytes];
            var read = stream.ReadAtLeast(piece, PieceBytes, throwOnEndOfStream: false);
            total += read;
            if (total > most)
                throw new ExpectedFailureException(ExitCode.Input, $"{path}: the packed trace has more than {most} bytes, which are unpacked in memory; unpack it and name the .etl file.");

            pieces.Add(piece.AsMemory(0, read));
            if (read < PieceBytes)
                return pieces;
        }
    }

    private static bool IsGzip(ReadOnlySpan<byte> start) => start.StartsWith([(byte)0x1F, (byte)0x8B, (byte)8]);

    private static bool IsZip(ReadOnlySpan<byte> start) => start.StartsWith("PK\u0003\u0004"u8) || start.StartsWith("PK\u0005\u0006"u8);

    private static bool IsCapture(ReadOnlySpan<byte> start) =>
        start.Length >= 4 && BinaryPrimitives.ReadUInt32LittleEndian(start) is 0x0A0D0D0A or 0xA1B2C3D4 or 0xD4C3B2A1 or 0xA1B23C4D or 0x4D3CB2A1;

    private static void RefuseOthers(string path, ReadOnlySpan<byte> start)
    {
        var what = start.Length == 0 ? "the file is empty"
            : start.StartsWith("Nettrace"u8) ? "this is a .nettrace file of the .NET runtime"
            : start.IndexOf("!FastSerialization"u8) >= 0 ? "this is an .etlx file, which only PerfView reads; use the .etl file it was made from"
            : IsCapture(start) ? "this is a packet capture, not an event trace"
            : null;
        if (what is not null)
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: {what}; an .etl file is expected.");
    }
}
