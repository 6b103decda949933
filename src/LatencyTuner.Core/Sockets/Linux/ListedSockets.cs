using System.Globalization;
using System.Net;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>
/// The lines of <c>/proc/PID/net/tcp</c> and <c>tcp6</c> (proc(5)): ends, state, user and inode of the sockets of the namespace of that process, which anybody
/// may read.
/// </summary>
internal static class ListedSockets
{
    private const int FewestFields = 10;

    /// <summary>Reads the sockets of the namespace of a process.</summary>
    /// <param name="pid">The process.</param>
    internal static List<DiagnosedSocket> Of(int pid)
    {
        List<DiagnosedSocket> sockets = [];
        foreach (string file in new[] { "tcp", "tcp6" })
        {
            try
            {
                sockets.AddRange(File.ReadLines($"/proc/{pid}/net/{file}").Skip(1).Select(Read).OfType<DiagnosedSocket>());
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // The process ended, or the kernel has no IPv6.
            }
        }

        return sockets;
    }

    /// <summary>Reads one line.</summary>
    /// <param name="line">A line after the heading.</param>
    /// <returns>The socket; null when the line is none.</returns>
    internal static DiagnosedSocket? Read(string line)
    {
        string[] fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return fields.Length >= FewestFields && End(fields[1]) is { } local && End(fields[2]) is { } remote
            && int.TryParse(fields[3], NumberStyles.HexNumber, CultureInfo.InvariantCulture, out int state)
            && uint.TryParse(fields[7], NumberStyles.None, CultureInfo.InvariantCulture, out uint user)
            && uint.TryParse(fields[9], NumberStyles.None, CultureInfo.InvariantCulture, out uint inode)
                ? new DiagnosedSocket
                {
                    State = DiagnosedSocket.StateOf(state),
                    Local = local,
                    Remote = remote,
                    User = user,
                    Inode = inode,
                    Cookie = 0,
                }
                : null;
    }

    /// <summary>An address in words of 32 bits in the byte order of the host, a colon, the port.</summary>
    private static IPEndPoint? End(string text)
    {
        int colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon is not (8 or 32) || !ushort.TryParse(text.AsSpan(colon + 1), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ushort port))
        {
            return null;
        }

        byte[] address = new byte[colon / 2];
        for (int word = 0; word < colon; word += 8)
        {
            if (!uint.TryParse(text.AsSpan(word, 8), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint value)
                || !BitConverter.TryWriteBytes(address.AsSpan(word / 2), value))
            {
                return null;
            }
        }

        return new IPEndPoint(SocketSelection.Unmapped(new IPAddress(address)), port);
    }
}
