using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Windows;

/// <summary>A file for secrets.</summary>
[SupportedOSPlatform("windows")]
internal static class PrivateFile
{
    /// <summary>Makes a file with its access list, for this user, administrators and SYSTEM: at no time can anyone else read it.</summary>
    /// <exception cref="IOException">It exists, or cannot be made.</exception>
    public static void Create(string path, byte[] bytes)
    {
        FileSecurity security = new();
        security.SetAccessRuleProtection(isProtected: true, preserveInheritance: false);
        using WindowsIdentity user = WindowsIdentity.GetCurrent();
        foreach (SecurityIdentifier sid in new[] { user.User!, new(JournalFolderRules.Administrators), new(JournalFolderRules.LocalSystem) }.Distinct())
        {
            security.AddAccessRule(new FileSystemAccessRule(sid, FileSystemRights.FullControl, AccessControlType.Allow));
        }

        using FileStream file = new FileInfo(path).Create(
            FileMode.CreateNew, FileSystemRights.WriteData | FileSystemRights.AppendData, FileShare.None, 4096, FileOptions.None, security);
        file.Write(bytes);
    }
}
