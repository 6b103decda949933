using System.Diagnostics;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;
using Xunit;

namespace LatencyTuner.Tests.Text;

/// <summary>Words of next steps, as the shell takes them that they are pasted into.</summary>
public sealed class ShellWords
{
    private static readonly string[] Words =
        ["db1:7117", "[::1]:7117", "it's here.txt", @"C:\Some Folder\token.txt", "a;b", "*", "", "`x`", "\"q\"", "x && y", "ü.txt", "--rate=10/s", "$HOME"];

    [Theory]
    [InlineData("db1:7117", "db1:7117", "db1:7117")]
    [InlineData("it's here.txt", "'it''s here.txt'", @"'it'\''s here.txt'")]
    [InlineData(@"C:\token.txt", @"C:\token.txt", @"'C:\token.txt'")]
    [InlineData("", "''", "''")]
    public void Of_EachShell(string word, string powerShell, string posix) =>
        Assert.Equal((powerShell, posix), (ShellQuoting.Of(word, windows: true), ShellQuoting.Of(word, windows: false)));

    [Theory]
    [InlineData("sh")]
    [InlineData("bash")]
    public void Of_AnyWord_IsWhatThePosixShellPasses(string shell)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        string line = "printf '%s\\0' " + string.Join(' ', Words.Select(w => ShellQuoting.Of(w, windows: false)));
        using Process process = Process.Start(new ProcessStartInfo(shell, ["-c", line]) { RedirectStandardOutput = true, WorkingDirectory = "/" })!;
        string[] passed = process.StandardOutput.ReadToEnd().Split('\0')[..^1];
        process.WaitForExit();

        Assert.Equal(Words, passed);
    }

    /// <summary>The program itself is no word: its path has its quotes and its call operator already.</summary>
    [Fact]
    public void NextStep_CallsTheProgramAsItIsCalled()
    {
        Caller caller = new() { Program = @"& 'C:\x y\latencytuner.exe'", IsWindows = true, PathOptions = ["--token-file", "it's.txt"] };

        Assert.Equal(
            @"& 'C:\x y\latencytuner.exe' diagnose db1 --token-file 'it''s.txt'", new NextStep { Command = "diagnose", Target = "db1" }.InWords(caller));
        string analyze = NextStep.CaptureAndAnalyze("db1")[1].InWords(caller)!;
        Assert.StartsWith(@"pktmon stop; & 'C:\x y\latencytuner.exe' analyze slow.etl", analyze, StringComparison.Ordinal);
    }

    // An option whose value was left out is not followed by its value.
    [Theory]
    [InlineData("sockets --watch --port 80", "lt sockets --port 80 --watch 2s")]
    [InlineData("sockets --watch 5s --port 80", "lt sockets --port 80 --watch 2s")]
    [InlineData("sockets --watch=5s --port 80", "lt sockets --port 80 --watch 2s")]
    public void NextStep_TakesTheOptionsPlaceAndNothingElse(string given, string line) =>
        Assert.Equal(line, new NextStep { Again = true, Options = ["--watch", "2s"] }.InWords(new() { Program = "lt", Arguments = given.Split(' ') }));
}
