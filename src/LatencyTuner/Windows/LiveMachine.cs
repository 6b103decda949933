using System.Runtime.Versioning;
using System.Security;
using System.Security.Principal;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Windows;

/// <summary>Opens the settings of this machine for changes.</summary>
[SupportedOSPlatform("windows")]
internal static class LiveMachine
{
    private static readonly SettingLocation.Registry MachineGuid = new(@"HKLM\SOFTWARE\Microsoft\Cryptography", "MachineGuid");

    public static LiveTuning Open()
    {
        RegistrySettingsStore registry = new();
        return new LiveTuning
        {
            Store = new MachineSettingsStore(
                registry, new NetTcpSettingStore(HostFacts.Os(name => registry.Read(new SettingLocation.Registry(HostFacts.WindowsVersion, name))))),
            Folder = new ProtectedFolder(FolderPath()),
            Machine = Identity(registry),
            BootId = WindowsTimes.BootId(),
            Operator = $@"{Environment.UserDomainName}\{Environment.UserName}",
            MissingPrivilege = MissingPrivilege,
            Snapshot = HostInventory.TakeOfThisMachine,
            Report = entry =>
                EventLogSource.Write(registry, new EventEntry(entry.Id, entry.IsError ? EventEntryLevel.Error : EventEntryLevel.Information, entry.Text)),
        };
    }

    /// <summary>The folder of the journal, %ProgramData%\LatencyTuner; Windows gives it, not the environment, which a user can set.</summary>
    public static string FolderPath() =>
        Environment.GetFolderPath(Environment.SpecialFolder.CommonApplicationData, Environment.SpecialFolderOption.DoNotVerify) is { Length: > 0 } folder
        ? Path.Combine(folder, "LatencyTuner")
        : throw new ExpectedFailureException(
            ExitCode.Platform, "Windows returns no path of ProgramData, so that the journal has no folder. Nothing was changed.");

    /// <summary>What is prepared for changes, for the probes of the selftest; creates nothing.</summary>
    public static ChangeFacts Facts(RegistrySettingsStore registry) => new(
        registry.Read(MachineGuid).Text is { Length: > 0 }, new ProtectedFolder(FolderPath()).State(), EventLogSource.IsRegistered(registry),
        EventLogSource.HasMessages());

    /// <summary>Why this process may not change settings, a sentence; null when it may.</summary>
    public static string? MissingPrivilege()
    {
        try
        {
            using WindowsIdentity identity = WindowsIdentity.GetCurrent();
            return new WindowsPrincipal(identity).IsInRole(WindowsBuiltInRole.Administrator)
                ? null
                : "This process is not elevated: start it from a console that was opened with 'Run as administrator'.";
        }
        catch (SecurityException e)
        {
            return $"It is unknown whether this process is elevated: {e.Message.TrimEnd('.')}.";
        }
    }

    private static MachineIdentity Identity(RegistrySettingsStore registry) =>
        registry.Read(MachineGuid).Text is { Length: > 0 } id
            ? new MachineIdentity(id, Environment.MachineName)
            : throw new ExpectedFailureException(
                ExitCode.Platform, $"{MachineGuid} holds no text, so that this machine cannot be identified. Nothing was changed.");
}
