namespace LatencyTuner.Core.Tuning;

/// <summary>
/// Whether the folder of the journal can be trusted: a user who may write there could plant a journal, and a rollback does what the journal says.
/// </summary>
public static class JournalFolderRules
{
    /// <summary>The local group of administrators (well-known SIDs, learn.microsoft.com).</summary>
    public const string Administrators = "S-1-5-32-544";

    /// <summary>The operating system.</summary>
    public const string LocalSystem = "S-1-5-18";

    /// <summary>The service that installs Windows; owner of much that Windows brings.</summary>
    public const string TrustedInstaller = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";

    /// <summary>Stands for whoever creates something inside; grants nothing in the folder itself.</summary>
    public const string CreatorOwner = "S-1-3-0";

    // FILE_WRITE_DATA, FILE_APPEND_DATA, FILE_WRITE_EA, FILE_DELETE_CHILD, FILE_WRITE_ATTRIBUTES, DELETE, WRITE_DAC, WRITE_OWNER, GENERIC_ALL, GENERIC_WRITE.
    private const int Writing = 0x0002 | 0x0004 | 0x0010 | 0x0040 | 0x0100 | 0x0001_0000 | 0x0004_0000 | 0x0008_0000 | 0x1000_0000 | 0x4000_0000;

    /// <summary>Why the folder is not used, a sentence; null when it is.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="attributes">Its attributes.</param>
    /// <param name="owner">SID of its owner; null when it has none.</param>
    /// <param name="access">Its access list; null when it has none, which grants everything to everyone.</param>
    public static string? Refusal(string path, FileAttributes attributes, string? owner, IReadOnlyList<FolderAccess>? access)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (attributes.HasFlag(FileAttributes.ReparsePoint))
        {
            return $"{path} is a link to another place, and the one who made it can change that place. Remove the link.";
        }

        if (!attributes.HasFlag(FileAttributes.Directory))
        {
            return $"{path} is not a folder. Remove it.";
        }

        if (OwnerRefusal(path, owner) is { } refusal)
        {
            return refusal;
        }

        if (access is null)
        {
            return $"{path} has no access list, so everyone may write there. Run 'latencytuner setup' to give it one.";
        }

        // A grant counts even where a denial may take it back: what decides that is the order and the token, and neither is known here.
        List<string> others = access.Where(a => a.Allows && (a.Rights & Writing) != 0 && !IsTrusted(a.Sid) && !(a.Sid == CreatorOwner && a.IsInheritOnly))
            .Select(a => a.Sid).Distinct().ToList();
        return others.Count == 0 ? null
            : $"{path} can be written by accounts that are not administrators ({string.Join(", ", others)}). Run 'latencytuner setup' to give it an access "
                + "list of its own.";
    }

    /// <summary>Why the owner alone makes a folder unusable, whatever its access list is; null when it does not.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="owner">SID of its owner; null when it has none.</param>
    public static string? OwnerRefusal(string path, string? owner) => owner is not null && IsTrusted(owner)
        ? null
        : $"{path} is owned by {owner ?? "nobody"}, not by Administrators or SYSTEM, so its contents cannot be trusted. Examine the folder, then remove it.";

    private static bool IsTrusted(string sid) => sid is Administrators or LocalSystem or TrustedInstaller;
}
