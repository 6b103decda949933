using System.Diagnostics;
using System.Text;
using LatencyTuner.Commands;
using LatencyTuner.Core.Settings;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>What the program offers at a cursor, and the shells' scripts in real shells. In a line, <c>|></c> is the cursor; else it is at the end.</summary>
public sealed class Completions
{
    private const string Cursor = "|>";

    // Prints what PowerShell would put into each line of lines.txt, as its host asks for it.
    private const string PowerShellTest = """
        latencytuner completion powershell | Out-String | Invoke-Expression
        $global:LASTEXITCODE = 42
        foreach ($line in Get-Content -Encoding utf8 lines.txt) {
            $at = $line.IndexOf('|>')
            if ($at -ge 0) { $line = $line.Remove($at, 2) } else { $at = $line.Length }
            $found = [System.Management.Automation.CommandCompletion]::CompleteInput($line, $at, $null)
            foreach ($match in $found.CompletionMatches | Where-Object { $_.ResultType -notlike 'Provider*' } | Select-Object -First 3) {
                $whole = $line.Remove($found.ReplacementIndex, $found.ReplacementLength).Insert($found.ReplacementIndex, $match.CompletionText)
                "$($match.ResultType) $($match.ToolTip.Length -gt 8) $whole"
            }
            "."
        }
        "LASTEXITCODE $global:LASTEXITCODE, $($Error.Count) errors"
        """;

    [Theory]
    [InlineData("", "check", "measure", "completion", "--help")]
    [InlineData("mea", "measure")]
    [InlineData("sweep ", "rate", "size")]
    [InlineData("measure --", "--pattern", "--rate", "--token-file", "--help")]
    [InlineData("measure -", "-o", "-4", "--output")]
    [InlineData("measure --pattern ", "single", "split", "stream")]
    [InlineData("measure --pattern=", "--pattern=single", "--pattern=split", "--pattern=stream")]
    [InlineData("measure --pattern:sp", "--pattern:split")]
    [InlineData("measure --PATTERN|> db1", "--pattern")]
    [InlineData("measure --pattern SP", "split")]
    [InlineData("measure --no-delay ", "true", "false", "--pattern")]
    [InlineData("measure --no-delay=t", "--no-delay=true")]
    [InlineData("measure mea|> --rate 5")]
    [InlineData("|> --rate 5", "measure")]
    [InlineData("check --fail-on ", "none", "error")]
    [InlineData("check --fail-on error db1 --max-p", "--max-p99")]
    [InlineData("completion ", "bash", "powershell")]
    [InlineData("schema mea", "measurement")]
    [InlineData("help swe", "sweep")]
    [InlineData("help sweep ra", "rate")]
    [InlineData("help tar", "targets")]
    [InlineData("trace --profile ", "Latency", "Detail", "Packets")]
    [InlineData("settings explain tcp.ack", "tcp.ackfrequency")]
    [InlineData("recommend --ignore LT101,LT10", "LT101,LT102", "LT101,LT103")]
    [InlineData("apply --setting tcp.ack", "tcp.ackfrequency=")]
    [InlineData("apply --setting tcp.ackfrequency=", "tcp.ackfrequency=1", "tcp.ackfrequency=absent")]
    [InlineData("apply --setting=TEMPLATE.TIMESTAMPS=a", "--setting=template.timestamps=Allowed")]
    [InlineData("apply --setting tcp.ackfrequency=1 --set", "--setting")]
    public void Offered_IsWhatMayFollow(string line, params string[] expected) =>
        Assert.Subset(Offered(line).Select(c => c.Text).ToHashSet(), expected.ToHashSet());

    [Theory]
    [InlineData("me*")]
    [InlineData("measure --p*t")]
    [InlineData("[m")]
    [InlineData("measure --p?ttern")]
    [InlineData("measure --rate 5 --rat")]
    [InlineData("measure --rat|> --rate 5")]
    [InlineData("measure --rate ")]
    [InlineData("measure --token-file ")]
    [InlineData("analyze ")]
    [InlineData("compare before.json ")]
    [InlineData("analyze -- --")]
    [InlineData("apply --setting nothing=")]
    [InlineData("apply --setting tcp.nodelay.interface=")]
    [InlineData("measure --nothing=x")]
    [InlineData("nothing sw")]
    public void Offered_IsNothing_WhereNothingFits(string line) => Assert.Empty(Offered(line));

    [Fact]
    public void Offered_IsNotTheCommandOfTheScripts() => Assert.Equal(["completion"], Offered("comple").Select(c => c.Text));

    [Fact]
    public void Offered_CommandsStandBeforeOptions()
    {
        CandidateKind[] kinds = [.. Offered("sweep ").Select(c => c.Kind)];

        Assert.Equal(kinds.Order(), kinds);
        Assert.Equal((CandidateKind.Command, CandidateKind.Option), (kinds[0], kinds[^1]));
    }

    /// <summary>Whatever is offered for a setting, apply takes; and the console's code page can print every meaning.</summary>
    [Fact]
    public void Offered_SettingsAndValues_AreValid() => Assert.All(Offered("apply --setting "), id =>
    {
        ApplicableSetting setting = SettingsCatalogue.Current.Find(id.Text.TrimEnd('=')).Applicable();
        CompletionCandidate[] values = [.. Offered("apply --setting " + id.Text)];
        Assert.NotEmpty(values);
        Assert.Distinct(values.Select(v => v.Text));
        Assert.All(values, v => _ = setting.Parse(v.Text[id.Text.Length..]));
        Assert.All(values.Prepend(id), v => Assert.True(v.Tooltip.Length > 3 && v.Tooltip.All(char.IsAscii), v.Tooltip));
    });

    [Fact]
    public void Setting_ThatNeedsForce_SaysSo() =>
        Assert.Contains("needs --force", Offered("apply --setting tcp.delackticks=0").Single().Tooltip, StringComparison.Ordinal);

    [Fact]
    public void Answer_IsOneLineEach_WithKindAndMeaning()
    {
        CliRun run = CliRun.Of(CommandCompletion.Name, Asked(1, "measure", "--pat")).Done();

        Assert.Equal(["--pattern", "Option"], run.Out.TrimEnd().Split('\t')[..2]);
        Assert.StartsWith("single: one write per request", run.Out.TrimEnd().Split('\t')[2], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("not Base64")]
    [InlineData("AAAA")]
    [InlineData("bWVh")]
    [InlineData("MQBtZWEA")]
    [InlineData("LTEAbWVhAA==")]
    [InlineData("/////w==")]
    public void Answer_IsNothing_WhenItCannotBeRead(string asked) => Assert.Equal(new CliRun(0, "", ""), CliRun.Of(CommandCompletion.Name, asked));

    [Fact]
    public void Library_SuggestsNothing() => CliRun.Of("[suggest:25]", "latencytuner measure --pattern=sp").Failed(2);

    [Theory]
    [InlineData("bash", "COMPREPLY")]
    [InlineData("powershell", "Register-ArgumentCompleter")]
    public void Script_AsksTheProgramItself(string shell, string says)
    {
        CliRun run = CliRun.Of("completion", shell).Done();

        Assert.Contains($" {CommandCompletion.Name} ", run.Out, StringComparison.Ordinal);
        Assert.Contains(says, run.Out, StringComparison.Ordinal);
        Assert.All(run.Out.Split('\n'), line => Assert.InRange(line.TrimEnd().Length, 0, shell == "powershell" ? 90 : 120));
    }

    /// <summary>What Windows PowerShell 5.1 would not parse.</summary>
    [Theory]
    [InlineData("??")]
    [InlineData("?.")]
    [InlineData("&&")]
    [InlineData("||")]
    [InlineData(" ? ")]
    [InlineData("-like")]
    public void PowerShell_IsOfTheOldLanguage(string without) => Assert.DoesNotContain(without, CompletionScripts.PowerShell, StringComparison.Ordinal);

    /// <summary>The words are those that Bash 5.2 gives for such lines: split at = and :, empty between blanks.</summary>
    [Theory]
    [InlineData("latencytuner measure --patt", "--pattern", "latencytuner", "measure", "--patt|>")]
    [InlineData("latencytuner mea|> --rate 5", "measure", "latencytuner", "mea|>", "--rate", "5")]
    [InlineData("latencytuner me|>as --rate 5", "measure", "latencytuner", "me|>as", "--rate", "5")]
    [InlineData("latencytuner sweep |> --rate 5", "rate", "latencytuner", "sweep", "|>--rate", "5")]
    [InlineData("latencytuner sweep |>  --rate 5", "rate", "latencytuner", "sweep", "|>", "--rate", "5")]
    [InlineData("latencytuner measure --pattern=sp", "split", "latencytuner", "measure", "--pattern", "=", "sp|>")]
    [InlineData("latencytuner measure --pattern=", "split", "latencytuner", "measure", "--pattern", "=", "|>")]
    [InlineData("latencytuner measure --pattern:sp", "split", "latencytuner", "measure", "--pattern", ":", "sp|>")]
    [InlineData("latencytuner measure --pattern \"sp", "split", "latencytuner", "measure", "--pattern", "\"sp|>")]
    [InlineData("latencytuner measure '--pattern=sp", "--pattern=split", "latencytuner", "measure", "'--pattern=sp|>")]
    [InlineData("latencytuner apply --setting tcp.ack", "tcp.ackfrequency=", "latencytuner", "apply", "--setting", "tcp.ack|>")]
    [InlineData("latencytuner apply --setting tcp.ackfrequency=", "absent", "latencytuner", "apply", "--setting", "tcp.ackfrequency", "=", "|>")]
    [InlineData("latencytuner measure ü --patt", "--pattern", "latencytuner", "measure", "ü", "--patt|>")]
    [InlineData("./latencytuner mea", "measure", "./latencytuner", "mea|>")]
    [InlineData("my\\ tools/latencytuner mea", "measure", "my\\ tools/latencytuner", "mea|>")]
    [InlineData("\"my tools/latencytuner\" mea", "measure", "\"my tools/latencytuner\"", "mea|>")]
    [InlineData("latencytuner measure --p*t", "", "latencytuner", "measure", "--p*t|>")]
    [InlineData("latencytuner analyze ", "", "latencytuner", "analyze", "|>")]
    public void Bash_CompletesInARealShell(string line, string expected, params string[] words)
    {
        Assert.SkipUnless(File.Exists("/bin/bash"), "bash is not installed.");
        using TempFolder folder = Programs();
        int at = Array.FindIndex(words, w => w.Contains(Cursor, StringComparison.Ordinal));
        int point = line.IndexOf(Cursor, StringComparison.Ordinal);
        string whole = line.Replace(Cursor, "", StringComparison.Ordinal);
        string script = $"{CompletionScripts.Bash}\n"
            + $"COMP_WORDS=({string.Join(' ', words.Select(w => Quoted(w.Replace(Cursor, "", StringComparison.Ordinal))))}); COMP_CWORD={at}\n"
            + $"COMP_LINE={Quoted(whole)}; COMP_POINT={(point < 0 ? whole.Length : point)}\n"
            + "_latencytuner_complete; printf '%s\\n' \"${COMPREPLY[@]}\"";

        string[] offered = Run(folder, "bash", "-c", script).Split('\n');

        Assert.Contains(expected, offered);
        Assert.True(expected.Length > 0 || offered.All(o => o.Length == 0), string.Join(' ', offered));
    }

    [Fact]
    public void PowerShell_CompletesInARealShell()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && IsOnPath("pwsh"), "PowerShell (pwsh) is not on the PATH.");
        (string Line, string Completed)[] lines =
        [
            ("latencytuner mea", "Command True latencytuner measure"),
            ("a | latencytuner mea", "Command True a | latencytuner measure"),
            ("(latencytuner measure --pat", "ParameterName True (latencytuner measure --pattern"),
            ("(latencytuner measure --pat|>)", "ParameterName True (latencytuner measure --pattern)"),
            ("./latencytuner mea", "Command True ./latencytuner measure"),
            ("& './my tools/latencytuner' mea", "Command True & './my tools/latencytuner' measure"),
            ("& \"./my tools/latencytuner\" mea|> --rate 5", "Command True & \"./my tools/latencytuner\" measure --rate 5"),
            ("latencytuner me|>as --rate 5; dir", "Command True latencytuner measure --rate 5; dir"),
            ("latencytuner sweep ra|> | more", "Command True latencytuner sweep rate | more"),
            ("latencytuner measure --pattern=sp", "ParameterValue True latencytuner measure --pattern=split"),
            ("latencytuner measure --pattern:sp", "ParameterValue True latencytuner measure --pattern:split"),
            ("latencytuner measure 'a \"b\" c' --pat", "ParameterName True latencytuner measure 'a \"b\" c' --pattern"),
            ("latencytuner measure --pattern \"sp", "ParameterValue True latencytuner measure --pattern split"),
            ("latencytuner apply --setting tcp.ack", "ParameterValue True latencytuner apply --setting tcp.ackfrequency="),
            ("latencytuner apply --setting tcp.ackfrequency=a", "ParameterValue True latencytuner apply --setting tcp.ackfrequency=absent"),
            ("latencytuner recommend --ignore LT101,LT102,LT10", "ParameterValue True latencytuner recommend --ignore LT101,LT102,LT103"),
            ("latencytuner recommend --ignore 'LT101,LT102,LT10", "ParameterValue True latencytuner recommend --ignore 'LT101,LT102,LT103'"),
            ("latencytuner measure --p*t", "."),
            ("latencytuner [m", "."),
            ("latencytuner analyze ", "."),
        ];
        using TempFolder folder = Programs();
        File.WriteAllLines(folder["lines.txt"], lines.Select(l => l.Line));
        folder.Write("test.ps1", PowerShellTest);

        string[] printed = Run(folder, "pwsh", "-NoProfile", "-NonInteractive", "-File", folder["test.ps1"]).TrimEnd().Split('\n');

        Assert.Equal([.. lines.SelectMany(l => l.Completed == "." ? (string[])["."] : [l.Completed, "."]), "LASTEXITCODE 42, 0 errors"], printed);
    }

    private static string Asked(int at, params string[] words) =>
        Convert.ToBase64String(Encoding.UTF8.GetBytes(string.Concat(words.Prepend($"{at}").Select(w => w + '\0'))));

    private static IReadOnlyList<CompletionCandidate> Offered(string line)
    {
        List<string> words = [.. line.Split(' ')];
        int at = words.FindIndex(w => w.Contains(Cursor, StringComparison.Ordinal));
        at = at < 0 ? words.Count - 1 : at;
        words[at] = words[at].Split(Cursor)[0];
        return CommandCompletion.Of(
            CompletionRequest.Read(Asked(at, [.. words]))!, new CliHost { Out = TextWriter.Null, Error = TextWriter.Null });
    }

    /// <summary>A folder with the program under its name, and once more in a folder whose name has a blank.</summary>
    private static TempFolder Programs()
    {
        TempFolder folder = new();
        _ = Directory.CreateDirectory(folder["my tools"]);
        foreach (string path in (string[])["latencytuner", Path.Combine("my tools", "latencytuner")])
        {
            folder.Write(path, $"#!/bin/sh\nexec dotnet '{Path.Combine(AppContext.BaseDirectory, "latencytuner.dll")}' \"$@\"\n");
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(folder[path], UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }
        }

        return folder;
    }

    private static string Run(TempFolder folder, string shell, params string[] arguments)
    {
        ProcessStartInfo start = new(shell, arguments) { WorkingDirectory = folder.Path };
        start.Environment["PATH"] = folder.Path + Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
        start.Environment["LC_ALL"] = "C.UTF-8";
        using CliProcess process = CliProcess.Of(start);
        _ = process.WaitForExit(TimeSpan.FromMinutes(2));
        Assert.Equal("", process.Error);
        return process.Out;
    }

    internal static bool IsOnPath(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Any(f => f.Length > 0 && File.Exists(Path.Combine(f, program)));

    private static string Quoted(string text) => $"'{text.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
