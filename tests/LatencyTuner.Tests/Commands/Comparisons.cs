using System.Text;
using System.Text.Json.Nodes;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

[Collection(QuietMachine.Name)]
public sealed class Comparisons
{
    private static string Measure(TempFolder folder, string name, params string[] args)
    {
        CliRun run = CliRun.Of(["measure", .. args, "--format", "json", "--output", folder[name]]);
        Assert.Equal((0, "", ""), (run.Code, run.Out, run.Error));
        return folder[name];
    }

    private static string Verdict(CliRun run) => JsonNode.Parse(run.Out)!["result"]!.GetValue<string>();

    [Fact]
    public async Task Compare_WithItself_IsNeverBetterOrWorse()
    {
        using TempFolder folder = new();
        string a = Measure(folder, "a.json", "--duration", "200ms", "--warmup", "50ms", "--runs", "3");

        CliRun run = CliRun.Of("compare", a, a, "--format", "json");

        Assert.Equal("", run.Error);
        Assert.Contains(Verdict(run), (string[])["same", "cannot-tell"]);
        Assert.Equal(Verdict(run) == "same" ? 0 : 7, run.Code);
        Assert.Empty((await PublishedSchemas.Validator("comparison")).Validate(run.Out).Select(e => e.ToString()));
        Assert.Equal(0, CliRun.Of("compare", a, a, "--allow-inconclusive", "--fail-on-worse").Code);
    }

    [Fact]
    public void Compare_NagleWithNoDelay_HasTheRightDirection()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Whether loopback delays ACKs elsewhere is not known.");
        using TempFolder folder = new();
        string slow = Measure(folder, "slow.json", "--pattern", "split", "--no-delay", "false", "--runs", "5", "--count", "8");
        string fast = Measure(folder, "fast.json", "--pattern", "split", "--no-delay", "true", "--runs", "5", "--count", "200");

        Assert.Equal("better", Verdict(CliRun.Of("compare", slow, fast, "--format", "json", "--fail-on-worse").Done()));
        Assert.Equal("worse", Verdict(CliRun.Of("compare", fast, slow, "--format", "json").Done()));
        Assert.Equal("worse", Verdict(CliRun.Of("compare", fast, slow, "--format", "json", "--fail-on-worse").Done(1)));
        foreach (string form in (string[])["text", "csv", "junit", "html"])
        {
            CliRun.Of("compare", fast, slow, "--format", form).Done();
        }
    }

    [Fact]
    public void Compare_OfFilesAsWindowsPowerShellWritesThem_Reads()
    {
        using TempFolder folder = new();
        string a = Measure(folder, "a.json", "--count", "50");
        string text = File.ReadAllText(a);
        foreach (Encoding encoding in (Encoding[])[Encoding.Unicode, Encoding.BigEndianUnicode, new UTF8Encoding(true), new UnicodeEncoding(false, false)])
        {
            string b = folder.Write("b.json", [.. encoding.GetPreamble(), .. encoding.GetBytes(text)]);
            CliRun.Of("compare", a, b, "--allow-inconclusive").Done();
        }
    }

    [Fact]
    public void Compare_OfWhatIsNoMeasurement_IsInput()
    {
        using TempFolder folder = new();
        string a = Measure(folder, "a.json", "--count", "50");
        string text = File.ReadAllText(a);
        string check = CliRun.Of("check", "--count", "10", "--no-diagnosis", "--format", "json").Done().Out;
        Dictionary<string, byte[]> bad = new()
        {
            ["empty"] = [],
            ["zeros"] = new byte[100],
            ["binary"] = [0xFF, 0xFE, 0xFF, 0xD8, 0x00],
            ["text"] = Encoding.UTF8.GetBytes("hello"),
            ["array"] = Encoding.UTF8.GetBytes("[]"),
            ["object"] = Encoding.UTF8.GetBytes("{}"),
            ["cut"] = Encoding.UTF8.GetBytes(text[..(text.Length / 2)]),
            ["twice"] = Encoding.UTF8.GetBytes(text + text),
            ["other-kind"] = Encoding.UTF8.GetBytes(check),
            ["newer"] = Encoding.UTF8.GetBytes(text.Replace("measurement/2", "measurement/3", StringComparison.Ordinal)),
            ["wrong-type"] = Encoding.UTF8.GetBytes(text.Replace("\"count\": 50", "\"count\": \"many\"", StringComparison.Ordinal)),
            ["no-base64"] = Encoding.UTF8.GetBytes(text.Replace("\"histogram\": \"", "\"histogram\": \"!", StringComparison.Ordinal)),
            ["damaged-histogram"] = Encoding.UTF8.GetBytes(text.Replace("\"histogram\": \"HISTF", "\"histogram\": \"HISTG", StringComparison.Ordinal)),
            ["deep"] = Encoding.UTF8.GetBytes(new string('[', 5000)),
        };
        foreach ((string? name, byte[]? bytes) in bad)
        {
            string path = folder.Write(name + ".json", bytes);
            CliRun.Of("compare", a, path).Failed(3, name + ".json");
            CliRun.Of("compare", path, a).Failed(3, name + ".json");
        }

        CliRun.Of("compare", a, folder["missing.json"]).Failed(3, "missing.json");
        CliRun.Of("compare", a, folder.Path).Failed(3, "it is a folder, and a file is expected");
    }
}
