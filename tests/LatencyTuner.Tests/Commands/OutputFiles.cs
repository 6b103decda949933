using System.Diagnostics;
using System.Text.Json;
using LatencyTuner.Core;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class OutputFiles
{
    [Fact]
    public void Output_IsWrittenWholeAndStdoutStaysEmpty()
    {
        using TempFolder folder = new();
        folder.Write("a.json", "what was there before, which is longer than nothing");

        CliRun run = CliRun.Of(["measure", .. CliRun.Short, "--format", "json", "--output", folder["a.json"]]);

        Assert.Equal((0, "", ""), (run.Code, run.Out, run.Error));
        Assert.Equal(["a.json"], folder.Names);
        using JsonDocument report = JsonDocument.Parse(File.ReadAllBytes(folder["a.json"]));
        Assert.Equal("latencytuner/measurement/2", report.RootElement.GetProperty("schema").GetString());
    }

    [Fact]
    public void Output_OfARunThatFails_KeepsTheFileThatWasThere()
    {
        using TempFolder folder = new();
        folder.Write("a.json", "before");
        folder.Write("s.csv", "before");

        CliRun.Of("measure", "nobody.invalid", "--output", folder["a.json"], "--series", folder["s.csv"], "--hgrm", folder["new.hgrm"]).Failed(5);

        Assert.Equal(["a.json", "s.csv"], folder.Names);
        Assert.All(folder.Names, name => Assert.Equal("before", File.ReadAllText(folder[name])));
    }

    /// <summary>A disk that fills up while something is measured: the result is printed, in the form that was asked for, and not lost.</summary>
    [Theory]
    [InlineData("measure loopback --count 20 --warmup 0s")]
    [InlineData("sweep size loopback --sizes 64 --rounds 1 --duration 50ms")]
    public void Output_OnAFullDisk_IsPrintedInstead(string command)
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "Needs the device that is always full.");

        CliRun run = CliRun.Of([.. command.Split(' '), "--format", "json", "--output", "/dev/full"]);

        Assert.Equal(4, run.Code);
        Assert.Matches("^--output '/dev/full' could not be written: [^:]+\\. The report was printed instead\\.\r?\n$", run.Error);
        using JsonDocument report = JsonDocument.Parse(run.Out);
        Assert.True(report.RootElement.GetProperty("complete").GetBoolean());
    }

    /// <summary>A place that is taken meanwhile, as by a program that holds the file: the report stands beside it, and the sentence says where.</summary>
    [Fact]
    public void Output_WhosePlaceIsTakenMeanwhile_StandsBesideIt()
    {
        using TempFolder folder = new();
        folder.Write("r.1.txt", "somebody's");
        using OutputFile file = OutputFile.Open(folder["r.txt"], "--output");
        file.Writer.Write("report");
        Directory.CreateDirectory(folder["r.txt"]);

        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(file.Commit);

        Assert.Equal((ExitCode.Platform, folder["r.2.txt"]), (failure.Code, file.Beside));
        Assert.Contains($"written as '{folder["r.2.txt"]}' instead", failure.Message, StringComparison.Ordinal);
        Assert.Equal(("somebody's", "report"), (File.ReadAllText(folder["r.1.txt"]), File.ReadAllText(folder["r.2.txt"])));
        Assert.True(Directory.Exists(folder["r.txt"]));
    }

    /// <summary>A program that lets go of the file within two seconds costs nothing.</summary>
    [Fact]
    public async Task Output_WhosePlaceIsTakenForAMoment_StandsThere()
    {
        using TempFolder folder = new();
        using OutputFile file = OutputFile.Open(folder["r.txt"], "--output");
        file.Writer.Write("report");
        Directory.CreateDirectory(folder["r.txt"]);
        Task released = Task.Run(() =>
        {
            Thread.Sleep(300);
            Directory.Delete(folder["r.txt"]);
        });

        file.Commit();
        await released;

        Assert.Null(file.Beside);
        Assert.Equal("report", File.ReadAllText(folder["r.txt"]));
    }

    [Theory]
    [InlineData("measure", "--output")]
    [InlineData("measure", "--series")]
    [InlineData("measure", "--hgrm")]
    [InlineData("measure", "--hlog")]
    [InlineData("diagnose", "--output")]
    [InlineData("sweep rate", "--output")]
    [InlineData("check", "--output")]
    [InlineData("compare a b", "--output")]
    public void Output_ThatCannotBeWritten_IsToldBeforeTheWork(string command, string option)
    {
        using TempFolder folder = new();

        CliRun.Of([.. command.Split(' '), option, folder.Path]).Failed(2, option, "it is a folder");
        CliRun.Of([.. command.Split(' '), option, folder["missing/a"]]).Failed(2, option, "does not exist");
        CliRun.Of([.. command.Split(' '), option, folder["a/"]]).Failed(2, option, "it is a folder");
        CliRun.Of([.. command.Split(' '), option, ""]).Failed(2, option, "a file name is expected");
        Assert.Empty(folder.Names);
    }

    [Fact]
    public void Output_InAFolderWithoutPermission_IsPlatform()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && File.Exists("/usr/bin/setpriv"), "Needs a user without rights.");
        using TempFolder folder = new();
        string[] drop = Environment.IsPrivilegedProcess ? ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-all"] : [];
        Chmod("500", folder.Path);

        using CliProcess process = CliProcess.Start(drop, "measure", "--output", folder["a.json"]);
        int code = process.WaitForExit();
        Chmod("700", folder.Path);

        Assert.Equal((4, ""), (code, process.Out));
        Assert.Contains("cannot be written", process.Error, StringComparison.Ordinal);
        Assert.Empty(folder.Names);
    }

    /// <summary>What is written beside the report does not take it along.</summary>
    [Theory]
    [InlineData("--series")]
    [InlineData("--hlog")]
    [InlineData("--hgrm")]
    public void File_OnAFullDisk_IsPlatformWithTheReport(string option)
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "This system has no /dev/full.");

        CliRun run = CliRun.Of(["measure", .. CliRun.Short, "--interval", "100ms", option, "/dev/full"]);

        Assert.Equal(4, run.Code);
        Assert.Contains("could not be written", run.Error, StringComparison.Ordinal);
        Assert.StartsWith("MEASURED", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Output_ToADevice_LeavesItADevice()
    {
        Assert.SkipUnless(File.Exists("/dev/null"), "This system has no /dev/null.");

        CliRun run = CliRun.Of(["measure", .. CliRun.Short, "--output", "/dev/null"]);

        Assert.Equal((0, "", ""), (run.Code, run.Out, run.Error));
        File.WriteAllText("/dev/null", "still swallowed");
        Assert.Equal("", File.ReadAllText("/dev/null"));
    }

    [Fact]
    public void Files_BesideTheReport_AreWritten()
    {
        using TempFolder folder = new();

        CliRun.Of([
            "measure", "--duration", "350ms", "--warmup", "0s", "--rate", "500/s", "--interval", "100ms",
            "--series", folder["s.csv"], "--hgrm", folder["d.hgrm"], "--hlog", folder["i.hlog"],
        ]).Done();

        Assert.Equal(["d.hgrm", "i.hlog", "s.csv"], folder.Names);
        string[][] series = [.. File.ReadAllLines(folder["s.csv"]).Select(l => l.Split(','))];
        Assert.Equal(175, series.Skip(1).Sum(l => long.Parse(l[2], System.Globalization.CultureInfo.InvariantCulture)));
        Assert.All(series, l => Assert.Equal(series[0].Length, l.Length));
        Assert.Contains("Percentile", File.ReadAllText(folder["d.hgrm"]), StringComparison.Ordinal);
        Assert.Contains("HIST", File.ReadAllText(folder["i.hlog"]), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, false, false, true)]
    [InlineData(true, true, false, false)]
    [InlineData(false, false, false, false)]
    [InlineData(true, false, true, false)]
    public void Color_OnlyOnATerminalThatMayHaveIt(bool terminal, bool option, bool toFile, bool expected)
    {
        using TempFolder folder = new();
        string[] more = [.. option ? ["--no-color"] : Array.Empty<string>(), .. toFile ? ["--output", folder["r.txt"]] : Array.Empty<string>()];

        CliRun run = CliRun.On(
            (output, error) => new CliHost { Out = output, Error = error, OutIsTerminal = terminal, Color = terminal, Unicode = true },
            CancellationToken.None,
            ["check", "--count", "3", "--no-diagnosis", "127.0.0.1:1", .. more]);
        Assert.Equal(5, run.Code);

        string text = toFile ? File.ReadAllText(folder["r.txt"]) : run.Out;
        Assert.Equal(expected, text.Contains('\u001b'));
        Assert.Contains("CANNOT TELL", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Color_OfAProcessWithNoColorOrAPipe_IsAbsent()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/script"), "Needs script(1) for a terminal.");
        string program = $"dotnet {Path.Combine(AppContext.BaseDirectory, "latencytuner.dll")} check 127.0.0.1:1 --count 3 --no-diagnosis";
        string Terminal(string before)
        {
            using Process process = System.Diagnostics.Process.Start(new System.Diagnostics.ProcessStartInfo(
                "script", ["-qec", before + program, "/dev/null"])
            { RedirectStandardOutput = true, RedirectStandardInput = true })!;
            process.StandardInput.Close();
            return process.StandardOutput.ReadToEnd();
        }

        Assert.Contains("\u001b[1;", Terminal("env -u NO_COLOR TERM=xterm "), StringComparison.Ordinal);
        Assert.DoesNotContain("\u001b[1;", Terminal("env NO_COLOR=1 TERM=xterm "), StringComparison.Ordinal);
        Assert.DoesNotContain("\u001b[1;", Terminal("env -u NO_COLOR TERM=dumb "), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, false, false)]
    [InlineData(true, true, false)]
    [InlineData(true, false, true)]
    public void Progress_OnlyOnATerminal(bool terminal, bool quiet, bool expected)
    {
        string duration = terminal && !quiet ? "4s" : "100ms";

        CliRun run = CliRun.On(
            (output, error) => new CliHost { Out = output, Error = error, ErrorIsTerminal = terminal },
            CancellationToken.None,
            ["measure", "--rate", "10/s", "--duration", duration, "--warmup", "0s", .. quiet ? ["--quiet"] : Array.Empty<string>()]);

        Assert.Equal(0, run.Code);
        Assert.Equal(expected, run.Error.Contains("measuring", StringComparison.Ordinal));
        Assert.Equal(expected, run.Error.Length > 0);
    }

    /// <summary>Consoles of Windows: a stream that is none, one where they are on, one where they can be switched on, one that refuses.</summary>
    [Theory]
    [InlineData(null, true, false, false)]
    [InlineData(7u, true, true, false)]
    [InlineData(3u, true, true, true)]
    [InlineData(3u, false, false, false)]
    public void Escapes_OfAConsole_AreSwitchedOnAndPutBack(uint? mode, bool accepts, bool expected, bool changed)
    {
        uint? now = mode;
        List<Action> atExit = [];

        bool takes = EscapeSequences.TryEnable(() => now, m => accepts && (now = m) == m, atExit.Add);

        Assert.Equal((expected, changed ? mode | EscapeSequences.VirtualTerminalProcessing : mode), (takes, now));
        Assert.Equal(changed ? 1 : 0, atExit.Count);
        atExit.ForEach(a => a());
        Assert.Equal(mode, now);
    }

    /// <summary>A terminal without escape sequences, as a legacy console: nothing is drawn over, on stderr or anywhere else.</summary>
    [Fact]
    public void Monitor_OnATerminalThatCannotBeDrawnOver_WritesLines()
    {
        CliRun run = CliRun.On(
            (output, error) => new CliHost { Out = output, Error = error, OutIsTerminal = true },
            CancellationToken.None,
            ["monitor", "tcp://127.0.0.1:1", "--duration", "1s", "--interval", "1s"]);

        Assert.DoesNotContain('\u001b', run.Out + run.Error);
        Assert.Contains("does not answer", run.Error, StringComparison.Ordinal);
    }

    private static void Chmod(string mode, string path)
    {
        using Process chmod = System.Diagnostics.Process.Start("chmod", [mode, path]);
        chmod.WaitForExit();
    }
}
