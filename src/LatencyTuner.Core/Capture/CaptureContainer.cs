using LatencyTuner.Core.Inputs;

namespace LatencyTuner.Core.Capture;

/// <summary>Detects the container format from the first bytes, never from the file name.</summary>
internal static class CaptureContainer
{
    private const int Magic = 4;
    private const string InGzip = " in gzip";
    private const string InZip = " in zip";

    /// <summary>Opens a capture: pcap, pcapng or snoop, plain, in gzip, or in a zip that holds exactly one capture.</summary>
    /// <param name="stream">The bytes; the reader disposes them. They are also disposed when no reader is created.</param>
    /// <param name="path">The name of the file for error messages.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: the file is empty or not a capture.</exception>
    public static ICaptureReader Open(Stream stream, string path)
    {
        try
        {
            return OpenOwned(stream, path);
        }
        catch
        {
            stream.Dispose();
            throw;
        }
    }

    /// <summary>True for a zip file, which is not read from start to end. Afterwards the stream is at its start again.</summary>
    public static bool IsZip(Stream stream)
    {
        byte[] magic = new byte[Magic];
        try
        {
            int read = stream.ReadAtLeast(magic, Magic, throwOnEndOfStream: false);
            stream.Position = 0;
            return ZipDirectory.IsMagic(magic.AsSpan(0, read));
        }
        catch (IOException)
        {
            // The reader of the file reports this error.
            return false;
        }
    }

    /// <summary>The last sentence of an error about a file that is not a capture.</summary>
    private static string Known => "A capture is a pcap, pcapng or snoop file, plain, in gzip or in zip";

    private static ICaptureReader OpenOwned(Stream stream, string path)
    {
        ByteInput input = new(stream);
        input.TryPeek(Magic, out ReadOnlySpan<byte> magic);
        if (ZipDirectory.IsMagic(magic))
        {
            return OpenZip(stream, path);
        }

        return GzipMembers.IsMagic(magic) ? OpenPlain(Gunzip(input, ""), path) : OpenPlain(input, path);
    }

    private static ByteInput Gunzip(ByteInput input, string wrapping) => new(new GzipMembers(input.AsStream()), InGzip + wrapping);

    private static ICaptureReader OpenPlain(ByteInput input, string path)
    {
        input.TryPeek(Magic, out ReadOnlySpan<byte> magic);
        string place = path + (input.Wrapping.Length == 0 ? "" : $" ({input.Wrapping.TrimStart()})");
        return PcapReader.IsMagic(magic) ? PcapReader.Open(input, place)
            : PcapngReader.IsMagic(magic) ? PcapngReader.Open(input, place)
            : SnoopReader.IsMagic(magic) ? SnoopReader.Open(input, place)
            : throw Unreadable(input.ReadFailure is { } failure ? $"{place}: {failure}."
                : magic.Length == 0 ? $"{place} is empty. {Known}."
                : $"{place} begins with the bytes {Convert.ToHexString(magic)} and is not a capture. {Known}.");
    }

    private static ICaptureReader OpenZip(Stream stream, string path)
    {
        if (!stream.CanSeek)
        {
            throw Unreadable($"{path} is a zip file and comes through a pipe. A zip file cannot be read from a pipe. Give the path of the file.");
        }

        try
        {
            List<ZipEntry> entries = ZipDirectory.Read(stream);
            List<ZipEntry> captures = [.. entries.Where(e => HoldsCapture(stream, e))];
            if (captures.Count == 1)
            {
                return OpenPlain(Content(stream, captures[0]), path);
            }

            string encrypted = entries.Count(e => e.IsEncrypted) is > 0 and int count ? $", encrypted: {count}" : "";
            throw Unreadable(
                $"{path} is a zip file that does not hold exactly one capture. Files: {entries.Count}, captures: {captures.Count}{encrypted}.");
        }
        catch (InvalidDataException failure)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path} is a zip file that cannot be read: {failure.Message}.", failure);
        }
    }

    private static bool HoldsCapture(Stream zip, ZipEntry entry)
    {
        if (entry.IsEncrypted || entry.Method is not (ZipContent.Stored or ZipContent.Deflated))
        {
            return false;
        }

        try
        {
            // All entries share the zip file, which stays open.
            Content(zip, entry).TryPeek(Magic, out ReadOnlySpan<byte> magic);
            return PcapReader.IsMagic(magic) || PcapngReader.IsMagic(magic) || SnoopReader.IsMagic(magic);
        }
        catch (InvalidDataException)
        {
            return false;
        }
    }

    private static ByteInput Content(Stream zip, ZipEntry entry)
    {
        ByteInput input = new(new ZipContent(zip, entry), InZip);
        input.TryPeek(Magic, out ReadOnlySpan<byte> magic);
        return GzipMembers.IsMagic(magic) ? Gunzip(input, InZip) : input;
    }

    private static ExpectedFailureException Unreadable(string sentence) => new(ExitCode.Input, sentence);
}
