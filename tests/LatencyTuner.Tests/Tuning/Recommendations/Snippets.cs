using System.ComponentModel;
using System.Diagnostics;
using System.Reflection.PortableExecutable;
using System.Xml.Linq;
using LatencyTuner.Core.Tuning.Recommendations;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Tuning.Recommendations;

/// <summary>The snippets, compiled by their own compilers where these are installed.</summary>
public sealed class Snippets
{
    private const string FakeWinsock = """
        typedef unsigned long long SOCKET; typedef unsigned long ULONG; typedef unsigned long DWORD; typedef int BOOL; typedef void *LPVOID;
        typedef struct { ULONG len; char *buf; } WSABUF;
        #define NULL ((void *)0)
        #define TRUE 1
        #define IPPROTO_TCP 6
        #define TCP_NODELAY 1
        #define SOL_SOCKET 0xffff
        #define SO_RCVBUF 0x1002
        #define SO_SNDBUF 0x1001
        #define SOCKET_ERROR (-1)
        #define SIO_TCP_SET_ACK_FREQUENCY 0x98000017
        int setsockopt(SOCKET s, int level, int name, const char *value, int length);
        int WSASend(SOCKET s, WSABUF *buffers, DWORD count, DWORD *sent, DWORD flags, void *overlapped, void *completion);
        int WSAIoctl(SOCKET s, DWORD code, LPVOID in, DWORD in_len, LPVOID out, DWORD out_len, DWORD *returned, void *overlapped, void *completion);
        """;

    [Fact]
    public void Library_HasEveryCureInTheLanguagesOfSockets() => Assert.All(
        SnippetLibrary.Cures, cure => Assert.All(["c", "csharp", "java", "go", "python"], language => Assert.NotNull(SnippetLibrary.Find(cure, language))));

    [Fact]
    public void Library_HasNoFileThatNobodyShows()
    {
        List<string[]> names = typeof(SnippetLibrary).Assembly.GetManifestResourceNames().Where(n => n.StartsWith("snippet/", StringComparison.Ordinal))
            .Select(n => n["snippet/".Length..].Split('.')).ToList();

        Assert.All(names, n => Assert.Contains(n[0], SnippetLibrary.Cures));
        Assert.All(names, n => Assert.Contains(n[1], CodeSnippet.Languages));
        Assert.All(CodeSnippet.Languages, l => Assert.Contains(names, n => n[1] == l));
    }

    [Fact]
    public void Lines_FitTheScreen() => Assert.All(
        All(), s => Assert.All(s.Text.Replace("\t", "    ", StringComparison.Ordinal).Split('\n'), line => Assert.InRange(line.Length, 0, 76)));

    [Fact]
    public void C_Compiles()
    {
        using TempFolder folder = new();
        File.WriteAllText(folder["snippets.c"], FakeWinsock + "\n" + Joined("c"));
        Compile("gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", folder["snippets.c"]);
    }

    [Fact]
    public void Java_Compiles()
    {
        using TempFolder folder = new();
        File.WriteAllText(folder["Snippets.java"], $"final class Snippets {{\n{Joined("java")}\n}}\n");
        Compile("javac", "-Xlint:all", "-Werror", "-d", folder.Path, folder["Snippets.java"]);
    }

    [Fact]
    public void Python_Compiles()
    {
        using TempFolder folder = new();
        File.WriteAllText(folder["snippets.py"], "import socket\n\n\n" + Joined("python") + "\n");
        Compile(
            "python3", "-W", "error", "-c",
            "import sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True; import snippets; assert callable(snippets.send_parts)", folder.Path);
    }

    [Fact]
    public void Go_Compiles()
    {
        using TempFolder folder = new();
        File.WriteAllText(folder["go.mod"], "module snippets\n\ngo 1.18\n");
        File.WriteAllText(
            folder["snippets_windows.go"], $"package snippets\n\nimport (\n\t\"bufio\"\n\t\"net\"\n\t\"syscall\"\n\t\"unsafe\"\n)\n\n{Joined("go")}\n");
        Compile("go", "-C", folder.Path, "vet", ".");
    }

    [Fact]
    public void CSharp_Compiles()
    {
        string? compiler = CSharpCompiler();
        Assert.SkipWhen(compiler is null, "No .NET SDK with a compiler was found.");
        using TempFolder folder = new();
        File.WriteAllText(
            folder["Snippets.cs"],
            "using System;\nusing System.IO;\nusing System.Net.Sockets;\ninternal static class "
            + $"Snippets\n{{\n{Joined("csharp").Replace("static ", "internal static ", StringComparison.Ordinal)}\n}}\n");
        IEnumerable<string> references = Directory.GetFiles(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "*.dll").Where(IsManaged)
            .Select(f => "-r:" + f);
        Compile(
            "dotnet",
            [
                compiler!, "-nologo", "-target:library", "-nostdlib", "-warnaserror", "-langversion:12", "-out:" + folder["Snippets.dll"], .. references,
                folder["Snippets.cs"]]);
    }

    [Fact]
    public void NetFramework_IsXml() => Assert.All(
        All().Where(s => s.Language == "netfx"), s => Assert.NotEmpty(XDocument.Parse(s.Text).Descendants("servicePointManager").Single().Attributes()));

    private static IEnumerable<CodeSnippet> All() =>
        SnippetLibrary.Cures.SelectMany(c => CodeSnippet.Languages.Select(l => SnippetLibrary.Find(c, l))).OfType<CodeSnippet>();

    private static string Joined(string language) => string.Join("\n\n\n", SnippetLibrary.Cures.Select(c => SnippetLibrary.Find(c, language)!.Text));

    private static bool IsManaged(string file)
    {
        using FileStream stream = File.OpenRead(file);
        using PEReader reader = new(stream);
        return reader.HasMetadata;
    }

    private static string? CSharpCompiler()
    {
        DirectoryInfo? dotnet = new DirectoryInfo(Path.GetDirectoryName(typeof(object).Assembly.Location)!).Parent?.Parent?.Parent;
        string? sdks = dotnet is null ? null : Path.Combine(dotnet.FullName, "sdk");
        return sdks is null || !Directory.Exists(sdks) ? null
            : Directory.GetDirectories(sdks).Order(StringComparer.Ordinal).Select(s => Path.Combine(s, "Roslyn", "bincore", "csc.dll"))
                .LastOrDefault(File.Exists);
    }

    private static void Compile(string program, params string[] arguments)
    {
        Process process;
        try
        {
            process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true, RedirectStandardOutput = true })!;
        }
        catch (Win32Exception)
        {
            Assert.Skip($"{program} is not installed.");
            return;
        }

        using (process)
        {
            Task<string> error = process.StandardError.ReadToEndAsync();
            string output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            Assert.True(process.ExitCode == 0, output + error.Result);
        }
    }
}
