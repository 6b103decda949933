using System.Text.RegularExpressions;
using LatencyTuner.Commands;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests;

/// <summary>docs/deployment.md says what the program loads, needs and writes; the code is where that comes from.</summary>
public sealed partial class HardenedHosts
{
    private const string Page = "docs/deployment.md";
    private static readonly string ModuleFolder = Path.Combine(Repository.Root, "deploy", "powershell", "LatencyTuner");
    private static readonly CliHost Host = new() { Out = TextWriter.Null, Error = TextWriter.Null };

    /// <summary>
    /// The types of the module that Constrained Language has (learn.microsoft.com, about_Language_Modes): literals, conversions, and calls of methods.
    /// </summary>
    private static readonly string[] Types =
    [
        "bool", "datetime", "double", "guid", "hashtable", "int", "long", "object", "ordered", "pscredential", "string", "switch", "timespan", "uint32",
        "version", "void",
    ];

    /// <summary>Methods of these types: hashtable, string, datetime, and ToString, which every type has.</summary>
    private static readonly string[] Methods =
    [
        "AddMilliseconds", "AddMinutes", "AddSeconds", "ContainsKey", "FromTicks", "NewGuid", "Substring", "ToLowerInvariant", "ToString", "ToUniversalTime",
        "ToUpperInvariant", "Trim",
    ];

    /// <summary>Files whose functions begin with Assert-LatencyFullLanguage or are called behind it: what changes something, and what asks.</summary>
    private static readonly string[] FullLanguage = ["Consent.psm1", "Settings.psm1", "Remoting.psm1"];

    public static TheoryData<string> Files => new(Directory.GetFiles(ModuleFolder, "*.psm1").Select(f => Path.GetFileName(f)!).Order());

    [Theory]
    [MemberData(nameof(Files))]
    public void Module_UsesWhatConstrainedLanguageHas(string file)
    {
        string code = Attributes().Replace(
            string.Join('\n', File.ReadAllLines(Path.Combine(ModuleFolder, file)).Where(l => !l.TrimStart().StartsWith('#'))), "");
        code = Quoted().Replace(code, "''");
        string[] more = FullLanguage.Contains(file) ? ["environment", "console"] : [];

        Assert.Empty(Literals().Matches(code).Select(m => m.Groups[1].Value.ToLowerInvariant()).Except([.. Types, .. more]));
        string[] asking = FullLanguage.Contains(file) ? ["ShouldProcess"] : [];
        Assert.Empty(Calls().Matches(code).Select(m => m.Groups[1].Value).Except([.. Methods, .. asking]));
        Assert.All(Created().Matches(code), m => Assert.Equal("PSObject", m.Groups[1].Value));
    }

    [Fact]
    public void Page_NamesWhatTheModuleUses()
    {
        string page = Text(Page);
        Assert.All(Types.Where(t => Directory.GetFiles(ModuleFolder, "*.psm1").Any(f => File.ReadAllText(f).Contains($"[{t}", StringComparison.Ordinal))),
            t => Assert.Contains($"`[{t}]`", page, StringComparison.Ordinal));
    }

    [Fact]
    public void Page_NamesEveryLibraryOfWindowsThatIsCalled()
    {
        string[] called =
        [
            .. Directory.GetFiles(Path.Combine(Repository.Root, "src"), "*.cs", SearchOption.AllDirectories)
                .SelectMany(f => Imports().Matches(File.ReadAllText(f))).Select(m => m.Groups[1].Value + ".dll").Where(n => n != "libc.dll").Distinct().Order(),
        ];
        string[] listed = [.. Libraries().Matches(Line("| System32 |")).Select(m => m.Groups[1].Value).Order()];

        Assert.NotEmpty(called);
        Assert.Equal(called, listed);
    }

    [Fact]
    public void Page_NamesWhatIsWrittenAsTheCodeHasIt()
    {
        string page = Text(Page);

        Assert.All(
            [
                $"TCP {TargetOptions.DefaultPort}", Journal.FileName, DiskJournalFolder.LockName, $"{BatchEvent.Applied}", $"{BatchEvent.RolledBack}",
                $"{BatchEvent.Failed}", "build 14393",
            ],
            word => Assert.Contains(word, page, StringComparison.Ordinal));
        // What stands in a private constant is looked up where it stands.
        Assert.All(
            new (string Source, string Word)[]
            {
                ("src/LatencyTuner/Windows/EventLogSource.cs", @"HKLM\SYSTEM\CurrentControlSet\Services\EventLog\Application\"),
                ("src/LatencyTuner/Windows/EventLogSource.cs", @"v4.0.30319\EventLogMessages.dll"),
                ("src/LatencyTuner/Windows/ProtectedFolder.cs", "journal*"),
                ("src/LatencyTuner/Windows/ProtectedFolder.cs", "before-*"),
                ("src/LatencyTuner/Windows/ProtectedFolder.cs", "measured-*"),
                ("deploy/powershell/LatencyTuner/Program.psm1", "latencytuner-partial-"),
                ("deploy/powershell/LatencyTuner/Remoting.psm1", "latencytuner-copy-"),
            },
            row =>
            {
                Assert.Contains(row.Word, Text(row.Source), StringComparison.Ordinal);
                Assert.Contains(row.Word, page, StringComparison.Ordinal);
            });
    }

    /// <summary>Command lines for installers: what they give to the program parses.</summary>
    [Fact]
    public void Page_CommandLinesOfInstallersParse()
    {
        string[] words = [.. Installed().Matches(Text(Page)).Select(m => "latencytuner " + m.Groups[1].Value.Trim())];

        Assert.True(words.Length >= 2);
        Assert.All(words, line => Assert.Empty(Cli.Parse(CommandLineOf(line), Host).Errors));
    }

    private static string[] CommandLineOf(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1..];

    private static string Line(string start) => File.ReadLines(Path.Combine(Repository.Root, Page)).Single(l => l.StartsWith(start, StringComparison.Ordinal));

    private static string Text(string path) => File.ReadAllText(Path.Combine(Repository.Root, path));

    [GeneratedRegex(@"(?m)^\s*\[[A-Z][A-Za-z.]*\(.*\)\]\s*$|\[(Parameter|Validate\w+|Allow\w+|OutputType|CmdletBinding|Alias)\([^\]]*\)\]")]
    private static partial Regex Attributes();

    [GeneratedRegex("'[^'\n]*'|\"[^\"\n]*\"")]
    private static partial Regex Quoted();

    [GeneratedRegex(@"\[([A-Za-z][A-Za-z0-9_.]*)(?:\[\])?\]")]
    private static partial Regex Literals();

    [GeneratedRegex(@"[.:]([A-Z][A-Za-z]+)\(")]
    private static partial Regex Calls();

    [GeneratedRegex(@"New-Object -TypeName (\S+)")]
    private static partial Regex Created();

    [GeneratedRegex("(?:LibraryImport|DllImport)\\(\\s*\"([a-z0-9_]+)\"")]
    private static partial Regex Imports();

    [GeneratedRegex("`([a-z0-9_]+\\.dll)`")]
    private static partial Regex Libraries();

    [GeneratedRegex("latencytuner\\.exe\"? ((?:setup|selftest|check)[a-z -]*)")]
    private static partial Regex Installed();
}
