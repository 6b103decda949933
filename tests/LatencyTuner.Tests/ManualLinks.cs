using System.Text.Json;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Findings;
using Xunit;

namespace LatencyTuner.Tests;

/// <summary>How the pages of the manual hang together: links, the index, the length of the first page, a section for every finding.</summary>
public sealed partial class ManualLinks
{
    private const int MostLinesOfReadme = 250;

    private static readonly string[] Linking = [.. ManualPages.All, "CHANGELOG.md"];

    /// <summary>Every link of the manual that does not lead to another site: the page it is on, and where it leads.</summary>
    public static TheoryData<string, string> Relative =>
        new(Linking.SelectMany(p => Targets(p).Where(t => !t.Contains("://", StringComparison.Ordinal)).Distinct().Select(t => (p, t))));

    [Theory]
    [MemberData(nameof(Relative))]
    public void RelativeLink_LeadsToAFileAndItsAnchor(string page, string target)
    {
        string[] parts = target.Split('#', 2);
        string linked = parts[0].Length == 0 ? page
            : Path.GetRelativePath(ManualPages.Root, Path.GetFullPath(Path.Combine(ManualPages.Root, Path.GetDirectoryName(page)!, parts[0])));

        Assert.True(Path.Exists(Path.Combine(ManualPages.Root, linked)), $"{page}: there is no {linked}");
        if (parts.Length == 2)
        {
            Assert.Contains(parts[1], Anchors(linked));
        }
    }

    [Fact]
    public void Readme_LinksToEveryPage() =>
        Assert.Empty(ManualPages.All.Except([ManualPages.Readme]).Except(Targets(ManualPages.Readme).Select(t => t.Split('#')[0])));

    [Fact]
    public void Readme_IsShort() => Assert.InRange(ManualPages.Lines(ManualPages.Readme).Length, 1, MostLinesOfReadme);

    [Fact]
    public void Findings_EveryCauseHasASection()
    {
        IEnumerable<string> expected = Enum.GetValues<Cause>().Where(c => c is not (Cause.None or Cause.CannotTell or Cause.Unknown))
            .Select(c => $"{CauseIds.IdOf(c)} {JsonNamingPolicy.KebabCaseLower.ConvertName(c.ToString())}");

        IEnumerable<Match> headings = ManualPages.Prose("docs/findings.md").Select(l => FindingHeading().Match(l)).Where(m => m.Success);
        Assert.Equal(expected, headings.Select(m => m.Groups[1].Value));
    }

    private static IEnumerable<string> Targets(string page) =>
        ManualPages.Prose(page).SelectMany(l => Link().Matches(WithoutCode(l))).Select(m => m.Groups[1].Value);

    /// <summary>The anchors that GitHub gives the headings of a page: lower case, without punctuation, spaces as hyphens, repeated ones numbered.</summary>
    private static List<string> Anchors(string page)
    {
        List<string> anchors = [];
        foreach (string heading in ManualPages.Prose(page).Select(l => Heading().Match(l)).Where(m => m.Success).Select(m => m.Groups[1].Value))
        {
            string plain = Link().Replace(heading, m => m.Value[1..m.Value.IndexOf(']', StringComparison.Ordinal)]).Trim().ToLowerInvariant();
            string anchor = Punctuation().Replace(plain, "").Replace(' ', '-');
            int before = anchors.Count(a => a == anchor || Regex.IsMatch(a, $@"^{Regex.Escape(anchor)}-\d+$"));
            anchors.Add(before == 0 ? anchor : $"{anchor}-{before}");
        }

        return anchors;
    }

    private static string WithoutCode(string line) => Code().Replace(line, "");

    [GeneratedRegex(@"\[[^\]]*\]\(([^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex("`[^`]*`")]
    private static partial Regex Code();

    [GeneratedRegex("^#{1,6} (.+)$")]
    private static partial Regex Heading();

    [GeneratedRegex(@"^#{2,3} (LT\d{3} [a-z-]+)$")]
    private static partial Regex FindingHeading();

    [GeneratedRegex(@"[^\p{L}\p{N} _-]")]
    private static partial Regex Punctuation();
}
