using System.Text.RegularExpressions;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests;

/// <summary>What a release takes from the repository. <c>tests/release/run</c> makes one and checks it.</summary>
public sealed partial class Releases
{
    private const string Module = "deploy/powershell/LatencyTuner/LatencyTuner.psd1";
    private const string Program = "deploy/powershell/LatencyTuner/Program.psm1";

    private static string Version => VersionElement().Match(Text("Directory.Build.props")).Groups[1].Value;

    /// <summary>The version stands in Directory.Build.props. LATENCYTUNER_UPDATE=1 writes it where others read it.</summary>
    [Fact]
    public void Version_StandsInOnePlace()
    {
        Follows(Module, ModuleVersion(), Version);
        Follows(Program, ModuleRelease(), string.Join('.', Version.Split('.')[..2]));
        foreach (string manifest in Directory.GetFiles(Path.Combine(Repository.Root, "deploy"), "*.dsc.resource.json", SearchOption.AllDirectories))
        {
            Follows(Path.GetRelativePath(Repository.Root, manifest), ResourceVersion(), Version);
        }

        Assert.Equal(Version, CliHost.VersionText);
        Assert.StartsWith(Version, CliHost.FullVersionText, StringComparison.Ordinal);
        Assert.Contains($"## [{Version}]", Text("CHANGELOG.md"), StringComparison.Ordinal);
        Assert.DoesNotContain(
            Directory.GetFiles(Path.Combine(Repository.Root, "src"), "*.csproj", SearchOption.AllDirectories),
            p => VersionElement().IsMatch(File.ReadAllText(p)));
    }

    /// <summary>A single file has no paths of assemblies: what asks for them works in other builds only.</summary>
    [Fact]
    public void Sources_AskForNoPathOfAnAssembly() => Assert.DoesNotContain(
        Directory.GetFiles(Path.Combine(Repository.Root, "src"), "*.cs", SearchOption.AllDirectories),
        p => AssemblyPath().IsMatch(File.ReadAllText(p)));

    private static void Follows(string path, Regex pattern, string version)
    {
        string text = Text(path);
        MatchCollection found = pattern.Matches(text);
        Assert.True(found.Count == 1, $"{path} has {found.Count} versions.");
        if (Repository.Updates)
        {
            Group old = found[0].Groups[1];
            File.WriteAllText(Path.Combine(Repository.Root, path), text[..old.Index] + version + text[(old.Index + old.Length)..]);
            return;
        }

        string actual = found[0].Groups[1].Value;
        Assert.True(version == actual, $"{path} has version {actual} instead of {version}: LATENCYTUNER_UPDATE=1 writes it.");
    }

    private static string Text(string path) => File.ReadAllText(Path.Combine(Repository.Root, path));

    [GeneratedRegex("<Version>([0-9.]+)</Version>")]
    private static partial Regex VersionElement();

    [GeneratedRegex(@"ModuleVersion\s+= '([0-9.]+)'")]
    private static partial Regex ModuleVersion();

    [GeneratedRegex(@"\$script:Release = '([0-9.]+)'")]
    private static partial Regex ModuleRelease();

    [GeneratedRegex("(?m)^  \"version\": \"([0-9.]+)\"")]
    private static partial Regex ResourceVersion();

    [GeneratedRegex(@"Assembly(\(\))?\.(Location|CodeBase)\b")]
    private static partial Regex AssemblyPath();
}
