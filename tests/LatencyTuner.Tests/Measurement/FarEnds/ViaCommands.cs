using System.Diagnostics;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Measurement.FarEnds;

public sealed class ViaCommands
{
    private static readonly string[] Arguments = ["serve", "--once"];

    [Theory]
    [InlineData("ssh db1", "ssh|db1")]
    [InlineData("  ssh \t -J 'a b' db1 ", "ssh|-J|a b|db1")]
    [InlineData(@"a\ b 'c\d' ""e\\f\g \""h\""""", @"a b|c\d|e\f\g ""h""")]
    [InlineData("a'b'\"c\"d ''", "abcd|")]
    [InlineData("echo $HOME `id` $(id) * ~ ; | & > x #y", "echo|$HOME|`id`|$(id)|*|~|;|||&|>|x|#y")]
    public void Words_AreThoseOfPosixQuoting(string text, string words) => Assert.Equal(words, string.Join('|', ShellWords.Split(text, "--via")));

    [Fact]
    public void Words_AreThoseOfTheShell()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "needs sh");
        const string Alphabet = "ab \t'\"\\-=/.:";
        Random random = new(5);
        int compared = 0;
        for (int i = 0; i < 150; i++)
        {
            string text = "x" + string.Concat(Enumerable.Range(0, random.Next(1, 14)).Select(_ => Alphabet[random.Next(Alphabet.Length)]));
            IReadOnlyList<string> words;
            try
            {
                words = ShellWords.Split(text, "--via");
            }
            catch (ExpectedFailureException)
            {
                continue;
            }

            compared++;
            Assert.Equal(string.Concat(words.Select(w => $"<{w}>")), Shell($"for w in {text}; do printf '<%s>' \"$w\"; done"));
        }

        Assert.True(compared > 30);
    }

    [Theory]
    [InlineData("", "a command is expected")]
    [InlineData("ssh 'db1", "character 5 is not closed")]
    [InlineData("ssh \"db1", "character 5 is not closed")]
    [InlineData(@"ssh db1\", "ends with a backslash")]
    [InlineData("{} ssh", "begins with a program")]
    [InlineData("sh -c {} {}", "stands once at most")]
    public void Commands_ThatAreNone_AreRefused(string text, string says)
    {
        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(() => ViaCommand.Parse(text));
        Assert.Equal(ExitCode.Usage, e.Code);
        Assert.Contains(says, e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ssh", "ssh|-T|-o|BatchMode=yes|db1|latencytuner serve --once")]
    [InlineData("ssh admin@db9", "ssh|-T|-o|BatchMode=yes|admin@db9|latencytuner serve --once")]
    [InlineData("/usr/bin/ssh -p 22 -i key", "/usr/bin/ssh|-T|-o|BatchMode=yes|-p|22|-i|key|db1|latencytuner serve --once")]
    [InlineData("ssh -4vp22 -oPort=3", "ssh|-T|-o|BatchMode=yes|-4vp22|-oPort=3|db1|latencytuner serve --once")]
    [InlineData("ssh -J bastion db9", "ssh|-T|-o|BatchMode=yes|-J|bastion|db9|latencytuner serve --once")]
    [InlineData("ssh -o batchmode=no", "ssh|-T|-o|batchmode=no|db1|latencytuner serve --once")]
    [InlineData("'C:\\OpenSSH\\SSH.EXE' db9", "C:\\OpenSSH\\SSH.EXE|-T|-o|BatchMode=yes|db9|latencytuner serve --once")]
    [InlineData("plink", "plink|-batch|db1|latencytuner serve --once")]
    [InlineData("docker exec -i web", "docker|exec|-i|web|latencytuner|serve|--once")]
    [InlineData("kubectl exec -i pod --", "kubectl|exec|-i|pod|--|latencytuner|serve|--once")]
    [InlineData("sh -c {}", "sh|-c|latencytuner serve --once")]
    [InlineData("ssh db9 sudo -n sh -c {}", "ssh|db9|sudo|-n|sh|-c|latencytuner serve --once")]
    public void FarCommand_IsOneWordForShells_AndWordsForOthers(string via, string words) =>
        Assert.Equal(words, string.Join('|', ViaCommand.Parse(via).WordsFor("db1", "latencytuner", Arguments, RemoteShell.Sh)));

    [Theory]
    [InlineData(RemoteShell.Sh, "/opt/my tools/it's", "'/opt/my tools/it'\\''s'")]
    [InlineData(RemoteShell.Sh, "$(reboot)", "'$(reboot)'")]
    [InlineData(RemoteShell.Cmd, "C:/Program Files/LT/latencytuner.exe", "\"C:\\Program Files\\LT\\latencytuner.exe\"")]
    [InlineData(RemoteShell.Cmd, "latencytuner", "latencytuner")]
    [InlineData(RemoteShell.PowerShell, "C:\\it's\\x.exe", "& 'C:\\it''s\\x.exe'")]
    [InlineData(RemoteShell.PowerShell, "C:\\\u2019x", "& 'C:\\\u2019\u2019x'")]
    [InlineData(RemoteShell.Sh, "-x", "'-x'")]
    public void Paths_AreQuotedForTheShell(RemoteShell shell, string path, string quoted) => Assert.Equal(quoted, ViaCommand.Quoted(path, shell));

    [Theory]
    [InlineData(RemoteShell.Cmd, "C:\\%USERNAME%\\x.exe", "'%'")]
    [InlineData(RemoteShell.Cmd, "C:\\Program Files (x86)\\x.exe", "'('")]
    [InlineData(RemoteShell.Sh, "a\nb", "U+000A")]
    public void Paths_ThatCannotBeQuoted_AreRefused(RemoteShell shell, string path, string says)
    {
        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(() => ViaCommand.Quoted(path, shell));
        Assert.Equal(ExitCode.Usage, e.Code);
        Assert.Contains(says, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Paths_ForSh_AreWhatAShellRuns()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "needs sh");
        Random random = new(6);
        for (int i = 0; i < 60; i++)
        {
            string path = string.Concat(Enumerable.Range(0, random.Next(1, 20)).Select(_ => (char)random.Next(' ', 127)));
            Assert.Equal($"<{path}>", Shell($"printf '<%s>' {ViaCommand.Quoted(path, RemoteShell.Sh)}"));
        }
    }

    [Fact]
    public void Path_ThatNeedsQuoting_NeedsAPlaceholderWithoutAShell()
    {
        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(
            () => ViaCommand.Parse("docker exec -i web").WordsFor("db1", "/opt/my tools/x", Arguments, RemoteShell.Sh));
        Assert.Contains("{}", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Host_ThatIsAnOption_IsRefused()
    {
        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(
            () => ViaCommand.Parse("ssh").WordsFor("-oProxyCommand=reboot", "latencytuner", Arguments, RemoteShell.Sh));
        Assert.Equal(ExitCode.Usage, e.Code);
    }

    [Fact]
    public void Copy_IsWhatItsHashSays_AndItsLineIsOneOfSh()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists(Path.Combine(AppContext.BaseDirectory, "latencytuner")), "needs the program itself");
        FarCopy copy = FarCopy.Of(null, RemoteShell.Sh, count => new byte[count]);
        using MemoryStream archive = new();
        copy.Feed(archive, Arguments);
        Assert.Equal(copy.Sha256, Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(archive.ToArray())).ToLowerInvariant());
        Assert.Equal("", Shell("set -n; " + copy.Line(Arguments)));
    }

    [Fact]
    public void Copy_CutShort_IsNotRun_AndLeavesNothing()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists(Path.Combine(AppContext.BaseDirectory, "latencytuner")), "needs the program itself");
        using TempFolder folder = new();
        FarCopy copy = FarCopy.Of(null, RemoteShell.Sh, count => new byte[count]);
        ProcessStartInfo start = new("sh", ["-c", copy.Line(Arguments)]) { RedirectStandardInput = true, RedirectStandardError = true };
        start.Environment["TMPDIR"] = folder.Path;
        using Process process = Process.Start(start)!;
        process.StandardInput.Write("half of an archive");
        process.StandardInput.Close();
        string errors = process.StandardError.ReadToEnd();
        process.WaitForExit();
        FarEndEnding ending = new()
        {
            Command = "ssh",
            IsSsh = true,
            Program = copy.Program,
            ExitCode = process.ExitCode,
            Errors = [errors],
            Waited = TimeSpan.Zero,
        };
        Assert.Contains("its SHA-256 differs", copy.Failure(ending, []), StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path));
    }

    private static string Shell(string script)
    {
        using Process process = Process.Start(new ProcessStartInfo("sh", ["-c", script]) { RedirectStandardOutput = true })!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return output;
    }
}
