using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;
using LatencyTuner.Commands;
using LatencyTuner.Core.Measurement.Monitoring;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Hosting;

namespace LatencyTuner.Fuzz;

/// <summary>
/// The whole command line on every kind of file that it reads besides recordings, mutated where it carries meaning: numbers at the ends of their ranges, texts
/// that are none, values of another type, lines that are missing or come twice.
/// </summary>
internal static partial class CommandCase
{
    /// <summary>A series of a million bins takes more than five seconds of the wall clock when other programs use the processors too.</summary>
    public const double SlowMs = 20_000;

    private const int MostSentence = 1000;

    private static readonly string[] Formats = ["text", "json", "csv", "html", "junit", "github", "azure"];
    private static readonly string[] Numbers =
    [
        "0", "-0", "-1", "1", "2", "1e-320", "1e308", "-1e308", "1e999", "9223372036854775807", "-9223372036854775808", "2147483648", "-2147483648",
        "4294967295",
        "253402300799999", "-62135596800000", "253402300800", "0.5", "1e15", "00", "10000000000000", "1e18", "-1e18", "1000", "1000000", "-1000", "3600000000",
    ];

    private static readonly string[] Texts =
    [
        "", "\\ud800", "\\u0000", "\\u001b[2J", "x", "9999-12-31T23:59:59.9999999Z", "0001-01-01T00:00:00Z", "2026-11-20T03:04:05", "loopback", "-", "null",
        "\\n",
        "=1+1", "HKLM\\\\SYSTEM", "a\\\"b", "NaN", "Infinity", "::1", "127.0.0.1:65536", "split", "cannot-tell",
    ];

    private static readonly string[] Values = ["null", "true", "[]", "{}", "\"x\"", "-1", "[null]", "[[]]", "1.5"];

    private static readonly Lazy<Corpus> Seeds = new(Corpus.Make);

    /// <summary>Runs the command of a seed. The file of a case that failed stays: what is mutated was measured, and differs with every run.</summary>
    /// <param name="seed">The seed.</param>
    /// <exception cref="InvalidOperationException">It ended in a way that no input may cause.</exception>
    public static FuzzOutcome Run(long seed)
    {
        Random random = new((int)seed);
        Corpus corpus = Seeds.Value;
        (string name, byte[] bytes) = corpus.Files[random.Next(corpus.Files.Count)];
        string file = Path.Combine(corpus.Folder, $"case-{seed}");
        File.WriteAllBytes(file, Mutated(name, bytes, random));
        string[] words = [.. corpus.Command(name, file, random), "--format", Formats[random.Next(Formats.Length)]];
        long begin = Stopwatch.GetTimestamp();
        (int code, string error) = Call(words);
        if (name == "plan" && PlanChecksum().Match(error) is { Success: true } sums)
        {
            // One who makes a plan by hand gives it the checksum that it has.
            string sealedAgain = File.ReadAllText(file, Encoding.Latin1).Replace(sums.Groups[1].Value, sums.Groups[2].Value, StringComparison.Ordinal);
            File.WriteAllText(file, sealedAgain, Encoding.Latin1);
            (code, error) = Call(words);
        }

        string[] sentences = error.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        if (code is < 0 or > 7 || Array.Exists(sentences, l => l.Length > MostSentence || l.TrimEnd('\r').Any(char.IsControl)))
        {
            throw new InvalidOperationException($"{string.Join(' ', words)} of {name}: exit code {code}: {error}");
        }

        if (Stopwatch.GetElapsedTime(begin).TotalMilliseconds < SlowMs)
        {
            File.Delete(file);
        }

        return new FuzzOutcome(code is 2 or 3, false, 0, 0);
    }

    private static (int Code, string Error) Call(params string[] words)
    {
        using StringWriter error = new();
        int code = Cli.RunAsync(words, new CliHost { Out = TextWriter.Null, Error = error }).GetAwaiter().GetResult();
        return (code, error.ToString());
    }

    private static byte[] Mutated(string name, byte[] bytes, Random random)
    {
        bool monitored = name == "monitor";
        string text = Encoding.Latin1.GetString(bytes);
        for (int n = random.Next(1, 4); n > 0; n--)
        {
            text = Once(text, random);
        }

        return !monitored ? Encoding.Latin1.GetBytes(text)
            : [.. text.Split('\n').Where(l => l.Length > 9)
                .SelectMany(l => random.Next(20) == 0 ? Encoding.Latin1.GetBytes(l + "\n") : MonitorRecord.Sealed(l[9..]))];
    }

    private static string Once(string text, Random random)
    {
        switch (random.Next(10))
        {
            case 0 or 1 or 2 or 8 or 9:
                return Replaced(text, NumberToken(), Numbers, random);
            case 3 when Date().IsMatch(text):
                return Replaced(text, Date(), ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "1970-01-01T00:00:10Z", "2038-01-19T03:14:07Z"], random);
            case 3:
                return Replaced(text, TextToken(), [.. Texts.Select(t => $"\"{t}\"")], random);
            case 4:
                return Replaced(text, random.Next(2) == 0 ? NumberToken() : TextToken(), Values, random);
            case 5:
                string[] lines = text.Split('\n');
                int at = random.Next(lines.Length);
                return string.Join('\n', random.Next(2) == 0 ? [.. lines[..at], .. lines[(at + 1)..]] : [.. lines[..at], lines[at], .. lines[at..]]);
            case 6:
                int place = random.Next(text.Length + 1);
                return random.Next(8) == 0 ? text[..place] : string.Concat(text.AsSpan(0, place), ((char)random.Next(256)).ToString(), text.AsSpan(place));
            default:
                // The same extreme everywhere: what is divided by itself, or summed.
                string number = Numbers[random.Next(Numbers.Length)];
                MatchCollection all = PropertyName().Matches(text);
                return all.Count == 0 ? text
                    : Regex.Replace(
                        text, Regex.Escape(all[random.Next(all.Count)].Value) + @"\s*-?\d[\d.eE+-]*", m => $"{m.Value[..(m.Value.IndexOf(':') + 1)]}{number}");
        }
    }

    private static string Replaced(string text, Regex token, string[] with, Random random)
    {
        MatchCollection found = token.Matches(text);
        if (found.Count == 0)
        {
            return text;
        }

        Match match = found[random.Next(found.Count)];
        return string.Concat(text.AsSpan(0, match.Index), with[random.Next(with.Length)], text.AsSpan(match.Index + match.Length));
    }

    [GeneratedRegex(@"(?<![\w.""-])-?\d+(\.\d+)?([eE][+-]?\d+)?(?![\w.])")]
    private static partial Regex NumberToken();

    [GeneratedRegex(@"(?<!"")\b\d{4}-\d\d-\d\dT[\d:.]+Z")]
    private static partial Regex Date();

    [GeneratedRegex(@"""[^""\\]*""")]
    private static partial Regex TextToken();

    [GeneratedRegex(@"""\w+"":")]
    private static partial Regex PropertyName();

    [GeneratedRegex("Its checksum is \"(\\w+)\", but its contents have \"(\\w+)\"")]
    private static partial Regex PlanChecksum();

    /// <summary>Good files of every kind, and the commands that read them.</summary>
    private sealed class Corpus
    {
        public required string Folder { get; init; }

        public List<(string Name, byte[] Bytes)> Files { get; } = [];

        public static Corpus Make()
        {
            string root = AppContext.BaseDirectory;
            while (!File.Exists(Path.Combine(root, "LatencyTuner.sln")))
            {
                root = Path.GetDirectoryName(root) ?? throw new InvalidOperationException("The fuzzer runs within the repository.");
            }

            string tests = Path.Combine(root, "tests", "LatencyTuner.Tests");
            Corpus corpus = new() { Folder = Directory.CreateTempSubdirectory("latencytuner-fuzz").FullName };
            string Seed(string name) => Path.Combine(corpus.Folder, name);
            AppDomain.CurrentDomain.ProcessExit += (_, _) =>
            {
                if (!Directory.EnumerateFiles(corpus.Folder, "case-*").Any())
                {
                    Directory.Delete(corpus.Folder, recursive: true);
                }
            };

            File.Copy(Path.Combine(tests, "Settings", "Samples", "server2022.json"), Seed("snapshot"));
            File.Copy(Path.Combine(tests, "Tuning", "Recommendations", "Samples", "diagnosis.json"), Seed("diagnosis"));
            File.Copy(Path.Combine(tests, "Series", "Samples", "web2.csv"), Seed("csv"));
            File.WriteAllText(Seed("severity"), """{ "warningShare": 0.1, "errorShare": 0.5, "longStallMs": 100, "longStallsPerMinute": 5 }""");
            File.Copy(Path.Combine(tests, "Capture", "Data", "client.pcap"), Seed("capture.pcap"));
            string[][] made =
            [
                ["measure", "measure", "loopback", "--count", "60", "--runs", "2"],
                ["split", "measure", "loopback", "--pattern", "split", "--no-delay", "false", "--count", "30"],
                ["check", "check", "loopback", "--duration", "300ms"],
                ["sweep", "sweep", "rate", "loopback", "--from", "100/s", "--to", "400/s", "--steps", "3", "--rounds", "1", "--duration", "200ms"],
                ["comparison", "compare", Seed("measure"), Seed("measure")],
                ["series", "report", Seed("csv")],
                ["analysis", "analyze", Seed("capture.pcap")],
                ["recommendation", "recommend", "--snapshot", Seed("snapshot"), "--from", Seed("diagnosis")],
                ["audit", "settings", "list", "--snapshot", Seed("snapshot")],
            ];
            foreach (string[] call in made)
            {
                Call([.. call[1..], "--format", "json", "--output", Seed(call[0])]);
            }

            File.WriteAllText(Seed("plan"), PlanFile.Write(Plan()));
            Call("monitor", "loopback", "--rate", "50/s", "--interval", "200ms", "--duration", "1500ms", "--store", Seed("store"));
            if (Directory.Exists(Seed("store")))
            {
                File.Copy(Directory.GetFiles(Seed("store")).OrderBy(f => new FileInfo(f).Length).Last(), Seed("monitor"));
            }

            foreach (string name in (string[])[.. made.Select(m => m[0]), "snapshot", "diagnosis", "csv", "severity", "plan", "monitor"])
            {
                if (!File.Exists(Seed(name)))
                {
                    throw new InvalidOperationException($"No file of the kind {name} was made.");
                }

                corpus.Files.Add((name, File.ReadAllBytes(Seed(name))));
            }

            return corpus;
        }

        private static ChangePlan Plan() => new()
        {
            Batch = "20261120T030405-0001",
            Machine = new("6e4f", "SRV01"),
            CreatedUtc = new(2026, 11, 20, 3, 4, 5, TimeSpan.Zero),
            Operator = @"CORP\anna",
            Changes =
            [
                new()
                {
                    SettingId = "tcp.delackticks",
                    Scope = "interface",
                    Interface = "Ethernet0",
                    Location = new SettingLocation.Registry(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\{4f2c0001}", "TcpDelAckTicks"),
                    Before = SettingValue.Absent,
                    After = SettingValue.Dword(1),
                    Restart = RestartNeed.Adapter,
                },
            ],
        };

        public string[] Command(string name, string file, Random random)
        {
            string Other(string kind) => Path.Combine(Folder, kind);
            return (random.Next(8) == 0 ? "any" : name, random.Next(3)) switch
            {
                ("severity", _) => ["analyze", Other("capture.pcap"), "--severity", file, "--fail-on", "info"],
                ("plan", _) => ["apply", "--snapshot", Other("snapshot"), "--plan", file],
                ("snapshot", 0) => ["settings", "list", "--snapshot", file],
                ("snapshot", 1) => ["recommend", "--snapshot", file, "--from", Other("diagnosis")],
                ("snapshot", _) => ["compare", Other("snapshot"), file],
                ("measure" or "split", 0) => ["compare", file, Other("measure")],
                ("measure" or "split", 1) => ["compare", Other("measure"), file],
                ("csv" or "series" or "monitor", 0) => ["report", file, Other("csv")],
                ("csv" or "series" or "monitor", _) => ["report", file],
                (_, 0) => ["recommend", "--from", file, "--snapshot", Other("snapshot")],
                (_, _) => ["report", file],
            };
        }
    }
}
