using LatencyTuner.Core.Inputs;

namespace LatencyTuner.Core.Etw;

/// <summary>Distinguishes traces from captures: by the first bytes, plain or in gzip, or by the members of a zip; otherwise by the file name.</summary>
internal static class EtlDetection
{
    /// <summary>Number of first bytes that the detection needs.</summary>
    public const int HeadBytes = EtlBufferHeader.Length;

    private const string Extension = ".etl";

    /// <summary>True when a seekable stream is a trace; sets it back to its start.</summary>
    /// <param name="stream">The bytes.</param>
    /// <param name="path">The file name.</param>
    public static bool IsTrace(Stream stream, string path)
    {
        ArgumentNullException.ThrowIfNull(stream);
        try
        {
            byte[] head = Head(stream);
            stream.Position = 0;
            if (ZipDirectory.IsMagic(head))
            {
                return ZipDirectory.Read(stream).Exists(e => e.Name.EndsWith(Extension, StringComparison.OrdinalIgnoreCase));
            }

            if (GzipMembers.IsMagic(head))
            {
                head = Head(new GzipMembers(stream));
            }

            return IsTrace(head, path);
        }
        catch (InvalidDataException)
        {
            return false;
        }
        finally
        {
            stream.Position = 0;
        }
    }

    /// <summary>True when the first bytes of an unpacked file are those of a trace.</summary>
    /// <param name="head">The first <see cref="HeadBytes"/> bytes; fewer when the file is shorter.</param>
    /// <param name="path">The file name.</param>
    public static bool IsTrace(ReadOnlySpan<byte> head, string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        bool capture = head.Length >= 4 && BitConverter.ToUInt32(head) is 0x0A0D0D0A or 0xA1B2C3D4 or 0xD4C3B2A1 or 0xA1B23C4D or 0x4D3CB2A1;
        return !capture
            && (EtlBufferHeader.TryRead(head, out _) || path.EndsWith(Extension, StringComparison.OrdinalIgnoreCase)
                || path.EndsWith(Extension + ".gz", StringComparison.OrdinalIgnoreCase));
    }

    private static byte[] Head(Stream stream)
    {
        byte[] head = new byte[HeadBytes];
        return head[..stream.ReadAtLeast(head, HeadBytes, throwOnEndOfStream: false)];
    }
}
