using System.Buffers.Binary;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Etw;

/// <summary>Finds the trace in the given file: an .etl, one packed with gzip, or a .zip with exactly one .etl among its members.</summary>
internal static class EtlInput
{
    private const int PieceBytes = 1 << 20;
    private const int SignatureBytes = 32;
    private const string Extension = ".etl";

    internal static EtlSource Open(string path, EtlReaderOptions options)
    {
        FileStream? file = null;
        try
        {
            file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
            Span<byte> start = stackalloc byte[SignatureBytes];
            start = start[..file.ReadAtLeast(start, SignatureBytes, throwOnEndOfStream: false)];
            file.Position = 0;
            if (!GzipMembers.IsMagic(start) && !ZipDirectory.IsMagic(start))
            {
                RefuseOthers(path, start);
                file.Dispose();
                return new EtlFileSource(path, File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
            }

            using (file)
            {
                return Unpack(path, file, ZipDirectory.IsMagic(start), options);
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            file?.Dispose();
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: cannot be read: {failure.Message.TrimEnd('.')}.", failure);
        }
    }

    internal static EtlSource Open(ReadOnlyMemory<byte> bytes, string path, EtlReaderOptions options)
    {
        if (!GzipMembers.IsMagic(bytes.Span) && !ZipDirectory.IsMagic(bytes.Span))
        {
            RefuseOthers(path, bytes.Span);
            return new EtlMemorySource(path, [bytes]);
        }

        using MemoryStream stream = new(bytes.ToArray(), writable: false);
        return Unpack(path, stream, ZipDirectory.IsMagic(bytes.Span), options);
    }

    /// <summary>The only trace among the members of a zip.</summary>
    /// <returns>Null when no trace can be read; then <paramref name="refusal"/> says why.</returns>
    /// <exception cref="InvalidDataException">The zip cannot be read.</exception>
    internal static ZipEntry? TraceIn(Stream zip, out string refusal)
    {
        List<ZipEntry> traces = ZipDirectory.Read(zip).Where(e => e.Name.EndsWith(Extension, StringComparison.OrdinalIgnoreCase)).Take(3).ToList();
        refusal = traces switch
        {
            [] => "the zip file holds no .etl file; exactly one is expected",
            [{ IsEncrypted: true }] => $"{Quoting.Quote(traces[0].Name)} in the zip file is encrypted. Extract it and give the path of the .etl file",
            [{ Method: not (ZipContent.Stored or ZipContent.Deflated) }] =>
                $"{Quoting.Quote(traces[0].Name)} in the zip file has compression method {traces[0].Method}; only 0 (stored) and 8 (deflate) are "
                + "supported. Extract it and give the path of the .etl file",
            [_] => "",
            _ =>
                $"the zip file holds several .etl files, for example {Quoting.Quote(traces[0].Name)} and {Quoting.Quote(traces[1].Name)}. "
                + "Extract one and give its path",
        };
        return refusal.Length == 0 ? traces[0] : null;
    }

    private static EtlMemorySource Unpack(string path, Stream packed, bool zip, EtlReaderOptions options)
    {
        try
        {
            if (!zip)
            {
                return Pieces(path, new GzipMembers(packed), options.MaxUnpackedBytes);
            }

            return TraceIn(packed, out string? refusal) is { } entry
                ? Pieces(path, new ZipContent(packed, entry), options.MaxUnpackedBytes)
                : throw new ExpectedFailureException(ExitCode.Input, $"{path}: {refusal}.");
        }
        catch (InvalidDataException failure)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: cannot be unpacked: {failure.Message.TrimEnd('.')}.", failure);
        }
    }

    /// <summary>Unpacks the data in pieces; the data before a fault is kept.</summary>
    private static EtlMemorySource Pieces(string path, ReadOnlyStream stream, long most)
    {
        List<ReadOnlyMemory<byte>> pieces = [];
        string? fault = null;
        using (stream)
        {
            for (long total = 0; ;)
            {
                byte[] piece = new byte[PieceBytes];
                int count = 0;
                try
                {
                    for (int read; count < piece.Length && (read = stream.Read(piece.AsSpan(count))) > 0;)
                    {
                        count += read;
                    }
                }
                catch (InvalidDataException failure) when (total + count > 0)
                {
                    fault = failure.Message.TrimEnd('.');
                }

                total += count;
                if (total > most)
                {
                    throw new ExpectedFailureException(
                        ExitCode.Input,
                        $"{path}: the packed trace has more than {most} bytes, the limit for unpacking in memory. "
                        + "Extract it and give the path of the .etl file.");
                }

                pieces.Add(piece.AsMemory(0, count));
                if (count < PieceBytes || fault is not null)
                {
                    return new EtlMemorySource(path, pieces) { Fault = fault };
                }
            }
        }
    }

    private static bool IsCapture(ReadOnlySpan<byte> start) =>
        start.Length >= 4 && BinaryPrimitives.ReadUInt32LittleEndian(start) is 0x0A0D0D0A or 0xA1B2C3D4 or 0xD4C3B2A1 or 0xA1B23C4D or 0x4D3CB2A1;

    private static void RefuseOthers(string path, ReadOnlySpan<byte> start)
    {
        string? what = start.Length == 0 ? "the file is empty"
            : start.StartsWith("Nettrace"u8) ? "this is a .nettrace file of the .NET runtime"
            : start.IndexOf("!FastSerialization"u8) >= 0 ? "this is an .etlx file, which only PerfView can read. Use the .etl file from which it was made"
            : IsCapture(start) ? "this is a packet capture, not an event trace"
            : null;
        if (what is not null)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path}: {what}. An .etl file is expected.");
        }
    }
}
