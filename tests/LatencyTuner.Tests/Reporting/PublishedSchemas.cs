using System.Text.Json.Nodes;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Contract;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Packs;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Core.Reporting.Sweep;
using LatencyTuner.Core.Reporting.UnderLoad;
using LatencyTuner.Core.Tuning;
using NJsonSchema;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

public sealed class PublishedSchemas
{
    private static readonly Dictionary<string, Type> Documents = new()
    {
        ["measurement"] = typeof(MeasurementReport),
        ["diagnosis"] = typeof(DiagnosisReport),
        ["sweep"] = typeof(SweepReport),
        ["series"] = typeof(SeriesReport),
        ["protocols"] = typeof(ProtocolsReport),
        ["under-load"] = typeof(UnderLoadReport),
        ["check"] = typeof(CheckReport),
        ["comparison"] = typeof(ComparisonReport),
        ["settings"] = typeof(SettingsReport),
        ["snapshot"] = typeof(HostSnapshot),
        ["snapshot-comparison"] = typeof(SnapshotComparisonReport),
        ["selftest"] = typeof(SelftestReport),
        ["finding"] = typeof(Finding),
        ["plan"] = typeof(PlanDocument),
        ["change"] = typeof(ChangeReport),
        ["recommendation"] = typeof(RecommendationReport),
        ["analysis"] = typeof(AnalysisReport),
        ["sockets"] = typeof(SocketsReport),
        ["fleet"] = typeof(FleetReport),
        ["failure"] = typeof(FailureReport),
        ["exit-codes"] = typeof(ExitCodesReport),
        ["pack"] = typeof(PackReport),
        ["profiles"] = typeof(ProfilesReport),
    };

    public static TheoryData<string> Kinds => new(PublishedDocuments.Names);

    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    [Fact]
    public void Kinds_AreTheContract() => Assert.Equal(Documents.Keys, PublishedDocuments.Names);

    [Fact]
    public void Get_RefusesAnUnknownKind()
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => PublishedDocuments.SchemaOf("../check"));

        Assert.Equal(ExitCode.Usage, failure.Code);
        Assert.Contains("measurement, diagnosis", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Get_AcceptsEverySample(string name)
    {
        string text = ReportJsonDocuments.Serialize(SampleReports.All[name]);
        string kind = Documents.Single(d => d.Value == SampleReports.All[name].GetType()).Key;

        Assert.Empty((await Validator(kind)).Validate(text).Select(e => e.ToString()));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Get_RefusesASampleWithoutARequiredField(string name)
    {
        string kind = Documents.Single(d => d.Value == SampleReports.All[name].GetType()).Key;
        JsonSchema schema = await Validator(kind);
        List<string> required = JsonNode.Parse(PublishedDocuments.SchemaOf(kind))!["required"]!.AsArray().Select(r => r!.GetValue<string>()).ToList();

        Assert.Contains("schema", required);
        foreach (string field in required)
        {
            JsonObject sample = JsonNode.Parse(ReportJsonDocuments.Serialize(SampleReports.All[name]))!.AsObject();
            Assert.True(sample.Remove(field), field);
            Assert.NotEmpty(schema.Validate(sample.ToJsonString()));
        }
    }

    [Fact]
    public async Task Get_RefusesAWrongTypeDeepInside()
    {
        JsonSchema schema = await Validator("check");
        JsonNode sample = JsonNode.Parse(ReportJson.Serialize(SampleReports.Fail))!;
        sample["measurements"]![1]!["responseTime"]!["count"] = "many";

        Assert.NotEmpty(schema.Validate(sample.ToJsonString()));
    }

    [Fact]
    public void Get_DefinesTheSameThingTheSameWayEverywhere()
    {
        Dictionary<string, string> seen = new();
        foreach (string kind in PublishedDocuments.Names)
        {
            foreach ((string? name, JsonNode? definition) in JsonNode.Parse(PublishedDocuments.SchemaOf(kind))!["$defs"]?.AsObject() ?? [])
            {
                Assert.Equal(seen.TryGetValue(name, out string? before) ? before : seen[name] = definition!.ToJsonString(), definition!.ToJsonString());
            }
        }

        Assert.NotEmpty(seen);
    }

    internal static Task<JsonSchema> Validator(string kind) => JsonSchema.FromJsonAsync(
        PublishedDocuments.SchemaOf(kind).Replace("\"$defs\"", "\"definitions\"", StringComparison.Ordinal)
            .Replace("#/$defs/", "#/definitions/", StringComparison.Ordinal));
}
