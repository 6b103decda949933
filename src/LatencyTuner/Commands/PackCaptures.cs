using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Reporting.Packing;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>
/// Which captures go into a pack: those that were given, and those that documents name and whose hash they know. A document may come from anybody: it alone
/// never makes a file go into a pack.
/// </summary>
internal static class PackCaptures
{
    /// <summary>A capture by its first bytes; null for another file.</summary>
    /// <param name="path">A file.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static PackableCapture? TryRecognise(string path)
    {
        if (!IsPlainFile(path))
        {
            return null;
        }

        using FileStream stream = Open(path);
        return EvidencePack.IsCapture(stream, path) ? new(path, Hash(path)) : null;
    }

    /// <summary>Adds the captures, and says which stay out.</summary>
    /// <param name="pack">The pack.</param>
    /// <param name="given">Those that were given on the command line.</param>
    /// <param name="include">True when captures are wanted.</param>
    public static void Add(EvidencePack pack, IReadOnlyList<PackableCapture> given, bool include)
    {
        HashSet<string> added = [];
        foreach (PackableCapture capture in given)
        {
            if (!include)
            {
                pack.LeaveOut(capture.Path, "It is a capture. Add --include-captures to pack it, cut behind the headers of its packets.");
            }
            else if (added.Add(capture.Sha256))
            {
                pack.AddCapture(capture.Path, capture.Sha256, () => OpenSame(capture));
            }
        }

        foreach (NamedCapture named in pack.NamedCaptures.Where(_ => include).OrderBy(n => n.Path, StringComparer.Ordinal))
        {
            if (named.Sha256 is { } known && added.Contains(known))
            {
                continue;
            }

            try
            {
                if (Refusal(named, out PackableCapture? found) is { } because)
                {
                    pack.LeaveOut(named.Path, because);
                }
                else if (added.Add(found!.Sha256))
                {
                    pack.AddCapture(found.Path, found.Sha256, () => OpenSame(found));
                }
            }
            catch (Exception e) when (UnreadableFile.Explains(e))
            {
                pack.LeaveOut(named.Path, $"It cannot be read: {OutputFile.Reason(e)}.");
            }
        }
    }

    /// <summary>True for a file on a disk of this machine: a share that a document names would be told who asks, and a pipe never ends.</summary>
    public static bool IsPlainFile(string path)
    {
        bool isRemote = path.StartsWith(@"\\", StringComparison.Ordinal) || path.StartsWith("//", StringComparison.Ordinal);
        if (path.Length == 0 || isRemote || path.Contains('\0', StringComparison.Ordinal) || !File.Exists(path))
        {
            return false;
        }

        const FileAttributes Special = FileAttributes.Device | FileAttributes.Directory;
        if ((File.GetAttributes(path) & Special) != 0)
        {
            return false;
        }

        // Pipes and devices have no length.
        return new FileInfo(path).Length > 0;
    }

    private static string? Refusal(NamedCapture named, out PackableCapture? found)
    {
        found = null;
        if (named.Sha256 is not { } expected)
        {
            return $"{named.Document} has no hash of it. Give the capture on the command line.";
        }

        if (!IsPlainFile(named.Path))
        {
            return named.Path.StartsWith(@"\\", StringComparison.Ordinal) || named.Path.StartsWith("//", StringComparison.Ordinal)
                ? "It is on a share. Give the capture on the command line." : "It is not here. Give the capture on the command line.";
        }

        found = TryRecognise(named.Path);
        return found is null ? "It is no capture of packets; of a trace (.etl), latencytuner convert writes the packets."
            : string.Equals(found.Sha256, expected, StringComparison.OrdinalIgnoreCase) ? null
            : $"It has changed since {named.Document} was made: its SHA-256 is another one.";
    }

    private static FileStream Open(string path) => new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, 1 << 16);

    /// <summary>Opens a capture, and looks whether it is still the one that was hashed.</summary>
    private static FileStream OpenSame(PackableCapture capture)
    {
        FileStream stream = Open(capture.Path);
        try
        {
            if (!string.Equals(Convert.ToHexString(SHA256.HashData(stream)), capture.Sha256, StringComparison.OrdinalIgnoreCase))
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{capture.Path} changed while it was packed. Pack it when nobody writes to it.");
            }

            stream.Position = 0;
            return stream;
        }
        catch
        {
            stream.Dispose();
            throw;
        }
    }

    private static string Hash(string path)
    {
        using FileStream stream = Open(path);
        return Convert.ToHexString(SHA256.HashData(stream)).ToLowerInvariant();
    }
}

/// <summary>A file that is a capture.</summary>
/// <param name="Path">Its path.</param>
/// <param name="Sha256">Its hash in hexadecimal.</param>
internal sealed record PackableCapture(string Path, string Sha256);
