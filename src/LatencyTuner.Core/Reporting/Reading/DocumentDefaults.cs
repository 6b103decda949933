using System.Text.Json.Nodes;

namespace LatencyTuner.Core.Reporting.Reading;

/// <summary>
/// Adds the fields that a document left out and that have a default in its schema. The source-generated reader does not keep
/// the initial values of init-only properties: a list that is missing in the file would be null.
/// </summary>
internal static class DocumentDefaults
{
    /// <summary>The document with its defaults filled in.</summary>
    /// <param name="text">JSON that <see cref="DocumentShape.Check"/> has accepted.</param>
    /// <param name="kind">Its kind.</param>
    /// <param name="version">Its version.</param>
    /// <returns>The same text when nothing was missing, so that error messages name the right line.</returns>
    internal static byte[] Fill(byte[] text, string kind, int version)
    {
        JsonObject schema = JsonNode.Parse(ReportSchemas.Get(kind))!.AsObject();
        JsonNode document = JsonNode.Parse(text)!;
        return Fill(document, schema, schema, version) ? System.Text.Encoding.UTF8.GetBytes(document.ToJsonString()) : text;
    }

    private static bool Fill(JsonNode? node, JsonObject schema, JsonObject root, int version)
    {
        // "anyOf" is used for one thing only: a reference or null.
        if (schema["anyOf"] is JsonArray options)
        {
            schema = options[0]!.AsObject();
        }

        if (schema["$ref"] is { } reference)
        {
            schema = root["$defs"]![reference.GetValue<string>()["#/$defs/".Length..]]!.AsObject();
        }

        bool changed = false;
        if (node is JsonArray array && schema["items"] is JsonObject items)
        {
            foreach (JsonNode? item in array)
            {
                changed |= Fill(item, items, root, version);
            }
        }
        else if (node is JsonObject value && schema["properties"] is JsonObject properties)
        {
            if (version == 1 && properties["schema"]?["const"]?.GetValue<string>() is { } name && !name.EndsWith("/1", StringComparison.Ordinal))
            {
                EarlierVersion.Upgrade(value, name);
                changed = true;
            }

            foreach ((string? field, JsonNode? property) in properties)
            {
                if (value.TryGetPropertyValue(field, out JsonNode? child))
                {
                    changed |= Fill(child, property!.AsObject(), root, version);
                }
                else if (property!["default"] is { } missing)
                {
                    value[field] = missing.DeepClone();
                    changed = true;
                }
            }
        }

        return changed;
    }
}
