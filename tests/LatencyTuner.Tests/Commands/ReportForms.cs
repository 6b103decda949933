using System.Text.Json;
using System.Xml.Linq;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>Every command that reports, in every form, for a real run on loopback.</summary>
public sealed class ReportForms
{
    public static TheoryData<string, string> Commands => new()
    {
        { "measurement", "measure --duration 100ms --warmup 0s" },
        { "measurement", "measure --duration 100ms --warmup 0s --rate 300/s --connections 3 --arrivals poisson --runs 2 --in-flight 8" },
        { "measurement", "measure --count 3" },
        { "measurement", "measure --count 1 --size 1 --reply-size 1" },
        { "measurement", "measure --duration 100ms --warmup 0s --pattern stream --size 1KiB" },
        {
            "measurement",
            "measure --count 6 --warmup 0s --pattern split --gap 1ms --no-delay --peer-no-delay true --ack immediate --peer-writes 2 --peer-think 1ms "
            + "--send-buffer 8KiB --peer-receive-buffer 8KiB --pin 0,1 --spin" },
        { "sweep", "sweep rate --from 50 --to 500 --steps 3 --rounds 2 --duration 50ms --warmup 0s" },
        { "diagnosis", "diagnose --rounds 1 --cell-time 20ms" },
        { "check", "check --duration 100ms --warmup 0s --no-diagnosis --max-p99 1h --max-stall-share 100%" },
        { "check", "check 127.0.0.1:1 --count 6 --no-diagnosis" },
    };

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Json_IsOneAsciiDocumentOfItsSchema(string kind, string command)
    {
        CliRun run = CliRun.Of([.. command.Split(' '), "--format", "json"]);

        // So short a run on a busy machine may show nothing: then it cannot tell.
        int expected = command.Contains("127.0.0.1:1", StringComparison.Ordinal) ? 5 : 0;
        Assert.True(run.Code == expected || kind == "diagnosis" || (kind == "check" && run.Code == 7), $"exit code {run.Code}");
        Assert.Equal("", run.Error);
        Assert.All(run.Out, c => Assert.True(c is '\n' or '\r' or (>= ' ' and <= '~'), $"U+{(int)c:X4}"));
        using JsonDocument document = JsonDocument.Parse(run.Out);
        JsonProperty first = document.RootElement.EnumerateObject().First();
        Assert.Equal(("schema", $"latencytuner/{kind}/2"), (first.Name, first.Value.GetString()));
        Assert.Equal(run.Code != 5, document.RootElement.GetProperty("complete").GetBoolean());
        Assert.Empty((await PublishedSchemas.Validator(kind)).Validate(run.Out).Select(e => e.ToString()));
    }

    [Theory]
    [InlineData("measure --count 20")]
    [InlineData("sweep rate --from 50 --to 500 --steps 2 --rounds 1 --duration 50ms --warmup 0s")]
    [InlineData("diagnose --rounds 1 --cell-time 20ms --allow-inconclusive")]
    [InlineData("check --count 20 --no-diagnosis")]
    public void Forms_OfEveryCommand_Parse(string command)
    {
        string Form(string form) => CliRun.Of([.. command.Split(' '), "--format", form]).Done().Out;

        string[] lines = Form("csv").TrimEnd().Split("\r\n");
        Assert.True(lines.Length >= 2);
        int columns = Fields(lines[0]);
        Assert.True(columns > 10);
        Assert.All(lines, line => Assert.Equal(columns, Fields(line)));

        XElement suites = XDocument.Parse(Form("junit")).Root!;
        Assert.Equal("testsuites", suites.Name.LocalName);
        Assert.Equal(suites.Descendants("testcase").Count(), (int)suites.Attribute("tests")!);
        Assert.Empty(suites.Descendants("failure"));

        string html = Form("html");
        Assert.StartsWith("<!doctype html>", html, StringComparison.OrdinalIgnoreCase);
        Assert.EndsWith("</html>", html.TrimEnd(), StringComparison.Ordinal);
        Assert.DoesNotContain("<script", html, StringComparison.OrdinalIgnoreCase);

        Assert.All(
            Form("text").Split('\n'),
            line => Assert.True(line.TrimEnd('\r').Length <= 80 || line.StartsWith("  latencytuner ", StringComparison.Ordinal), line));
    }

    [Fact]
    public void Text_OnAConsoleWithoutUnicode_IsAscii()
    {
        CliRun run = CliRun.On(
            (output, error) => new CliHost { Out = output, Error = error, Unicode = false },
            CancellationToken.None,
            ["sweep", "rate", "--from", "50", "--to", "500", "--steps", "2", "--rounds", "1", "--duration", "50ms"]);

        Assert.Equal(0, run.Code);
        Assert.All(run.Out, c => Assert.True(c is '\n' or '\r' or (>= ' ' and <= '~'), $"U+{(int)c:X4}"));
    }

    private static int Fields(string line)
    {
        bool quoted = false;
        return 1 + line.Count(c =>
        {
            quoted ^= c == '"';
            return c == ',' && !quoted;
        });
    }
}
