using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using LatencyTuner.Core;
using Xunit;

namespace LatencyTuner.Tests;

/// <summary>The decisions about the shape of the sources, read from the sources.</summary>
public sealed partial class Architecture
{
    private const int MostLines = 400;

    /// <summary>Each room of the library and the rooms it may use.</summary>
    private static readonly Dictionary<string, string[]> Rooms = new()
    {
        ["Evidence"] = [],
        ["Inputs"] = ["Evidence"],
        ["Etw"] = ["Evidence", "Inputs"],
        ["Capture"] = ["Evidence", "Inputs"],
        ["Settings"] = ["Evidence"],
        // Statistics judge latency histograms, the one data type of Measurement that is as neutral as a number; so Measurement itself may not use them.
        ["Statistics"] = ["Evidence", "Measurement"],
        ["Measurement"] = ["Evidence", "Inputs", "Etw", "Capture", "Settings"],
        ["Analysis"] = ["Evidence", "Inputs", "Statistics", "Etw", "Capture", "Settings", "Measurement"],
        ["Tuning"] = ["Evidence", "Statistics", "Etw", "Capture", "Settings", "Measurement", "Analysis"],
        ["Reporting"] = ["Evidence", "Statistics", "Etw", "Capture", "Settings", "Measurement", "Analysis", "Tuning"],
    };

    /// <summary>Waits of the operating system's own kind, not clocks: file and reason.</summary>
    private static readonly Dictionary<string, string> MaySleep = new()
    {
        ["Measurement/Responder.cs"] = "the process is out of sockets",
        ["Measurement/Platform/Windows/WindowsSocketPlatform.cs"] = "WSAPoll refuses an empty set",
    };

    private static readonly string Root = FindRoot();

    private static string Core => Path.Combine(Root, "src", "LatencyTuner.Core");

    private static string FindRoot()
    {
        DirectoryInfo? at = new(AppContext.BaseDirectory);
        while (at is not null && !File.Exists(Path.Combine(at.FullName, "LatencyTuner.sln")))
        {
            at = at.Parent;
        }

        return at?.FullName ?? throw new InvalidOperationException("LatencyTuner.sln is in no folder above the tests.");
    }

    /// <summary>Path below the folder with slashes, and the text without comments.</summary>
    private static List<(string Path, string Code)> Sources(string folder)
    {
        List<(string, string)> sources = [.. Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            .Select(f => (Path: Path.GetRelativePath(folder, f).Replace('\\', '/'), Code: Comments().Replace(File.ReadAllText(f), "")))
            .Where(s => !s.Path.Split('/').Any(p => p is "obj" or "bin"))];
        Assert.NotEmpty(sources);
        return sources;
    }

    private static void AssertNone(IEnumerable<string> offenders) => Assert.Equal("", string.Join('\n', offenders));

    [Fact]
    public void Core_ReferencesNoPackageAndNoProject()
    {
        XDocument project = XDocument.Load(Path.Combine(Core, "LatencyTuner.Core.csproj"));
        AssertNone(project.Descendants().Where(e => e.Name.LocalName is "PackageReference" or "ProjectReference" or "Reference").Select(e => e.ToString()));
    }

    [Fact]
    public void Core_ReferencesTheFrameworkOnly()
    {
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        AssertNone(typeof(ExitCode).Assembly.GetReferencedAssemblies().Select(a => a.Name!)
            .Where(
                name => name is "System.CommandLine" or "Spectre.Console" || name.Contains("TraceEvent", StringComparison.Ordinal)
                    || !File.Exists(Path.Combine(framework, name + ".dll"))));
    }

    [Fact]
    public void Core_NeitherPrintsNorReadsClockEnvironmentOrChance() => AssertNone(
        from source in Sources(Core)
        from Match match in Ambient().Matches(source.Code)
        where match.Value != "Thread.Sleep" || !MaySleep.ContainsKey(source.Path)
        select $"{source.Path}: {match.Value}");

    [Fact]
    public void Ambient_FindsWhatItIsFor() => Assert.All(
        new[] {
            "Console.Out", "DateTime.Now", "DateTime.UtcNow", "DateTimeOffset.UtcNow", "Environment.GetEnvironmentVariable(\"A\")", "Random.Shared",
            "new Random()", "Random r = new();", "Stopwatch.GetTimestamp()", "Thread.Sleep(1)", "Environment.TickCount64", "Guid.NewGuid()" },
        text => Assert.Matches(Ambient(), " " + text));

    [Fact]
    public void Core_RoomsUseOnlyRoomsBelowThem() => AssertNone(
        from source in Sources(Core)
        let room = source.Path.Split('/')[0]
        where source.Path.Contains('/', StringComparison.Ordinal)
        from Match match in RoomName().Matches(source.Code)
        let other = match.Groups[1].Value
        where other != room && Rooms.ContainsKey(other) && !Rooms[room].Contains(other)
        select $"{source.Path} uses {other}");

    [Fact]
    public void Core_EveryFolderIsARoom() => Assert.All(
        Sources(Core).Where(s => s.Path.Contains('/', StringComparison.Ordinal)).Select(s => s.Path.Split('/')[0]).Distinct(),
        folder => Assert.Contains(folder, Rooms.Keys));

    [Fact]
    public void Core_NamespaceIsTheFolder() => AssertNone(
        from source in Sources(Core)
        let folder = Path.GetDirectoryName(source.Path)!.Replace('\\', '/')
        let expected = "namespace LatencyTuner.Core" + (folder.Length == 0 ? "" : "." + folder.Replace('/', '.')) + ";"
        where !source.Code.Contains(expected, StringComparison.Ordinal)
        select $"{source.Path}: not {expected}");

    [Fact]
    public void Core_StatisticsUseOfMeasurementOnlyHistograms()
    {
        Assembly core = typeof(ExitCode).Assembly;
        string[] names = [.. core.GetTypes().Where(t => t.Namespace == "LatencyTuner.Core.Measurement" && !t.IsNested).Select(t => t.Name.Split('`')[0])];
        AssertNone(
            from source in Sources(Path.Combine(Core, "Statistics"))
            from name in names
            where name is not ("LatencyHistogram" or "LatencyBlocks" or "LatencyBlock" or "HistogramBucket") && Regex.IsMatch(source.Code, $@"\b{name}\b")
            select $"{source.Path} uses {name}");
    }

    [Fact]
    public void Windows_OnlyInItsFolders() => AssertNone(
        from source in Sources(Path.Combine(Root, "src"))
        where Regex.IsMatch(source.Code, @"SupportedOSPlatform\(""windows|(Library|Dll)Import\(""(ws2_32|kernel32|winmm|advapi32|iphlpapi|ntdll|user32)")
        where !source.Path.StartsWith("LatencyTuner.Core/Measurement/Platform/Windows/", StringComparison.Ordinal)
            && !source.Path.StartsWith("LatencyTuner/Windows/", StringComparison.Ordinal)
        select source.Path);

    [Fact]
    public void Imports_OnlyInPlatformFolders() => AssertNone(
        from source in Sources(Path.Combine(Root, "src"))
        where Regex.IsMatch(source.Code, @"\b(LibraryImport|DllImport)\b")
        where !source.Path.StartsWith("LatencyTuner.Core/Measurement/Platform/", StringComparison.Ordinal)
            && !source.Path.StartsWith("LatencyTuner/Windows/", StringComparison.Ordinal)
        select source.Path);

    /// <summary>What is loaded only where it is used costs no other command its time to load, and no other system a missing library.</summary>
    [Fact]
    public void Cim_IsCalledInWindowsOnly() => AssertNone(
        from source in Sources(Path.Combine(Root, "src"))
        where Regex.IsMatch(source.Code, @"\bSystem\.Management\b(?!\.Automation)")
        where !source.Path.StartsWith("LatencyTuner/Windows/", StringComparison.Ordinal)
        select source.Path);

    /// <summary>Its assembly is loaded with ASP.NET Core beside it; a reference anywhere else would load that without it, or not at all.</summary>
    [Fact]
    public void AspNetCore_IsUsedInItsProjectOnly() => AssertNone(
        from source in Sources(Path.Combine(Root, "src"))
        where Regex.IsMatch(source.Code, @"using Microsoft\.(AspNetCore|Extensions)\b|\bLatencyTuner\.Http\.(?!\w*"")")
        where !source.Path.StartsWith("LatencyTuner.Http/", StringComparison.Ordinal)
        select source.Path);

    [Fact]
    public void Sources_AreShort() => AssertNone(
        from folder in new[] { "src", "tests" }
        from source in Sources(Path.Combine(Root, folder))
        let lines = File.ReadLines(Path.Combine(Root, folder, source.Path)).Count()
        where lines > MostLines
        select $"{folder}/{source.Path}: {lines} lines");

    [GeneratedRegex(@"^\s*//.*$|(?<=\s)//.*$", RegexOptions.Multiline)]
    private static partial Regex Comments();

    [GeneratedRegex(
        @"\bConsole\.|\bDateTime(Offset)?\.(Utc)?(Now|Today)\b|\bEnvironment\.(GetEnvironmentVariables?|TickCount(64)?|ExpandEnvironmentVariables|MachineName|UserName)\b|\bRandom\.Shared\b|\bnew Random\(\)|\bRandom \w+ = new\(\)|\bStopwatch\.|\bnew Stopwatch\b|\bThread\.Sleep\b|\bGuid\.NewGuid\b")]
    private static partial Regex Ambient();

    [GeneratedRegex(@"(?<=LatencyTuner\.Core\.|[^\w.]Core\.|using static LatencyTuner\.Core\.)(\w+)")]
    private static partial Regex RoomName();
}
