namespace LatencyTuner.Core.Capture;

/// <summary>Tells the containers apart by their first bytes, never by the name of the file.</summary>
internal static class CaptureContainer
{
    /// <summary>Opens a capture.</summary>
    /// <param name="stream">The bytes; owned by the reader from here on.</param>
    /// <param name="path">The name of the file, for failures.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: it is empty or no capture.</exception>
    public static ICaptureReader Open(Stream stream, string path)
    {
        ByteInput input = new(stream);
        input.TryPeek(4, out ReadOnlySpan<byte> magic);
        return magic.Length == 0 ? throw new ExpectedFailureException(ExitCode.Input, $"{path} is empty.")
            : PcapReader.IsMagic(magic) ? PcapReader.Open(input, path)
            : throw new ExpectedFailureException(ExitCode.Input, $"{path} begins with the bytes {Convert.ToHexString(magic)}: not a capture file.");
    }
}
