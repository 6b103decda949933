using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Reporting.Check;
using LatencyTuner.Core.Reporting.Comparison;
using LatencyTuner.Core.Reporting.Diagnosis;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Core.Reporting.Protocols;
using LatencyTuner.Core.Reporting.Recommendations;
using LatencyTuner.Core.Reporting.Selftest;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Reporting.Settings;
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
        ["profiles"] = typeof(ProfilesReport),
    };

    public static TheoryData<string> Kinds => new(DocumentKinds.Names);

    public static TheoryData<string> Names => new(SampleReports.All.Keys);

    [Fact]
    public void Kinds_AreTheContract() => Assert.Equal(Documents.Keys, DocumentKinds.Names);

    [Fact]
    public void Get_RefusesAnUnknownKind()
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => DocumentKinds.SchemaOf("../check"));

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
        List<string> required = JsonNode.Parse(DocumentKinds.SchemaOf(kind))!["required"]!.AsArray().Select(r => r!.GetValue<string>()).ToList();

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

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Get_HasEveryPropertyOfTheRecordsAndNoOther(string kind)
    {
        JsonObject root = JsonNode.Parse(DocumentKinds.SchemaOf(kind))!.AsObject();
        HashSet<Type> checkedTypes = new();
        Compare(root, Documents[kind], root, checkedTypes);
        IEnumerable<string> definitions = root["$defs"]?.AsObject().Select(d => d.Key).Order() ?? Enumerable.Empty<string>();

        Assert.Equal(checkedTypes.Where(t => t != Documents[kind]).Select(t => JsonNamingPolicy.CamelCase.ConvertName(t.Name)).Order(), definitions);
    }

    [Fact]
    public void Get_DefinesTheSameThingTheSameWayEverywhere()
    {
        Dictionary<string, string> seen = new();
        foreach (string kind in DocumentKinds.Names)
        {
            foreach ((string? name, JsonNode? definition) in JsonNode.Parse(DocumentKinds.SchemaOf(kind))!["$defs"]?.AsObject() ?? [])
            {
                Assert.Equal(seen.TryGetValue(name, out string? before) ? before : seen[name] = definition!.ToJsonString(), definition!.ToJsonString());
            }
        }

        Assert.NotEmpty(seen);
    }

    private static void Compare(JsonObject schema, Type type, JsonObject root, HashSet<Type> done)
    {
        if (!done.Add(type))
        {
            return;
        }

        List<PropertyInfo> properties = type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(p => p.CanWrite && p.GetCustomAttribute<System.Text.Json.Serialization.JsonIgnoreAttribute>() is null).ToList();
        Dictionary<string, PropertyInfo> names = properties.ToDictionary(NameOf);
        Assert.Equal(names.Keys.Order(), schema["properties"]!.AsObject().Select(p => p.Key).Order());
        HashSet<string> required = schema["required"]?.AsArray().Select(r => r!.GetValue<string>()).ToHashSet() ?? [];
        Assert.Empty(
            names.Where(n => n.Value.IsDefined(typeof(System.Runtime.CompilerServices.RequiredMemberAttribute)) && !required.Contains(n.Key))
                .Select(n => n.Key));
        foreach ((string? name, PropertyInfo? property) in names)
        {
            JsonObject node = schema["properties"]![name]!.AsObject();
            Assert.False(string.IsNullOrWhiteSpace(node["description"]?.GetValue<string>()), $"{type.Name}.{name} has no description.");
            if (!required.Contains(name))
            {
                Assert.Equal(InitialValue(property, type), node["default"]?.ToJsonString());
            }

            bool nullable = new NullabilityInfoContext().Create(property).WriteState == NullabilityState.Nullable;
            Assert.True(nullable == AllowsNull(node), $"{type.Name}.{name}: null is {(nullable ? "possible" : "not possible")}, the schema says otherwise.");
            Follow(node, Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType, root, done);
        }
    }

    private static void Follow(JsonObject node, Type type, JsonObject root, HashSet<Type> done)
    {
        if (type.IsEnum)
        {
            IEnumerable<string> values = node["enum"]!.AsArray().Where(v => v is not null).Select(v => v!.GetValue<string>());
            Assert.Equal(Enum.GetNames(type).Select(JsonNamingPolicy.KebabCaseLower.ConvertName), values);
        }
        else if (type.IsGenericType)
        {
            Type element = type.GetGenericArguments()[^1];
            Follow(
                node[type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>) ? "items" : "additionalProperties"]!.AsObject(),
                Nullable.GetUnderlyingType(element) ?? element, root, done);
        }
        else if (type.Assembly == typeof(Finding).Assembly)
        {
            string reference = (node["$ref"] ?? node["anyOf"]![0]!["$ref"])!.GetValue<string>();
            Assert.Equal("#/$defs/" + JsonNamingPolicy.CamelCase.ConvertName(type.Name), reference);
            Compare(root["$defs"]![JsonNamingPolicy.CamelCase.ConvertName(type.Name)]!.AsObject(), type, root, done);
        }
    }

    /// <summary>What a record starts with, as JSON; null when that is what a missing field gives anyway.</summary>
    private static string? InitialValue(PropertyInfo property, Type type)
    {
        object? value = property.GetValue(Activator.CreateInstance(type));
        return value switch
        {
            null or 0 or 0L or 0.0 or false => null,
            _ => JsonSerializer.Serialize(value),
        };
    }

    private static bool AllowsNull(JsonObject node) =>
        node["type"] is JsonArray types ? types.Any(t => t!.GetValue<string>() == "null")
        : node["enum"] is JsonArray values ? values.Any(v => v is null)
        : node["anyOf"] is not null;

    private static string NameOf(PropertyInfo property) =>
        property.GetCustomAttribute<JsonPropertyNameAttribute>()?.Name ?? JsonNamingPolicy.CamelCase.ConvertName(property.Name);

    // NJsonSchema knows "$defs" by its name of earlier drafts only; the meaning is the same.
    internal static Task<JsonSchema> Validator(string kind) => JsonSchema.FromJsonAsync(
        DocumentKinds.SchemaOf(kind).Replace("\"$defs\"", "\"definitions\"", StringComparison.Ordinal)
            .Replace("#/$defs/", "#/definitions/", StringComparison.Ordinal));
}
