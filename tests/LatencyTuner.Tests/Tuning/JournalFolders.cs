using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class JournalFolders
{
    private const string Path = @"C:\ProgramData\LatencyTuner";
    private const string Users = "S-1-5-32-545";
    private const int Full = 0x001F_01FF;
    private const int ReadAndExecute = 0x0012_00A9;

    private static readonly FolderAccess[] Own = [
        new(JournalFolderRules.Administrators, Full, true, false), new(JournalFolderRules.LocalSystem, Full, true, false)];

    [Fact]
    public void Refusal_IsNoneForTheFolderThatSetupMakes() =>
        Assert.Null(JournalFolderRules.Refusal(Path, FileAttributes.Directory, JournalFolderRules.Administrators, Own));

    [Theory]
    [InlineData(JournalFolderRules.LocalSystem)]
    [InlineData(JournalFolderRules.TrustedInstaller)]
    public void Refusal_TakesTheSystemAsOwner(string owner) => Assert.Null(JournalFolderRules.Refusal(Path, FileAttributes.Directory, owner, Own));

    [Theory]
    [InlineData("S-1-5-21-1-2-3-1001")]
    [InlineData(Users)]
    [InlineData("S-1-5-18-1")]
    [InlineData(null)]
    public void Refusal_NamesAnyOtherOwner(string? owner) =>
        Assert.Contains($"owned by {owner ?? "nobody"}", JournalFolderRules.Refusal(Path, FileAttributes.Directory, owner, Own), StringComparison.Ordinal);

    [Fact]
    public void Refusal_OfALinkComesBeforeItsOwner() =>
        Assert.Contains(
            "is a link", JournalFolderRules.Refusal(Path, FileAttributes.Directory | FileAttributes.ReparsePoint, JournalFolderRules.Administrators, Own),
            StringComparison.Ordinal);

    [Fact]
    public void Refusal_OfAFile() =>
        Assert.Contains(
            "not a folder", JournalFolderRules.Refusal(Path, FileAttributes.Archive, JournalFolderRules.Administrators, Own), StringComparison.Ordinal);

    [Fact]
    public void Refusal_OfNoListAtAll() =>
        Assert.Contains(
            "everyone may write", JournalFolderRules.Refusal(Path, FileAttributes.Directory, JournalFolderRules.Administrators, null),
            StringComparison.Ordinal);

    /// <summary>Each single right by which something could be planted, as ProgramData hands two of them to Users.</summary>
    [Theory]
    [InlineData(0x0002)]
    [InlineData(0x0004)]
    [InlineData(0x0040)]
    [InlineData(0x0001_0000)]
    [InlineData(0x0004_0000)]
    [InlineData(0x0008_0000)]
    [InlineData(0x1000_0000)]
    [InlineData(0x4000_0000)]
    [InlineData(Full)]
    public void Refusal_OfAnyWayInForOthers(int rights)
    {
        Assert.Contains(Users, Access(new FolderAccess(Users, rights, true, false)), StringComparison.Ordinal);
        Assert.Contains(Users, Access(new FolderAccess(Users, rights, true, true)), StringComparison.Ordinal);
        Assert.Null(Access(new FolderAccess(Users, rights, false, false)));
    }

    [Fact]
    public void Refusal_LetsOthersReadAndCreatorsBe()
    {
        Assert.Null(Access(new FolderAccess(Users, ReadAndExecute, true, false)));
        Assert.Null(Access(new FolderAccess(JournalFolderRules.CreatorOwner, Full, true, true)));
        Assert.NotNull(Access(new FolderAccess(JournalFolderRules.CreatorOwner, Full, true, false)));
    }

    private static string? Access(FolderAccess more) =>
        JournalFolderRules.Refusal(Path, FileAttributes.Directory, JournalFolderRules.Administrators, [.. Own, more]);
}
