using System.Text.Json;
using System.Text.Json.Nodes;

namespace LatencyTuner.Core.Reporting.Reading;

/// <summary>What documents of version 1 had in another way: they had no common fields at their beginning, and some fields had other names.</summary>
internal static class EarlierVersion
{
    private const string Prefix = "latencytuner/";

    /// <summary>The common fields of version 2, which a document of version 1 may lack, with what stands for them.</summary>
    private static readonly (string Name, Func<JsonNode> Value)[] Added =
    [
        ("verdict", () => "done"), ("text", () => ""), ("exitCode", () => 0), ("complete", () => true), ("nextSteps", () => new JsonArray()),
        ("startedUtc", () => "0001-01-01T00:00:00Z"), ("tool", () => "latencytuner"),
    ];

    private static readonly Dictionary<(string Kind, string Name), string> Names = new()
    {
        [("check", "verdictText")] = "text",
        [("diagnosis", "verdict")] = "diagnosis",
        [("diagnosis", "replyVerdict")] = "replyDiagnosis",
        [("comparison", "verdict")] = "result",
        [("selftest", "takenUtc")] = "startedUtc",
        [("selftest", "takenWith")] = "tool",
    };

    /// <summary>The name of a field in version 2.</summary>
    /// <param name="kind">The kind of the document that has it.</param>
    /// <param name="name">Its name in version 1.</param>
    public static string NameOf(string kind, string name) => Names.GetValueOrDefault((kind, name), name);

    /// <summary>True for a field that every document of version 2 has and one of version 1 may lack.</summary>
    /// <param name="name">The name of the field.</param>
    public static bool MayLack(string name) => Added.Any(a => a.Name == name);

    /// <summary>The kind of document that a part of a schema describes, itself or inside another; null for other parts.</summary>
    /// <param name="properties">The properties of the part.</param>
    public static string? KindOf(JsonElement properties) =>
        properties.ValueKind == JsonValueKind.Object && properties.TryGetProperty("schema", out JsonElement schema)
            && schema.TryGetProperty("const", out JsonElement only) ? KindOf(only.GetString()!) : null;

    /// <summary>The name of a schema as version 1 had it.</summary>
    /// <param name="schema">Such as <c>latencytuner/check/2</c>.</param>
    public static string SchemaOf(string schema) => $"{Prefix}{KindOf(schema)}/1";

    /// <summary>Changes an object of version 1 to version 2.</summary>
    /// <param name="document">The object.</param>
    /// <param name="schema">The name of its schema in version 2.</param>
    public static void Upgrade(JsonObject document, string schema)
    {
        string kind = KindOf(schema);
        foreach ((string name, JsonNode? value) in document.ToList())
        {
            if (NameOf(kind, name) is { } now && now != name)
            {
                document.Remove(name);
                document[now] = value;
            }
        }

        document["schema"] = schema;
        foreach ((string name, Func<JsonNode> value) in Added)
        {
            if (!document.ContainsKey(name))
            {
                document[name] = value();
            }
        }
    }

    private static string KindOf(string schema) => schema.Split('/')[1];
}
