using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Writers;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

public sealed class ReportJsonDocuments
{
    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    [Theory]
    [MemberData(nameof(Names))]
    public void Read_GivesBackWhatWasWritten(string name)
    {
        string text = Serialize(Judged.Sealed(SampleReports.All[name]));

        Document again = ReportJson.ReadAny(Encoding.UTF8.GetBytes(text), name);

        Assert.Equal(SampleReports.All[name].GetType(), again.GetType());
        Assert.Equal(text, Serialize(again));
        Assert.Equal(
            TextReportWriter.Write(Judged.PageOf(SampleReports.All[name])), TextReportWriter.Write(Judged.PageOf(again)));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_GivesTheSameText(string name)
    {
        using StringWriter writer = new();

        ReportJson.Write(SampleReports.All[name], writer);

        Assert.Equal(Serialize(SampleReports.All[name]), writer.ToString());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Serialize_IsAsciiWithSchemaFirst(string name)
    {
        string text = Serialize(SampleReports.All[name]);

        Assert.All(text, c => Assert.True(c is '\n' or (>= ' ' and <= '~')));
        using JsonDocument document = JsonDocument.Parse(text);
        Assert.Equal("schema", document.RootElement.EnumerateObject().First().Name);
    }

    [Fact]
    public void Serialize_EscapesWhatIsNotAscii()
    {
        MeasurementReport report = SampleReports.Healthy with { Notes = ["Grüße \U0001F600"] };

        string text = ReportJson.Serialize(report);

        Assert.Contains("Gr\\u00FC\\u00DFe \\uD83D\\uDE00", text, StringComparison.Ordinal);
        Assert.Equal(report.Notes, ReportJson.Read<MeasurementReport>(Encoding.UTF8.GetBytes(text), "x").Notes);
    }

    [Fact]
    public void Serialize_WritesNullForAnOptionalFigureThatIsNotFinite()
    {
        MeasurementReport report = SampleReports.Healthy with { ConnectUs = double.NaN, LongestSendUs = double.PositiveInfinity };

        string text = ReportJson.Serialize(report);

        Assert.Contains("\"connectUs\": null", text, StringComparison.Ordinal);
        Assert.Contains("\"longestSendUs\": null", text, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => ReportJson.Serialize(SampleReports.Healthy with { DurationMs = double.NaN }));
    }

    [Theory]
    [InlineData("utf-8", true)]
    [InlineData("utf-8", false)]
    [InlineData("utf-16", true)]
    [InlineData("utf-16", false)]
    [InlineData("utf-16BE", true)]
    [InlineData("utf-16BE", false)]
    public void Read_TakesTheEncodingsOfWindows(string encodingName, bool mark)
    {
        Encoding encoding = Encoding.GetEncoding(encodingName);
        string text = ReportJson.Serialize(SampleReports.Healthy).Replace("app01", "Zürich", StringComparison.Ordinal).ReplaceLineEndings("\r\n");
        byte[] bytes = [.. mark ? encoding.GetPreamble() : [], .. encoding.GetBytes(text)];

        Assert.Equal("Zürich:7117", ReportJson.Read<MeasurementReport>(bytes, "m.json").Target.Name);
    }

    [Theory]
    [InlineData("", "m.json: line 1, column 1: expected")]
    [InlineData("[]", "m.json: line 1, column 1: expected a latencytuner document")]
    [InlineData("{}", "m.json: line 1, column 1: expected a field \"schema\"")]
    [InlineData("{\n  \"schema\": 7}", "m.json: line 2, column 13: expected \"schema\" to be a string")]
    [InlineData("{\"schema\": \"latencytuner/sweep/1\"}", "m.json: its schema is \"latencytuner/sweep/1\"; expected latencytuner/measurement/2.")]
    [InlineData(
        "{\"schema\": \"latencytuner/measurement/3\"}",
        "m.json: \"latencytuner/measurement/3\" was written by a newer version of latencytuner; this one reads latencytuner/measurement/2.")]
    [InlineData("{\"schema\": \"latencytuner/measurement/1\"}", "m.json: line 1, column 1: expected a field \"target\" in the document, found none.")]
    [InlineData(
        "{\"schema\": \"latencytuner/measurement/1\",\n \"complete\": \"yes\"}",
        "m.json: line 2, column 14: expected \"complete\" to be a boolean, found \"yes\".")]
    [InlineData("{\"schema\": \"latencytuner/measurement/1\",\n \"é\": 1, \"complete\": tru}", "m.json: line 2, column ")]
    public void Read_SaysWhereAndWhatWasExpected(string text, string sentence)
    {
        ExpectedFailureException failure =
            Assert.Throws<ExpectedFailureException>(() => ReportJson.Read<MeasurementReport>(Encoding.UTF8.GetBytes(text), "m.json"));

        Assert.Equal(ExitCode.Input, failure.Code);
        Assert.StartsWith(sentence, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_NamesAPlaceDeepInside()
    {
        string text = ReportJson.Serialize(SampleReports.Split)
            .Replace("\"count\": 300,\n    \"share\"", "\"count\": \"many\",\n    \"share\"", StringComparison.Ordinal);
        int line = text[..text.IndexOf("\"many\"", StringComparison.Ordinal)].Count(c => c == '\n') + 1;

        ExpectedFailureException failure =
            Assert.Throws<ExpectedFailureException>(() => ReportJson.Read<MeasurementReport>(Encoding.UTF8.GetBytes(text), "m.json"));

        Assert.Equal($"m.json: line {line}, column 14: expected \"count\" to be an integer, found \"many\".", failure.Message);
    }

    [Fact]
    public void Read_RefusesMoreThanTheLimit()
    {
        byte[] bytes = Encoding.UTF8.GetBytes(ReportJson.Serialize(SampleReports.Healthy));

        Assert.Equal(ExitCode.Input, Assert.Throws<ExpectedFailureException>(() => ReportJson.Read<MeasurementReport>(bytes, "m.json", bytes.Length - 1)).Code);
        Assert.NotNull(ReportJson.Read<MeasurementReport>(bytes, "m.json", bytes.Length));
    }

    [Fact]
    public void Read_IgnoresFieldsItDoesNotKnow()
    {
        string text = ReportJson.Serialize(SampleReports.Healthy)
            .Replace("\"complete\": true,", "\"complete\": true, \"later\": {\"a\": [1, null]},", StringComparison.Ordinal);

        Assert.True(ReportJson.Read<MeasurementReport>(Encoding.UTF8.GetBytes(text), "m.json").Complete);
    }

    [Fact]
    public void Read_FillsInTheDefaultsOfFieldsLeftOut()
    {
        JsonObject sample = JsonNode.Parse(ReportJson.Serialize(SampleReports.OpenLoop))!.AsObject();
        Assert.True(sample.Remove("notes") && sample.Remove("runs"));
        JsonObject requested = sample["options"]!["requested"]!.AsObject();
        foreach (string? name in new[] { "connections", "inFlight", "peerWrites", "ack", "peerAck", "pin" })
        {
            Assert.True(requested.Remove(name), name);
        }

        MeasurementReport report = ReportJson.Read<MeasurementReport>(Encoding.UTF8.GetBytes(sample.ToJsonString()), "m.json");

        RequestedOptions defaults = new() { SizeBytes = 1, ReplySizeBytes = 1, WritesBytes = [] };
        RequestedOptions read = report.Options.Requested;
        Assert.Empty(report.Notes);
        Assert.Empty(report.Runs);
        Assert.Empty(read.Pin);
        Assert.Equal(
            (defaults.Connections, defaults.InFlight, defaults.PeerWrites, defaults.Ack, defaults.PeerAck),
            (read.Connections, read.InFlight, read.PeerWrites, read.Ack, read.PeerAck));
    }

    [Fact]
    public void Read_RefusesAFieldGivenTwice()
    {
        string text = ReportJson.Serialize(SampleReports.Healthy)
            .Replace("\"complete\": true,", "\"complete\": true, \"complete\": false,", StringComparison.Ordinal);

        Assert.Contains(
            "once", Assert.Throws<ExpectedFailureException>(() => ReportJson.Read<MeasurementReport>(Encoding.UTF8.GetBytes(text), "m.json")).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Read_OfDamagedDocumentsFailsOnlyInTheExpectedWay()
    {
        Random random = new(20261120);
        List<byte[]> samples = SampleReports.All.Values.Select(r => Encoding.UTF8.GetBytes(Serialize(r))).ToList();
        int survived = 0;
        int rounds = Repository.Times(8000);
        for (int round = 0; round < rounds; round++)
        {
            byte[] bytes = Damage(samples[random.Next(samples.Count)], random);
            try
            {
                // What is accepted must also be fit to print.
                Document report = ReportJson.ReadAny(bytes, "fuzz.json");
                TextReportWriter.Write(Judged.PageOf(report));
                survived++;
            }
            catch (ExpectedFailureException failure)
            {
                Assert.Equal(ExitCode.Input, failure.Code);
                Assert.StartsWith("fuzz.json: ", failure.Message, StringComparison.Ordinal);
            }
        }

        Assert.InRange(survived, 1, rounds - 1);
    }

    private static byte[] Damage(byte[] sample, Random random)
    {
        List<byte> bytes = sample.ToList();
        string[] tokens = ["null", "1e999", "-1", "{}", "[]", "\"\\ud800\"", "\"x\"", "true", "1.5", "99999999999999999999", "\0", "\u00ff", ",", "NaN"];
        for (int i = random.Next(1, 4); i > 0; i--)
        {
            int at = random.Next(bytes.Count);
            switch (random.Next(5))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1:
                    bytes.RemoveRange(at, Math.Min(random.Next(1, 60), bytes.Count - at));
                    break;
                case 2:
                    bytes.InsertRange(at, Encoding.Latin1.GetBytes(tokens[random.Next(tokens.Length)]));
                    break;
                default:
                    // Replaces a whole value, so that the document stays well-formed and the shape is what breaks.
                    int colon = bytes.IndexOf((byte)':', at);
                    int end = colon < 0 ? -1 : bytes.FindIndex(colon, b => b is (byte)',' or (byte)'\n');
                    if (end < 0)
                    {
                        break;
                    }

                    bytes.RemoveRange(colon + 1, end - colon - 1);
                    bytes.InsertRange(colon + 1, Encoding.UTF8.GetBytes(tokens[random.Next(10)]));
                    break;
            }

            if (bytes.Count == 0)
            {
                break;
            }
        }

        return [.. bytes];
    }

    internal static string Serialize(Document report) => ReportJson.SerializeAny(report);
}
