using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Settings;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>Where commands get a snapshot from: a file, or this machine.</summary>
internal static class SnapshotFiles
{
    /// <summary>The snapshot of a file, a snapshot document, a .reg export, or registry hives, or of this machine when no file is given.</summary>
    public static (HostSnapshot Snapshot, string Source) ReadOrTake(CliHost host, string? path) =>
        path is null
            ? (Take(host, "Settings can be read", ". Give --snapshot FILE with a snapshot or a .reg export"), "this machine")
            : (Read(host, path), path);

    /// <summary>The snapshot of this machine.</summary>
    public static HostSnapshot Take(CliHost host, string what, string instead = "") =>
        host.LiveSnapshot?.Invoke() ?? throw new ExpectedFailureException(
            ExitCode.Platform,
            OperatingSystem.IsWindows() ? $"This build cannot read the settings of the machine it runs on{instead}."
                : $"{what} on Windows only, and this is {CliHost.Tool.Os}{instead}.");

    public static HostSnapshot Read(CliHost host, string path)
    {
        if (Directory.Exists(path))
        {
            return SnapshotBuilding.FromRegistry(Hives(host, path), SettingsCatalogue.Current);
        }

        return Of(Bytes(host, path, HiveStore.MaxBytes), CliHost.NameOf(path));
    }

    /// <summary>The snapshot of a file that was read: a snapshot document, a .reg export or a hive.</summary>
    public static HostSnapshot Of(byte[] bytes, string path)
    {
        if (HiveStore.IsHive(bytes))
        {
            return SnapshotBuilding.FromRegistry(HiveStore.Open([(path, bytes)], path), SettingsCatalogue.Current);
        }

        if (RegFileStore.IsRegFile(bytes))
        {
            return SnapshotBuilding.FromRegistry(RegFileStore.Parse(bytes, path), SettingsCatalogue.Current);
        }

        HostSnapshot snapshot = ReportJson.Read<HostSnapshot>(bytes, path);

        // A snapshot with an error, such as one edited by hand, must fail here with the place of the error, not later in a report.
        _ = new SnapshotStore(snapshot, path);
        return snapshot;
    }

    /// <summary>The hives of a folder: <c>System32\config</c> of an offline Windows, or a copy of it.</summary>
    private static HiveStore Hives(CliHost host, string folder)
    {
        List<(string, byte[])> files = [];
        foreach (string name in new[] { "SYSTEM", "SOFTWARE" })
        {
            string path = Path.Combine(folder, name);
            if (File.Exists(path))
            {
                files.Add((path, Bytes(host, path, HiveStore.MaxBytes)));
            }
        }

        return files.Count > 0
            ? HiveStore.Open(files, folder)
            : throw new ExpectedFailureException(
                ExitCode.Input,
                $@"{folder} holds neither SYSTEM nor SOFTWARE. Give Windows\System32\config of an offline Windows, or a folder with copies of the two.");
    }

    /// <summary>A whole file; only a hive of the registry may be larger than a report.</summary>
    public static byte[] Bytes(CliHost host, string path, int most = ReportJson.DefaultMaxBytes)
    {
        try
        {
            using InputFile file = InputFile.Open(path, host.OpenNamed);
            return HiveStore.IsHive(file.Head.Span)
                ? file.ReadAll(most, "a hive of the registry")
                : file.ReadAll(Math.Min(most, ReportJson.DefaultMaxBytes), "a document");
        }
        catch (Exception e) when (UnreadableFile.Explains(e))
        {
            throw UnreadableFile.Of(path, e);
        }
    }
}
