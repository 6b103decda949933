using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Settings;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>Where commands get a snapshot from: a file, or this machine.</summary>
internal static class SnapshotFiles
{
    /// <summary>The snapshot of a file, a snapshot document or a .reg export, or of this machine when no file is given.</summary>
    public static (HostSnapshot Snapshot, string Source) ReadOrTake(CliHost host, string? path) =>
        path is null
            ? (Take(host, "Settings are read", "; give --snapshot FILE with a snapshot or a .reg export"), "this machine")
            : (Read(host, path), path);

    /// <summary>The snapshot of this machine.</summary>
    public static HostSnapshot Take(CliHost host, string what, string instead = "") =>
        host.LiveSnapshot?.Invoke() ?? throw new ExpectedFailureException(
            ExitCode.Platform,
            OperatingSystem.IsWindows() ? $"This build cannot read the settings of the machine it runs on{instead}." : $"{what} on Windows only, and this is {CliHost.Tool.Os}{instead}.");

    public static HostSnapshot Read(CliHost host, string path)
    {
        byte[] bytes = Bytes(host, path);
        if (RegFileStore.IsRegFile(bytes))
        {
            return SnapshotBuilding.FromRegistry(RegFileStore.Parse(bytes, path), SettingsCatalogue.Current);
        }

        HostSnapshot snapshot = ReportJson.Read<HostSnapshot>(bytes, path);

        // A snapshot edited by hand must fail here with its place, not later in the middle of a report.
        _ = new SnapshotStore(snapshot, path);
        return snapshot;
    }

    public static byte[] Bytes(CliHost host, string path)
    {
        try
        {
            return host.ReadFile(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{path} cannot be read: {e.Message.TrimEnd('.')}.", e);
        }
    }
}
