using System.Runtime.Versioning;
using LatencyTuner.Core;

namespace LatencyTuner.Windows;

/// <summary>What setup does: the journal's folder and the Event Log source.</summary>
[SupportedOSPlatform("windows")]
internal static class MachineSetup
{
    public static IReadOnlyList<string> Run(bool remove)
    {
        if (LiveMachine.MissingPrivilege() is { } missing)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{missing} Nothing was changed.");
        }

        RegistrySettingsStore registry = new();
        string path = LiveMachine.FolderPath();
        return remove
            ? [EventLogSource.Remove(registry), RemoveFolder(path)]
            : [new ProtectedFolder(path).Secure(), EventLogSource.Register(registry)];
    }

    private static string RemoveFolder(string path)
    {
        if (!Directory.Exists(path))
        {
            return $"{path} did not exist.";
        }

        try
        {
            // Only the journal can put back the changes in force, so this program never removes it.
            if (Directory.EnumerateFileSystemEntries(path).FirstOrDefault(f => Path.GetFileName(f) != "journal.lock") is { } kept)
            {
                return $"{path} was kept, because {Path.GetFileName(kept)} is in it. Remove it yourself once nothing is to be rolled back.";
            }

            Directory.Delete(path, recursive: true);
            return $"{path} was removed.";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return $"{path} was not removed: {e.Message.TrimEnd('.')}.";
        }
    }
}
