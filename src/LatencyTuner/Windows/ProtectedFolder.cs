using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Windows;

/// <summary>The journal's folder with its access list: made for administrators and SYSTEM, and refused where anyone else may write or owns it.</summary>
[SupportedOSPlatform("windows")]
internal sealed class ProtectedFolder(string path) : IJournalFolder
{
    private static readonly string[] Ours = ["journal*", "before-*", "measured-*"];

    private readonly DiskJournalFolder _folder = new(path);

    public string Path => path;

    public IDisposable Lock()
    {
        Create();
        return _folder.Lock();
    }

    public byte[]? Read(string name, int maxBytes)
    {
        if (!Exists())
        {
            return null;
        }

        RequireTrusted();
        return _folder.Read(name, maxBytes);
    }

    public void Append(string name, ReadOnlySpan<byte> bytes) => _folder.Append(name, bytes);

    public void Truncate(string name, long length) => _folder.Truncate(name, length);

    /// <summary>Makes the folder where it is missing; one that is there must be trustworthy as it is.</summary>
    /// <returns>True when it was made.</returns>
    public bool Create()
    {
        bool made = false;
        if (!Exists())
        {
            // With its access list from its first moment on: between a creation and a correction others could put something in.
            Try("cannot be created", () => new DirectoryInfo(path).Create(Own()));
            made = true;
        }

        RequireTrusted();
        return made;
    }

    /// <summary>Makes the folder, or gives one that administrators own its own access list.</summary>
    /// <returns>What was done, a sentence.</returns>
    public string Secure()
    {
        if (!Exists())
        {
            Create();
            return $"{path} was created, for administrators and SYSTEM.";
        }

        (FileAttributes attributes, string? owner, IReadOnlyList<FolderAccess>? access) = Look();
        if (JournalFolderRules.Refusal(path, attributes, owner, access) is null)
        {
            return $"{path} was there, for administrators and SYSTEM, as it should be.";
        }

        if (attributes.HasFlag(FileAttributes.ReparsePoint) || !attributes.HasFlag(FileAttributes.Directory)
            || JournalFolderRules.OwnerRefusal(path, owner) is not null)
        {
            RequireTrusted();
        }

        // A file keeps its owner, who could go on writing to it.
        if (Ours.SelectMany(pattern => Directory.EnumerateFileSystemEntries(path, pattern)).FirstOrDefault() is { } planted)
        {
            throw new ExpectedFailureException(
                ExitCode.Platform, $"{path} could be written by others, and {planted} is in it already; look at it, then remove it. Nothing was changed.");
        }

        Try("cannot be given its access list", () => new DirectoryInfo(path).SetAccessControl(Own()));
        RequireTrusted();
        return $"{path} was there; it now has an access list of its own, for administrators and SYSTEM.";
    }

    /// <summary>What is there, without making anything.</summary>
    public JournalFolderState State()
    {
        if (!Exists())
        {
            return JournalFolderState.Absent;
        }

        try
        {
            (FileAttributes attributes, string? owner, IReadOnlyList<FolderAccess>? access) = Look();
            return JournalFolderRules.Refusal(path, attributes, owner, access) is null ? JournalFolderState.Trusted : JournalFolderState.Refused;
        }
        catch (ExpectedFailureException)
        {
            return JournalFolderState.Unknown;
        }
    }

    private bool Exists() => Directory.Exists(path) || File.Exists(path);

    private void RequireTrusted()
    {
        (FileAttributes attributes, string? owner, IReadOnlyList<FolderAccess>? access) = Look();
        if (JournalFolderRules.Refusal(path, attributes, owner, access) is { } refusal)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{refusal} Nothing was changed.");
        }
    }

    private (FileAttributes Attributes, string? Owner, IReadOnlyList<FolderAccess>? Access) Look()
    {
        FileAttributes attributes = default;
        string? owner = null;
        IReadOnlyList<FolderAccess>? access = null;
        Try("cannot be looked at", () =>
        {
            attributes = File.GetAttributes(path);
            if (WineLayer.IsPresent)
            {
                (owner, access) = (JournalFolderRules.Administrators, []);
                return;
            }

            DirectorySecurity security = new DirectoryInfo(path).GetAccessControl(AccessControlSections.Owner | AccessControlSections.Access);
            owner = security.GetOwner(typeof(SecurityIdentifier))?.Value;
            RawSecurityDescriptor raw = new(security.GetSecurityDescriptorBinaryForm(), 0);
            access = raw.DiscretionaryAcl?.OfType<QualifiedAce>().Select(a => new FolderAccess(
                a.SecurityIdentifier.Value, a.AccessMask, a.AceQualifier == AceQualifier.AccessAllowed,
                a.PropagationFlags.HasFlag(PropagationFlags.InheritOnly))).ToList();
        });
        return (attributes, owner, access);
    }

    private static DirectorySecurity Own()
    {
        DirectorySecurity security = new();
        security.SetAccessRuleProtection(isProtected: true, preserveInheritance: false);
        security.SetOwner(new SecurityIdentifier(JournalFolderRules.Administrators));
        foreach (string sid in (string[])[JournalFolderRules.Administrators, JournalFolderRules.LocalSystem])
        {
            security.AddAccessRule(new FileSystemAccessRule(
                new SecurityIdentifier(sid), FileSystemRights.FullControl, InheritanceFlags.ContainerInherit | InheritanceFlags.ObjectInherit,
                PropagationFlags.None, AccessControlType.Allow));
        }

        return security;
    }

    private void Try(string failed, Action work)
    {
        try
        {
            work();
        }
        catch (UnauthorizedAccessException e)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{path} {failed} by this user; run it as administrator. Nothing was changed.", e);
        }
        catch (Exception e) when (e is IOException or InvalidOperationException or NotSupportedException)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{path} {failed}: {e.Message.TrimEnd('.')}. Nothing was changed.", e);
        }
    }
}
