using System.Diagnostics;
using System.IO.Compression;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Measurement.FarEnds;

/// <summary>
/// What --via-copy does on Windows, run by PowerShell 7 on Linux: all of the script but the call that makes the folder with its access list, and with a
/// stand-in for the program.
/// </summary>
public sealed class WindowsCopies
{
    private const string MakePlainFolder = "[void][IO.Directory]::CreateDirectory($folder)";
    private static readonly string[] Arguments = ["serve", "--once", "--port", "7117"];

    [Fact]
    public void Line_AndScript_AreWhatEveryShellTakes()
    {
        using TempFolder folder = new();
        WindowsFarCopy copy = Copy(folder);

        Assert.Matches("^[A-Za-z0-9._:/=-]+( [A-Za-z0-9._:/=-]+)*$", copy.Line(Arguments));
        string script = copy.Script(Arguments);
        Assert.All(script, c => Assert.InRange(c, ' ', '~'));
        Assert.Contains(WindowsFarCopy.MakeFolder, script, StringComparison.Ordinal);
        Assert.Contains(copy.Start(Arguments), script, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("pwsh -NoProfile -NonInteractive -Command -")]
    [InlineData("pwsh -NoProfile -c 'pwsh -NoProfile -NonInteractive -Command -'")]
    public void Copy_IsUnpacked_Run_AndRemoved(string command)
    {
        using TempFolder folder = new();
        WindowsFarCopy copy = Copy(folder);

        (int code, string output, string errors) = Run(folder, command, Fed(folder, copy));

        const string Files = "./latencytuner.dll\n./latencytuner.exe\n./sub/words.txt\n";
        Assert.True(output.EndsWith($"{Files}some words\nserve --once --port 7117\n", StringComparison.Ordinal), output);
        Assert.Equal("", errors);
        Assert.True(code is 5 || command.Contains("-c", StringComparison.Ordinal), $"exit code {code}");
        Assert.Empty(Directory.GetFileSystemEntries(folder["tmp"]));
    }

    [Theory]
    [InlineData("cut", "its SHA-256 differs: 0 of")]
    [InlineData("changed", "its SHA-256 differs")]
    [InlineData("words", "its SHA-256 differs")]
    [InlineData("language", "constrained language mode")]
    [InlineData("folder", "could not make a folder at the far end: it exists")]
    [InlineData("program", "could not be started at the far end: ")]
    public void Copy_ThatCannotRun_SaysWhy_AndLeavesNothing(string fault, string says)
    {
        using TempFolder folder = new();
        WindowsFarCopy copy = Copy(folder);
        string[] lines = Fed(folder, copy).TrimEnd('\n').Split('\n');
        string piece = lines[1];
        lines = fault switch
        {
            "cut" => [lines[0]],
            "changed" => [lines[0], (piece[0] == 'U' ? 'V' : 'U') + piece[1..]],
            "words" => [lines[0], "no base64"],
            "language" => ["$ExecutionContext.SessionState.LanguageMode = 'ConstrainedLanguage'", .. lines],
            "folder" => [lines[0].Replace(MakePlainFolder, "throw 'it exists'", StringComparison.Ordinal), piece],
            _ => [lines[0].Replace(folder["program.sh"], folder["no-such-program"], StringComparison.Ordinal), piece],
        };

        (int code, string output, string _) = Run(folder, "pwsh -NoProfile -NonInteractive -Command -", string.Join('\n', lines) + "\n");

        string sentence = copy.Failure(Ending(code), output.TrimEnd('\n').Split('\n'))!;
        Assert.Contains(says, sentence, StringComparison.Ordinal);
        Assert.EndsWith(".", sentence, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(folder["tmp"]));
    }

    [Fact]
    public void Folders_ThatAKilledShellLeft_AreRemovedLater()
    {
        using TempFolder folder = new();
        WindowsFarCopy copy = Copy(folder);
        string place = Directory.CreateDirectory(folder["home/.local/share/Temp"]).FullName;
        string old = Directory.CreateDirectory(Path.Combine(place, "latencytuner-0123456789abcdef0123456789abcdef")).FullName;
        string fresh = Directory.CreateDirectory(Path.Combine(place, "latencytuner-1123456789abcdef0123456789abcdef")).FullName;
        string other = Directory.CreateDirectory(Path.Combine(place, "latencytuner-of-mine")).FullName;
        File.WriteAllText(Path.Combine(old, "latencytuner.exe"), "x");
        string script = Fed(folder, copy).Replace(
            "GetCreationTimeUtc($old)", $"GetCreationTimeUtc($old).AddHours(-2 * ($old -like '*-0123*'))", StringComparison.Ordinal);

        _ = Run(folder, "pwsh -NoProfile -NonInteractive -Command -", script);

        Assert.Equal([fresh, other], Directory.GetFileSystemEntries(place).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(RemoteShell.Cmd, null, "means a Windows host, and this program is for Linux")]
    [InlineData(RemoteShell.Sh, "words.txt", "no program for Linux or Windows")]
    [InlineData(RemoteShell.Sh, "no-such-file", "cannot be copied")]
    public void Programs_ThatCannotBeCopied_AreRefused(RemoteShell shell, string? from, string says)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists(Path.Combine(AppContext.BaseDirectory, "latencytuner")), "needs the program itself");
        using TempFolder folder = new();
        folder.Write("words.txt", "some words"u8.ToArray());

        ExpectedFailureException e = Assert.Throws<ExpectedFailureException>(
            () => FarCopy.Of(from is null ? null : folder[from], shell, count => new byte[count]));

        Assert.Contains(says, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void OneFile_IsCopiedAlone_UnderItsName()
    {
        using TempFolder folder = new();
        folder.Write("release-for-windows.exe", Program());
        folder.Write("beside.txt", "other"u8.ToArray());
        FarCopy copy = FarCopy.Of(folder["release-for-windows.exe"], RemoteShell.Sh, count => new byte[count]);
        using MemoryStream sent = new();
        copy.Feed(sent, Arguments);
        string[] lines = System.Text.Encoding.ASCII.GetString(sent.ToArray()).Split('\n');
        using ZipArchive archive = new(new MemoryStream(Convert.FromBase64String(lines[1])));

        Assert.Equal("latencytuner.exe", Assert.Single(archive.Entries).FullName);
        Assert.EndsWith("/latencytuner.exe", copy.Program, StringComparison.Ordinal);
    }

    private static WindowsFarCopy Copy(TempFolder folder)
    {
        Directory.CreateDirectory(folder["release/sub"]);
        folder.Write("release/latencytuner.exe", Program());
        folder.Write("release/latencytuner.dll", new byte[70_000]);
        folder.Write("release/latencytuner.pdb", new byte[7]);
        folder.Write("release/sub/words.txt", "some words\n"u8.ToArray());
        return Assert.IsType<WindowsFarCopy>(FarCopy.Of(folder["release"], RemoteShell.PowerShell, count => new byte[count]));
    }

    /// <summary>The first bytes of a program for Windows on x64.</summary>
    private static byte[] Program()
    {
        byte[] program = new byte[512];
        "MZ"u8.CopyTo(program);
        program[60] = 128;
        "PE\0\0\x64\u0086"u8[..5].CopyTo(program.AsSpan(128));
        program[133] = 0x86;
        return program;
    }

    /// <summary>What the shell is fed, with the stand-ins.</summary>
    private static string Fed(TempFolder folder, WindowsFarCopy copy)
    {
        folder.Write(
            "program.sh",
            "#!/bin/sh\ncd \"$TMPDIR\"/latencytuner-* || exit 1\nfind . -type f | sort\ncat sub/words.txt\necho \"$@\"\nexit 5\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(folder["program.sh"], UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }

        using MemoryStream fed = new();
        copy.Feed(fed, Arguments);
        string text = System.Text.Encoding.ASCII.GetString(fed.ToArray());
        string replaced = text.Replace(WindowsFarCopy.MakeFolder, MakePlainFolder, StringComparison.Ordinal).Replace(
            "[IO.Path]::Combine($folder, 'latencytuner.exe')", $"'{folder["program.sh"]}'", StringComparison.Ordinal);
        Assert.Contains(MakePlainFolder, replaced, StringComparison.Ordinal);
        Assert.Contains(folder["program.sh"], replaced, StringComparison.Ordinal);
        return replaced;
    }

    private static (int Code, string Output, string Errors) Run(TempFolder folder, string command, string input)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Completions.IsOnPath("pwsh"), "PowerShell (pwsh) is not on the PATH.");
        Directory.CreateDirectory(folder["tmp"]);
        Directory.CreateDirectory(folder["home"]);
        ProcessStartInfo start = new("sh", ["-c", command]) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["TMPDIR"] = folder["tmp"];
        start.Environment["HOME"] = folder["home"];
        start.Environment["TERM"] = "dumb";
        // Else it fills the home folder of the test.
        start.Environment["POWERSHELL_TELEMETRY_OPTOUT"] = "1";
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        try
        {
            process.StandardInput.Write(input);
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It ended before it had read everything: its output says why.
        }

        process.WaitForExit();
        return (process.ExitCode, output.GetAwaiter().GetResult(), errors.GetAwaiter().GetResult());
    }

    private static FarEndEnding Ending(int code) => new()
    {
        Command = "ssh",
        IsSsh = true,
        Program = "latencytuner.exe",
        ExitCode = code,
        Errors = [],
        Waited = TimeSpan.Zero,
    };
}
