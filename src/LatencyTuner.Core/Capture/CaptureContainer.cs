using LatencyTuner.Core.Inputs;

namespace LatencyTuner.Core.Capture;

/// <summary>Tells the containers apart by their first bytes, never by the name of the file.</summary>
internal static class CaptureContainer
{
    private const int Magic = 4;
    private const string InGzip = " in gzip";
    private const string InZip = " in zip";

    /// <summary>Opens a capture: pcap or pcapng, as it is, in gzip, or in a zip that holds no second one.</summary>
    /// <param name="stream">The bytes; owned by the reader from here on, and disposed when there is none.</param>
    /// <param name="path">The name of the file, for failures.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: it is empty or no capture.</exception>
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

    /// <summary>True for a zip, which is not read from begin to end. The stream is where it was afterwards, at its begin.</summary>
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
            // Its reader will meet that, too, and says so.
            return false;
        }
    }

    /// <summary>Ends a sentence that says what a file is not.</summary>
    private static string Known => "A capture is pcap or pcapng, alone, in gzip or in zip";

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
            : throw Unreadable(input.ReadFailure is { } failure ? $"{place}: {failure}."
                : magic.Length == 0 ? $"{place} is empty. {Known}."
                : $"{place} begins with the bytes {Convert.ToHexString(magic)} and is no capture. {Known}.");
    }

    private static ICaptureReader OpenZip(Stream stream, string path)
    {
        if (!stream.CanSeek)
        {
            throw Unreadable($"{path} is a zip, whose directory is at its end, and comes through a pipe. Give the name of the file.");
        }

        try
        {
            List<ZipEntry> entries = ZipDirectory.Read(stream);
            List<ZipEntry> captures = [.. entries.Where(e => HoldsCapture(stream, e))];
            if (captures.Count == 1)
            {
                return OpenPlain(Content(stream, captures[0]), path);
            }

            string encrypted = entries.Count(e => e.IsEncrypted) is > 0 and int count ? $", and {count} encrypted" : "";
            throw Unreadable(
                $"{path} is a zip with {entries.Count} files, of which {captures.Count} are captures{encrypted}. One with exactly one capture can be read.");
        }
        catch (InvalidDataException failure)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path} is a zip that cannot be read: {failure.Message}.", failure);
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
            // The zip is shared by all of them and stays open.
            Content(zip, entry).TryPeek(Magic, out ReadOnlySpan<byte> magic);
            return PcapReader.IsMagic(magic) || PcapngReader.IsMagic(magic);
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
