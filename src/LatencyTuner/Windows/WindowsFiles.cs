using System.Runtime.Versioning;
using System.Security;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Windows;

/// <summary>The files of Windows that hold settings.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsFiles
{
    private static string Windows => Environment.GetFolderPath(Environment.SpecialFolder.Windows);

    /// <summary>What machine.config of each installed .NET Framework 4 sets; a file that cannot be read becomes a note.</summary>
    public static IReadOnlyList<HostComponent> MachineConfigs(Action<string> note)
    {
        List<HostComponent> found = [];
        foreach (string name in new[] { @"Framework64\v4.0.30319", @"Framework\v4.0.30319" })
        {
            string path = Path.Combine(Windows, "Microsoft.NET", name, "Config", "machine.config");
            string shown = $@"{name}\machine.config";
            try
            {
                FileInfo file = new(path);
                if (file.Exists)
                {
                    found.Add(file.Length > DotNetConfig.MaxBytes
                        ? throw new ExpectedFailureException(
                            ExitCode.Input, $"{shown}: {file.Length} bytes are too many; at most {DotNetConfig.MaxBytes} bytes are read.")
                        : DotNetConfig.Read(File.ReadAllBytes(path), shown));
                }
            }
            catch (Exception e) when (e is ExpectedFailureException or IOException or UnauthorizedAccessException or SecurityException)
            {
                note($"{shown} could not be read: {e.Message.TrimEnd('.')}.");
            }
        }

        return found;
    }

    /// <summary>True when a DSC configuration is in force. False is no proof of the opposite: only administrators see the folder.</summary>
    public static bool HasDscConfiguration() => File.Exists(Path.Combine(Environment.SystemDirectory, "Configuration", "Current.mof"));
}
