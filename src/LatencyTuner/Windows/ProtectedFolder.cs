using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Windows;

/// <summary>The journal's folder with its access list: created for administrators and SYSTEM, and refused where anyone else owns it or may write.</summary>
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

    public IReadOnlyList<string> Names()
    {
        if (!Exists())
        {
            return [];
        }

        RequireTrusted();
        return _folder.Names();
    }

    public void Append(string name, ReadOnlySpan<byte> bytes) => _folder.Append(name, bytes);

    public void Truncate(string name, long length) => _folder.Truncate(name, length);

    /// <summary>Creates the folder where it is missing; an existing folder must already be safe.</summary>
    /// <returns>True when it was created.</returns>
    public bool Create()
    {
        bool made = false;
        if (!Exists())
        {
            // Created with its access list: between a creation and a later correction, other users could put a file in.
            Try("cannot be created", () => new DirectoryInfo(path).Create(Own()));
            made = true;
        }

        RequireTrusted();
        return made;
    }

    /// <summary>Creates the folder, or sets the access list of an existing folder that administrators own.</summary>
    /// <returns>What was done, a sentence.</returns>
    public string Secure()
    {
        if (!Exists())
        {
            Create();
            return $"{path} was created, for administrators and SYSTEM only.";
        }

        (FileAttributes attributes, string? owner, IReadOnlyList<FolderAccess>? access) = ReadAccess();
        if (JournalFolderRules.Refusal(path, attributes, owner, access) is null)
        {
            return $"{path} already exists, for administrators and SYSTEM only.";
        }

        if (attributes.HasFlag(FileAttributes.ReparsePoint) || !attributes.HasFlag(FileAttributes.Directory)
            || JournalFolderRules.OwnerRefusal(path, owner) is not null)
        {
            RequireTrusted();
        }

        // A file keeps its owner, who could still write to it.
        if (Ours.SelectMany(pattern => Directory.EnumerateFileSystemEntries(path, pattern)).FirstOrDefault() is { } planted)
        {
            throw new ExpectedFailureException(
                ExitCode.Platform, $"Other users could write to {path}, and {planted} is already in it. Check that file, then remove it. Nothing was changed.");
        }

        Try("cannot be given its access list", () => new DirectoryInfo(path).SetAccessControl(Own()));
        RequireTrusted();
        return $"{path} already existed; its access list now allows only administrators and SYSTEM.";
    }

    /// <summary>Removes the journal, the backups and what was kept of them; the folder, the lock and files of others stay.</summary>
    /// <exception cref="ExpectedFailureException">A file cannot be removed; those before it are gone.</exception>
    public void RemoveFiles()
    {
        RequireTrusted();
        // The journal last: what is interrupted can be begun again, and no backup is left without its journal.
        foreach (string file in Ours.SelectMany(pattern => Directory.EnumerateFiles(path, pattern))
            .Where(f => System.IO.Path.GetFileName(f) != DiskJournalFolder.LockName).OrderBy(f => System.IO.Path.GetFileName(f) == Journal.FileName))
        {
            try
            {
                File.Delete(file);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw new ExpectedFailureException(ExitCode.Change, $"{file} cannot be removed: {e.Message.TrimEnd('.')}. Run the same command again.", e);
            }
        }
    }

    /// <summary>The state of the folder; creates nothing.</summary>
    public JournalFolderState State()
    {
        if (!Exists())
        {
            return JournalFolderState.Absent;
        }

        try
        {
            (FileAttributes attributes, string? owner, IReadOnlyList<FolderAccess>? access) = ReadAccess();
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
        (FileAttributes attributes, string? owner, IReadOnlyList<FolderAccess>? access) = ReadAccess();
        if (JournalFolderRules.Refusal(path, attributes, owner, access) is { } refusal)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{refusal} Nothing was changed.");
        }
    }

    private (FileAttributes Attributes, string? Owner, IReadOnlyList<FolderAccess>? Access) ReadAccess()
    {
        FileAttributes attributes = default;
        string? owner = null;
        IReadOnlyList<FolderAccess>? access = null;
        Try("cannot be examined", () =>
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
            throw new ExpectedFailureException(ExitCode.Platform, $"{path} {failed} by this user. Run the command as administrator. Nothing was changed.", e);
        }
        catch (Exception e) when (e is IOException or InvalidOperationException or NotSupportedException)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{path} {failed}: {e.Message.TrimEnd('.')}. Nothing was changed.", e);
        }
    }
}
