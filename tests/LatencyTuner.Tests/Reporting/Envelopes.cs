using System.Text.Json;
using System.Text.Json.Nodes;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Contract;
using LatencyTuner.Core.Reporting.Model;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>The fields that every printed document begins with.</summary>
public sealed class Envelopes
{
    private static readonly DocumentSeal Seal = new(new DateTimeOffset(2026, 3, 1, 14, 0, 0, TimeSpan.FromHours(2)), "latencytuner 0.1.0", new Caller());

    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    public static TheoryData<string> Kinds => [.. PublishedDocuments.Readable];

    public static TheoryData<string> Earlier => [.. Directory.EnumerateFiles(Folder).Select(f => Path.GetFileName(f)!).Order(StringComparer.Ordinal)];

    private static string Folder => Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Reporting", "Version1");

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryDocument_BeginsWithTheSameFields(string name)
    {
        Document sealedDocument = PublishedDocuments.Sealed(PublishedDocuments.Judge(SampleReports.All[name], new()), Seal);
        JsonObject document = JsonNode.Parse(ReportJson.SerializeAny(sealedDocument))!.AsObject();

        Assert.Equal(
            ["schema", "verdict", "text", "exitCode", "complete", "nextSteps", "startedUtc", "tool"], document.Select(p => p.Key).Take(8).ToArray());
        Assert.EndsWith("/2", document["schema"]!.GetValue<string>(), StringComparison.Ordinal);
        Assert.EndsWith("Z", document["startedUtc"]!.GetValue<string>(), StringComparison.Ordinal);
        Assert.NotEqual("", document["text"]!.GetValue<string>());
        Assert.StartsWith("latencytuner ", document["tool"]!.GetValue<string>(), StringComparison.Ordinal);
        if (sealedDocument is Report report)
        {
            Assert.Equal((int)report.Judgement.ExitCode, document["exitCode"]!.GetValue<int>());
            Assert.Equal(report.Judgement.Text, document["text"]!.GetValue<string>());
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Schema_HasTheSameFieldsAndNoTwoThatDifferOnlyByCase(string kind)
    {
        using JsonDocument schema = JsonDocument.Parse(PublishedDocuments.SchemaOf(kind));
        string[] required = [.. schema.RootElement.GetProperty("required").EnumerateArray().Select(r => r.GetString()!)];

        Assert.Empty(new[] { "schema", "verdict", "text", "exitCode", "complete", "nextSteps", "startedUtc", "tool" }.Except(required));
        Assert.All(Properties(schema.RootElement), names => Assert.Equal(names.Length, names.Distinct(StringComparer.OrdinalIgnoreCase).Count()));
    }

    [Theory]
    [InlineData(ExitCode.Done, VerdictKind.Stall, VerdictKind.Stall)]
    [InlineData(ExitCode.Finding, VerdictKind.Stall, VerdictKind.Fail)]
    [InlineData(ExitCode.CannotTell, VerdictKind.NoStall, VerdictKind.CannotTell)]
    [InlineData(ExitCode.Measurement, VerdictKind.NoStall, VerdictKind.CannotTell)]
    [InlineData(ExitCode.Cancelled, VerdictKind.Fail, VerdictKind.Fail)]
    [InlineData(ExitCode.Change, VerdictKind.Drift, VerdictKind.Drift)]
    [InlineData(ExitCode.Change, VerdictKind.Changed, VerdictKind.Failed)]
    [InlineData(ExitCode.Input, VerdictKind.Done, VerdictKind.Failed)]
    public void Verdict_FollowsTheExitCode(ExitCode code, VerdictKind result, VerdictKind expected) =>
        Assert.Equal(expected, new Verdict { Word = "X", Text = "x", Result = result, Tone = Tone.Neutral, ExitCode = code }.Kind);

    /// <summary>What an earlier release wrote is read as before: its verdict, its figures, its findings.</summary>
    [Theory]
    [MemberData(nameof(Earlier))]
    public void Version1_IsRead(string file)
    {
        byte[] bytes = File.ReadAllBytes(Path.Combine(Folder, file));
        JsonObject before = JsonNode.Parse(bytes)!.AsObject();

        Document read = ReportJson.ReadAny(bytes, file);
        JsonObject now = JsonNode.Parse(ReportJson.SerializeAny(read))!.AsObject();

        string verdict = before.ContainsKey("verdictText") ? "text" : "verdict";
        Assert.Equal($"latencytuner/{Path.GetFileNameWithoutExtension(file)}/2", now["schema"]!.GetValue<string>());
        Assert.All(
            before.Where(p => p.Key is not ("schema" or "verdict" or "verdictText" or "replyVerdict" or "startedUtc" or "measurements")),
            p => Assert.Equal(p.Value?.ToJsonString(), now[p.Key]?.ToJsonString()));
        Assert.Equal(
            file switch
            {
                "check.json" => "pass",
                "comparison.json" => "cannot-tell",
                "diagnosis.json" => "stall",
                "measurement.json" => "no-stall",
                _ => "done",
            },
            now["verdict"]!.GetValue<string>());
        if (file == "diagnosis.json")
        {
            Assert.Equal(before["verdict"]!.ToJsonString(), now["diagnosis"]!.ToJsonString());
            Assert.Equal(before["replyVerdict"]!.ToJsonString(), now["replyDiagnosis"]!.ToJsonString());
        }

        Assert.True(verdict != "text" || now["text"]!.GetValue<string>() == before["verdictText"]!.GetValue<string>());
    }

    [Fact]
    public void Version1_NamesTheLineOfAnError()
    {
        string text = File.ReadAllText(Path.Combine(Folder, "diagnosis.json")).Replace(
            "\"rounds\": ", "\"rounds\": \"x\", \"rest\": ", StringComparison.Ordinal);
        int line = text[..text.IndexOf("\"rounds\"", StringComparison.Ordinal)].Count(c => c == '\n') + 1;

        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(
            () => ReportJson.ReadAny(System.Text.Encoding.UTF8.GetBytes(text), "old.json"));

        Assert.StartsWith($"old.json: line {line}, column ", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Version1_OfAFieldOfVersion2_IsRefusedWhereTheTypeIsWrong()
    {
        string text = File.ReadAllText(Path.Combine(Folder, "check.json")).Replace(
            "\"verdictText\": ", "\"verdictText\": 1, \"other\": ", StringComparison.Ordinal);

        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(
            () => ReportJson.ReadAny(System.Text.Encoding.UTF8.GetBytes(text), "old.json"));

        Assert.Equal(ExitCode.Input, failure.Code);
    }

    [Fact]
    public void Failure_IsADocument()
    {
        Document failure = PublishedDocuments.Sealed(FailureReport.Of(ExitCode.Input, "No such file."), Seal);
        JsonObject document = JsonNode.Parse(ReportJson.SerializeAny(failure))!.AsObject();

        Assert.Equal("failed", document["verdict"]!.GetValue<string>());
        Assert.Equal(3, document["exitCode"]!.GetValue<int>());
        Assert.Equal("No such file.", document["text"]!.GetValue<string>());
        Assert.False(document["complete"]!.GetValue<bool>());
        Assert.Equal("2026-03-01T12:00:00Z", document["startedUtc"]!.GetValue<string>());
    }

    private static IEnumerable<string[]> Properties(JsonElement element)
    {
        if (element.ValueKind == JsonValueKind.Object)
        {
            foreach (JsonProperty property in element.EnumerateObject())
            {
                if (property.Name is "properties" or "$defs")
                {
                    yield return [.. property.Value.EnumerateObject().Select(p => p.Name)];
                }

                foreach (string[] names in Properties(property.Value))
                {
                    yield return names;
                }
            }
        }
    }
}
