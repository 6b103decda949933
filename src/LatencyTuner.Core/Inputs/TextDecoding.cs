using System.Text;
using System.Text.Unicode;

namespace LatencyTuner.Core.Inputs;

/// <summary>Turns a text input into UTF-8: Windows PowerShell 5.1 writes UTF-16 with a byte-order mark when output is redirected.</summary>
internal static class TextDecoding
{
    /// <summary>Decodes UTF-8 or UTF-16 (either byte order) with or without a byte-order mark.</summary>
    /// <param name="file">The file.</param>
    /// <param name="path">Its name, for the error message.</param>
    /// <returns>UTF-8 without a byte-order mark: the file itself where it is that.</returns>
    /// <exception cref="ExpectedFailureException">The bytes are in neither encoding (<see cref="ExitCode.Input"/>).</exception>
    internal static byte[] ToUtf8(byte[] file, string path)
    {
        ReadOnlySpan<byte> bytes = file;
        if (bytes.StartsWith<byte>([0xEF, 0xBB, 0xBF]))
        {
            bytes = bytes[3..];
        }
        else if (bytes.StartsWith<byte>([0xFF, 0xFE]))
        {
            return FromUtf16(bytes[2..], bigEndian: false, path);
        }
        else if (bytes.StartsWith<byte>([0xFE, 0xFF]))
        {
            return FromUtf16(bytes[2..], bigEndian: true, path);
        }
        else if (bytes.Length >= 2 && bytes[0] != 0 && bytes[1] == 0)
        {
            return FromUtf16(bytes, bigEndian: false, path);
        }
        else if (bytes.Length >= 2 && bytes[0] == 0 && bytes[1] != 0)
        {
            return FromUtf16(bytes, bigEndian: true, path);
        }

        if (!Utf8.IsValid(bytes))
        {
            throw NotText(path, FirstInvalidByte(bytes));
        }

        return bytes.Length == file.Length ? file : bytes.ToArray();
    }

    private static byte[] FromUtf16(ReadOnlySpan<byte> bytes, bool bigEndian, string path)
    {
        try
        {
            return Encoding.UTF8.GetBytes(new UnicodeEncoding(bigEndian, byteOrderMark: false, throwOnInvalidBytes: true).GetString(bytes));
        }
        catch (DecoderFallbackException failure)
        {
            throw NotText(path, failure.Index);
        }
    }

    private static int FirstInvalidByte(ReadOnlySpan<byte> bytes)
    {
        int offset = 0;
        while (Rune.DecodeFromUtf8(bytes[offset..], out _, out int consumed) == System.Buffers.OperationStatus.Done)
        {
            offset += consumed;
        }

        return offset;
    }

    private static ExpectedFailureException NotText(string path, int offset) =>
        new(ExitCode.Input, $"{path}: not text at byte {offset}: expected a JSON report in UTF-8 or UTF-16.");
}
