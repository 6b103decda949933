using System.Reflection;
using System.Runtime.Versioning;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using LatencyTuner.Core;
using LatencyTuner.Core.Reporting;
using Mono.Cecil;
using Xunit;

namespace LatencyTuner.Tests;

/// <summary>The walls of the house, read from the compiled assemblies: which folder uses which, and what only some may do.</summary>
public sealed partial class Architecture
{
    private const int MostLines = 450;
    private const int MostColumns = 160;

    /// <summary>The rooms of the library from the ground up: a room may use those before it and none after.</summary>
    private static readonly string[] Rooms =
    [
        "Text", "Inputs", "Evidence", "Findings", "Histograms", "Series", "Statistics", "Capture", "Masking", "Etw", "Sockets", "Measurement", "Recordings",
        "Settings", "Analysis", "Tuning", "Reporting",
    ];

    /// <summary>Calls that read the clock, the environment or chance, or that print.</summary>
    private static readonly string[] Ambient =
    [
        "System.Console::", "System.DateTime::get_Now", "System.DateTime::get_UtcNow", "System.DateTime::get_Today", "System.DateTimeOffset::get_Now",
        "System.DateTimeOffset::get_UtcNow", "System.Environment::GetEnvironmentVariable", "System.Environment::get_TickCount",
        "System.Environment::ExpandEnvironmentVariables", "System.Environment::get_MachineName", "System.Environment::get_UserName",
        "System.Random::get_Shared", "System.Diagnostics.Stopwatch::", "System.Threading.Thread::Sleep", "System.Guid::NewGuid",
    ];

    /// <summary>Waits of the operating system's own kind, not clocks: type and reason.</summary>
    private static readonly Dictionary<string, string> MaySleep = new()
    {
        ["Responder"] = "the process is out of sockets",
        ["WindowsSocketPlatform"] = "WSAPoll refuses an empty set",
    };

    /// <summary>Libraries of Windows: only code that runs there calls them.</summary>
    private static readonly string[] WindowsLibraries = ["ws2_32", "kernel32", "winmm", "advapi32", "iphlpapi", "ntdll", "user32", "fwpuclnt"];

    private static readonly string[] WindowsFolders = ["Core/Sockets/Windows", "Exe/Windows"];

    private static readonly string CoreProject = Path.Combine(Repository.Root, "src", "LatencyTuner.Core");

    private static CompiledTypes Program => CompiledTypes.OfTheProgram;

    private static void AssertNone(IEnumerable<string> offenders)
    {
        string all = string.Join('\n', offenders);
        Assert.True(all.Length == 0, all);
    }

    /// <summary>
    /// The list holds the arrows that exist, no more: an arrow that is new is a decision, and one that is gone leaves the list. It is changed by hand.
    /// </summary>
    [Fact]
    public void Arrows_AreThoseOfTheList()
    {
        SortedDictionary<(string From, string To), string> arrows = Program.Arrows();
        HashSet<(string From, string To)> allowed = [.. Listed()];

        AssertNone(arrows.Where(a => !allowed.Contains(a.Key)).Select(a => $"{a.Key.From} -> {a.Key.To} is not in arrows.txt: {a.Value}"));
        AssertNone(allowed.Where(a => !arrows.ContainsKey(a)).Select(a => $"{a.From} -> {a.To} is in arrows.txt and does not exist any more"));
    }

    [Fact]
    public void Arrows_MakeNoCircle()
    {
        ILookup<string, string> next = Program.Arrows().Keys.ToLookup(a => a.From, a => a.To);
        Dictionary<string, int> state = [];
        List<string> circles = [];
        void Visit(string folder, List<string> path)
        {
            if (state.TryGetValue(folder, out int seen))
            {
                if (seen == 1)
                {
                    circles.Add(string.Join(" -> ", path.SkipWhile(f => f != folder).Append(folder)));
                }

                return;
            }

            state[folder] = 1;
            foreach (string to in next[folder])
            {
                Visit(to, [.. path, folder]);
            }

            state[folder] = 2;
        }

        foreach (IGrouping<string, string> from in next)
        {
            Visit(from.Key, []);
        }

        AssertNone(circles);
    }

    [Fact]
    public void Core_RoomsUseOnlyRoomsBeforeThem() => AssertNone(
        from arrow in Program.Arrows()
        let user = RoomOf(arrow.Key.From)
        let used = RoomOf(arrow.Key.To)
        where user is not null && used is not null && Array.IndexOf(Rooms, used) > Array.IndexOf(Rooms, user)
        select $"{arrow.Key.From} -> {arrow.Key.To}: {arrow.Value}");

    [Fact]
    public void Core_EveryFolderIsARoom() => Assert.All(
        Program.All.Select(t => CompiledTypes.FolderOf(t.Namespace)!).Where(f => f.StartsWith("Core/", StringComparison.Ordinal)).Distinct(),
        f => Assert.Contains(RoomOf(f), Rooms));

    /// <summary>What is shown shows the document: whatever is judged was judged before, and stands in the model.</summary>
    [Fact]
    public void Pages_UseTheModelOnly() => AssertNone(OffendersAmongPages(Program));

    /// <summary>A page that judges, in an assembly made for this test: the wall must see it.</summary>
    [Fact]
    public void Pages_ThatJudgeAreFound()
    {
        CompiledTypes planted = CompiledTypes.Read([Plant("LatencyTuner.Core.Reporting.Check", "PlantedPage", "LatencyTuner.Core.Analysis", "Gate")]);

        Assert.Contains("PlantedPage uses Gate", string.Join('\n', OffendersAmongPages(planted)), StringComparison.Ordinal);
    }

    /// <summary>An arrow between two sub-folders that the list does not have, in an assembly made for this test.</summary>
    [Fact]
    public void Arrows_ThatAreNewAreFound()
    {
        const string From = "LatencyTuner.Core.Measurement.Probes", To = "LatencyTuner.Core.Measurement.Sweeps";
        CompiledTypes planted = CompiledTypes.Read([Plant(From, "Planted", To, "Used"), Plant(To, "Used", "System", "Object")]);

        (string, string) arrow = Assert.Single(planted.Arrows()).Key;
        Assert.Equal(("Core/Measurement/Probes", "Core/Measurement/Sweeps"), arrow);
        Assert.DoesNotContain(arrow, Listed());
    }

    [Fact]
    public void Core_ReferencesNoPackageAndNoProject()
    {
        XDocument project = XDocument.Load(Path.Combine(CoreProject, "LatencyTuner.Core.csproj"));
        AssertNone(project.Descendants().Where(e => e.Name.LocalName is "PackageReference" or "ProjectReference" or "Reference").Select(e => e.ToString()));
    }

    [Fact]
    public void Core_ReferencesTheFrameworkOnly()
    {
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        AssertNone(typeof(ExitCode).Assembly.GetReferencedAssemblies().Select(a => a.Name!).Where(name =>
            name is "System.CommandLine" or "Spectre.Console" || name.Contains("TraceEvent", StringComparison.Ordinal)
            || !File.Exists(Path.Combine(framework, name + ".dll"))));
    }

    [Fact]
    public void Core_NeitherPrintsNorReadsClockEnvironmentOrChance() => AssertNone(
        from type in Program.All
        where CompiledTypes.FolderOf(type.Namespace)!.StartsWith("Core", StringComparison.Ordinal)
        from call in CompiledTypes.Calls(type)
        where Ambient.Any(a => call.StartsWith(a, StringComparison.Ordinal))
            && !(call.EndsWith("::Sleep", StringComparison.Ordinal) && MaySleep.ContainsKey(type.Name))
        select $"{type.FullName}: {call}");

    [Fact]
    public void Core_MakesNoRandomSourceWithoutASeed() => AssertNone(
        from type in Program.All
        where CompiledTypes.FolderOf(type.Namespace)!.StartsWith("Core", StringComparison.Ordinal)
        from method in CompiledTypes.Nested(type).SelectMany(t => t.Methods).Where(m => m.HasBody)
        from made in method.Body.Instructions.Select(i => i.Operand).OfType<MethodReference>()
        where made is { Name: ".ctor", DeclaringType.FullName: "System.Random", HasParameters: false }
        select $"{type.FullName}.{method.Name}");

    [Fact]
    public void Windows_OnlyInItsFolders() => AssertNone(
        from type in Program.All
        where !WindowsFolders.Contains(CompiledTypes.FolderOf(type.Namespace))
        where CompiledTypes.Nested(type).Any(IsOfWindows)
        select type.FullName);

    [Fact]
    public void Imports_OnlyInPlatformFolders() => AssertNone(
        from type in Program.All
        let folder = CompiledTypes.FolderOf(type.Namespace)
        where CompiledTypes.Nested(type).SelectMany(t => t.Methods).Any(m => m.IsPInvokeImpl)
        where !folder.StartsWith("Core/Sockets", StringComparison.Ordinal) && folder != "Exe/Windows"
        select type.FullName);

    /// <summary>What is loaded only where it is used costs no other command its time to load, and no other system a missing library.</summary>
    [Fact]
    public void Cim_IsCalledInWindowsOnly() => AssertNone(
        from use in Program.Uses
        where use.Value.Any(u => u.StartsWith("System.Management.", StringComparison.Ordinal)) && CompiledTypes.FolderOfType(use.Key) != "Exe/Windows"
        select use.Key);

    /// <summary>Its assembly is loaded with ASP.NET Core beside it; a reference anywhere else would load that without it, or not at all.</summary>
    [Fact]
    public void AspNetCore_IsUsedInItsProjectOnly() => AssertNone(
        from use in Program.Uses
        where !CompiledTypes.FolderOfType(use.Key)!.StartsWith("Http", StringComparison.Ordinal)
        from used in use.Value
        where used.StartsWith("Microsoft.AspNetCore.", StringComparison.Ordinal) || used.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal)
            || CompiledTypes.FolderOfType(used) == "Http"
        select $"{use.Key} uses {used}");

    [Fact]
    public void Names_AreUnique() => AssertNone(
        Program.All.GroupBy(t => t.Name.Split('`')[0], StringComparer.Ordinal).Where(g => g.Count() > 1)
            .Select(g => string.Join(", ", g.Select(t => t.FullName))));

    /// <summary>Two names that differ by a plural alone tell nobody which is which.</summary>
    [Fact]
    public void Names_DifferByMoreThanAPlural()
    {
        HashSet<string> names = [.. Program.All.Select(t => t.Name.Split('`')[0])];
        AssertNone(names.Where(n => names.Contains(n + "s")).Select(n => $"{n} and {n}s"));
    }

    [Fact]
    public void Sources_AreShort() => AssertNone(
        from source in Sources()
        let lines = File.ReadLines(source).Count()
        where lines > MostLines
        select $"{source}: {lines} lines");

    [Fact]
    public void Sources_HaveLinesThatFit() => AssertNone(
        from source in Sources()
        from line in File.ReadLines(source).Select((text, i) => (Text: text, Number: i + 1))
        where line.Text.Length > MostColumns && !line.Text.Contains("http", StringComparison.Ordinal)
        select $"{source}({line.Number}): {line.Text.Length} columns");

    // The style analyzer that finds the same takes half of the time of all analyzers.
    [Fact]
    public void Sources_NameTheTypesOfVariables() => AssertNone(
        from source in Sources()
        from line in File.ReadLines(source).Select((text, number) => (Text: text, Number: number + 1))
        where ImplicitType().IsMatch(line.Text)
        select $"{Path.GetRelativePath(Repository.Root, source)}:{line.Number} declares a variable without its type");

    [Theory]
    [InlineData("V x = 1;", true)]
    [InlineData("foreach (V x in all)", true)]
    [InlineData("(V x, int y) = pair;", true)]
    [InlineData("V (x, y) = pair;", true)]
    [InlineData("F(out V x)", true)]
    [InlineData("if (x is > 0 and V y && y == 1)", false)]
    [InlineData("V other => throw", false)]
    [InlineData("x is { A: V a } b", false)]
    public void VariablesWithoutTypes_AreFound(string line, bool found) =>
        Assert.Equal(found, ImplicitType().IsMatch(line.Replace("V", "var", StringComparison.Ordinal)));

    [GeneratedRegex(@"\bout var\b|\bvar (\w+|\([^)]*\))( in\b| = )|\(var \w+,|, var \w+\) = ")]
    private static partial Regex ImplicitType();

    private static IEnumerable<string> Sources() => new[] { "src", "tests" }
        .SelectMany(f => Directory.EnumerateFiles(Path.Combine(Repository.Root, f), "*.cs", SearchOption.AllDirectories))
        .Where(f => !f.Split(Path.DirectorySeparatorChar).Any(p => p is "obj" or "bin"));

    private static IEnumerable<(string From, string To)> Listed() =>
        from line in File.ReadLines(Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "arrows.txt"))
        where line.Contains(':', StringComparison.Ordinal)
        let parts = line.Split(':')
        from to in parts[1].Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
        select (parts[0].Trim(), to);

    private static string? RoomOf(string folder) => folder.Split('/') is ["Core", var room, ..] ? room : null;

    private static IEnumerable<string> OffendersAmongPages(CompiledTypes types)
    {
        HashSet<string> model = Model();
        return
            from use in types.Uses
            let name = use.Key[(use.Key.LastIndexOf('.') + 1)..]
            let folder = CompiledTypes.FolderOfType(use.Key)!
            where folder.StartsWith("Core/Reporting", StringComparison.Ordinal)
            where name.EndsWith("Page", StringComparison.Ordinal) || folder is "Core/Reporting/Pages" or "Core/Reporting/Charts" or "Core/Reporting/Writers"
            from used in use.Value
            where CompiledTypes.FolderOfType(used) is { } other && RoomOf(other) is "Analysis" or "Tuning" or "Recordings" or "Measurement" or "Settings"
            where !model.Contains(used)
            select $"{name} uses {used[(used.LastIndexOf('.') + 1)..]}, which is no part of a document";
    }

    /// <summary>The types that documents consist of.</summary>
    private static HashSet<string> Model()
    {
        HashSet<string> names = [];
        void Add(Type type)
        {
            if (type.IsGenericType)
            {
                foreach (Type argument in type.GetGenericArguments())
                {
                    Add(argument);
                }
            }
            else if (type.Assembly == typeof(ExitCode).Assembly && names.Add(type.FullName!))
            {
                foreach (PropertyInfo property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
                    .Where(p => p.GetCustomAttribute<JsonIgnoreAttribute>() is null or { Condition: not JsonIgnoreCondition.Always }))
                {
                    Add(property.PropertyType);
                }
            }
        }

        foreach (DocumentKind kind in PublishedDocuments.All)
        {
            Add(kind.Type);
        }

        return names;
    }

    private static bool IsOfWindows(TypeDefinition type) =>
        type.CustomAttributes.Concat(type.Methods.SelectMany(m => m.CustomAttributes)).Any(a =>
            a.AttributeType.Name == nameof(SupportedOSPlatformAttribute)
                && ((string)a.ConstructorArguments[0].Value).StartsWith("windows", StringComparison.Ordinal))
        || type.Methods.Any(m => m.IsPInvokeImpl && WindowsLibraries.Any(l => m.PInvokeInfo.Module.Name.StartsWith(l, StringComparison.OrdinalIgnoreCase)));

    /// <summary>An assembly with one type that has a field of another.</summary>
    private static ModuleDefinition Plant(string ns, string name, string usedNs, string used)
    {
        ModuleDefinition module = ModuleDefinition.CreateModule(name, ModuleKind.Dll);
        TypeDefinition type = new(ns, name, Mono.Cecil.TypeAttributes.Class | Mono.Cecil.TypeAttributes.Public, module.TypeSystem.Object);
        type.Fields.Add(
            new FieldDefinition("_used", Mono.Cecil.FieldAttributes.Private, new TypeReference(usedNs, used, module, module.TypeSystem.CoreLibrary)));
        module.Types.Add(type);
        return module;
    }
}
