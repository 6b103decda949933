using System.Text.RegularExpressions;
using System.Xml.Linq;
using LatencyTuner.Commands;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests;

/// <summary>What can be said of the module's text without a PowerShell; tests/powershell runs it.</summary>
public sealed partial class PowerShellModule
{
    private static readonly string Folder = Path.Combine(Repository.Root, "deploy", "powershell", "LatencyTuner");

    private static readonly string Manifest = File.ReadAllText(Path.Combine(Folder, "LatencyTuner.psd1"));

    public static TheoryData<string> Files => new(Directory.GetFiles(Folder, "*.psm1").Select(f => Path.GetFileName(f)!).Order());

    [Fact]
    public void Manifest_ExportsThePublicFunctions_AndDocsAndHelpHaveThem()
    {
        string[] exported = [.. Names().Matches(Block("FunctionsToExport")).Select(m => m.Value).Order()];
        string[] defined =
        [
            .. Directory.GetFiles(Folder, "*.psm1").SelectMany(f => Functions().Matches(File.ReadAllText(f)))
                .Select(m => m.Groups[1].Value).Where(n => n.Contains("-Tcp", StringComparison.Ordinal)).Order(),
        ];
        XDocument help = XDocument.Load(Path.Combine(Folder, "en-US", "LatencyTuner-help.xml"));
        string[] explained = [.. help.Descendants().Where(e => e.Name.LocalName == "details").Select(d => d.Elements().First().Value).Order()];
        string page = string.Join('\n', ManualPages.Lines("docs/powershell.md"));

        Assert.Equal(defined, exported);
        Assert.Equal(exported, explained);
        Assert.All(exported, name => Assert.Contains($"`{name}`", page, StringComparison.Ordinal));
        Assert.DoesNotContain("*", Block("FunctionsToExport"), StringComparison.Ordinal);
        Assert.Matches(@"CmdletsToExport\s+= @\(\)", Manifest);
        Assert.Matches(@"AliasesToExport\s+= @\(\)", Manifest);
        Assert.All(help.Descendants().Where(e => e.Name.LocalName == "examples"), e => Assert.NotEmpty(e.Elements()));
    }

    [Fact]
    public void Manifest_ListsEveryFile_AndTheVersionOfTheProgram()
    {
        string[] listed = [.. Quoted().Matches(Block("FileList")).Select(m => m.Groups[1].Value).Order()];
        string[] there =
        [
            .. Directory.GetFiles(Folder, "*", SearchOption.AllDirectories).Select(f => Path.GetRelativePath(Folder, f).Replace('\\', '/')).Order(),
        ];
        string version = CliHost.VersionText.Split('-', '+')[0];

        Assert.Equal(there, listed);
        Assert.Contains($"ModuleVersion        = '{version}'", Manifest, StringComparison.Ordinal);
        Assert.Contains(
            $"$script:Release = '{string.Join('.', version.Split('.')[..2])}'", File.ReadAllText(Path.Combine(Folder, "Program.psm1")),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Docs_MapEveryCommandOfTheProgram()
    {
        string[] mapped =
        [
            .. ManualPages.Lines("docs/powershell.md").TakeWhile(l => l != "## What comes back").Select(l => CommandRow().Match(l))
                .Where(m => m.Success).Select(m => m.Groups[1].Value),
        ];

        Assert.Equal(CommandTable.All.Select(c => c.Name).Order(), mapped.Order());
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Text_HasNothingThatConstrainedLanguageOrASignatureForbids(string file)
    {
        string text = File.ReadAllText(Path.Combine(Folder, file));
        string code = string.Join('\n', text.Split('\n').Where(l => !l.TrimStart().StartsWith('#')));

        Assert.All((string[])["Invoke-Expression", "Add-Type", "iex ", "Invoke-Command -ScriptBlock ([scriptblock]", "[scriptblock]::Create"], word =>
            Assert.DoesNotContain(word, code, StringComparison.OrdinalIgnoreCase));
        Assert.DoesNotMatch(@"(?m)^\s*(class|enum|using)\s+\w", code);
        // Dot-sourcing, and what PowerShell 5.1 does not parse.
        Assert.DoesNotMatch(@"(?m)^\s*\.\s+[""'$\w]", code);
        Assert.DoesNotContain(".ps1", code.Replace(".ps1xml", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotMatch(@"\?\?|\?\.|\s\?\s[^{]|&&|\|\|", Strings().Replace(code, "''"));
        Assert.DoesNotMatch(@"\|\s*(%|\?|where|foreach|select|sort|ft|fl|measure|group)\s", Strings().Replace(code, "''"));
        Assert.DoesNotContain("2>", code, StringComparison.Ordinal);
        Assert.DoesNotContain("Out-String", code, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("Set-StrictMode -Version Latest", code, StringComparison.Ordinal);
        Assert.Contains("$ErrorActionPreference = 'Continue'", code, StringComparison.Ordinal);
        Assert.Contains("$PSNativeCommandUseErrorActionPreference = $false", code, StringComparison.Ordinal);
        Assert.Contains("Export-ModuleMember -Function @(", code, StringComparison.Ordinal);
    }

    // What runs on Windows only stands in one file, so that it can be checked by reading.
    [Theory]
    [MemberData(nameof(Files))]
    public void Windows_IsInOneFile(string file) => Assert.All(
        (string[])["NetFirewall", "ScheduledTask", "AuthenticodeSignature", "icacls", "WindowStyle", "Find-NetRoute", "whoami"],
        word => Assert.Equal(
            file == "Windows.psm1", File.ReadAllText(Path.Combine(Folder, file)).Contains(word, StringComparison.OrdinalIgnoreCase)));

    // The one line with the token goes from a job into a private file.
    [Theory]
    [MemberData(nameof(Files))]
    public void Token_IsNoParameterAndNoMessage(string file)
    {
        string text = File.ReadAllText(Path.Combine(Folder, file));

        Assert.DoesNotMatch(@"(?i)\$token\b", text);
        Assert.DoesNotMatch(@"(?i)(Write-(Verbose|Debug|Error|Warning|Information)|-ArgumentList)[^\n]*\$came\b", text);
    }

    [Fact]
    public void Views_HaveNoScript() => Assert.DoesNotContain(
        "ScriptBlock", File.ReadAllText(Path.Combine(Folder, "LatencyTuner.Format.ps1xml")), StringComparison.OrdinalIgnoreCase);

    private static string Block(string name)
    {
        int start = Manifest.IndexOf(name, StringComparison.Ordinal);
        return Manifest[start..Manifest.IndexOf(')', start)];
    }

    [GeneratedRegex(@"(?m)^function ([A-Z][A-Za-z]+-[A-Za-z]+)")]
    private static partial Regex Functions();

    [GeneratedRegex("[A-Z][a-z]+-Tcp[A-Za-z]+")]
    private static partial Regex Names();

    [GeneratedRegex("'([^']+)'")]
    private static partial Regex Quoted();

    [GeneratedRegex("'[^'\n]*'|\"[^\"\n]*\"")]
    private static partial Regex Strings();

    [GeneratedRegex(@"^\| `([a-z-]+)` \| ")]
    private static partial Regex CommandRow();
}
