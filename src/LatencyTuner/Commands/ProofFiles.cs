using System.IO.Compression;
using LatencyTuner.Core;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Selftest;

namespace LatencyTuner.Commands;

/// <summary>The files of a proof, in a folder or in a zip.</summary>
internal static class ProofFiles
{
    public static ProofEvidence Read(string path)
    {
        try
        {
            if (Directory.Exists(path))
            {
                return ProofEvidence.Read(name => OfFolder(path, name), Document, path);
            }

            using ZipArchive zip = ZipFile.OpenRead(path);
            return ProofEvidence.Read(name => zip.GetEntry(name) is { } entry ? Limited(entry.Open(), name) : null, Document, path);
        }
        catch (InvalidDataException e)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path} is neither a folder nor a zip that can be read: {e.Message.TrimEnd('.')}.", e);
        }
        catch (Exception e) when (UnreadableFile.Explains(e))
        {
            throw UnreadableFile.Of(path, e);
        }
    }

    private static SelftestReport Document(byte[] bytes, string name) => ReportJson.Read<SelftestReport>(bytes, name);

    private static byte[]? OfFolder(string folder, string name)
    {
        string file = Path.Combine(folder, name);
        return File.Exists(file) ? Limited(File.OpenRead(file), name) : null;
    }

    private static byte[] Limited(Stream stream, string name)
    {
        using (stream)
        {
            byte[] bytes = new byte[ProofEvidence.MaxFileBytes + 1];
            int read = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            return read <= ProofEvidence.MaxFileBytes ? bytes[..read]
                : throw new ExpectedFailureException(ExitCode.Input, $"{name} is larger than the {ProofEvidence.MaxFileBytes >> 20} MiB that are read.");
        }
    }
}
