using System.Runtime.Versioning;
using LatencyTuner.Core;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Windows;

/// <summary>What setup does: the journal's folder and the Event Log source.</summary>
[SupportedOSPlatform("windows")]
internal static class MachineSetup
{
    public static IReadOnlyList<string> Run(SetupStep step)
    {
        if (LiveMachine.MissingPrivilege() is { } missing)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{missing} Nothing was changed.");
        }

        RegistrySettingsStore registry = new();
        string path = LiveMachine.FolderPath();
        if (step == SetupStep.RemoveJournal)
        {
            RemoveJournal(new ProtectedFolder(path));
        }

        return step == SetupStep.Create
            ? [new ProtectedFolder(path).Secure(), EventLogSource.Register(registry)]
            : [EventLogSource.Remove(registry), RemoveFolder(path)];
    }

    private static void RemoveJournal(ProtectedFolder folder)
    {
        if (!Directory.Exists(folder.Path))
        {
            return;
        }

        // The lock keeps an apply away between the question and the removal; its file goes with the folder.
        using (folder.Lock())
        {
            if (JournalRemoval.Refusal(folder) is { } refusal)
            {
                throw new ExpectedFailureException(ExitCode.Change, refusal);
            }

            folder.RemoveFiles();
        }
    }

    private static string RemoveFolder(string path)
    {
        if (!Directory.Exists(path))
        {
            return $"{path} did not exist.";
        }

        try
        {
            // Only the journal can put back the changes in force, so this step never removes it.
            if (Directory.EnumerateFileSystemEntries(path).FirstOrDefault(f => Path.GetFileName(f) != DiskJournalFolder.LockName) is { } kept)
            {
                return $"{path} was kept, because {Path.GetFileName(kept)} is in it. 'latencytuner setup --remove --with-journal' removes a journal once no "
                    + "change is in force; other files are yours.";
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
