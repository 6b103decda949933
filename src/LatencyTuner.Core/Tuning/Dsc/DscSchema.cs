using System.Text.Json;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning.Dsc;

/// <summary>The JSON Schema of an instance. DSC checks what goes in and what comes out against it, so it names everything that either may hold.</summary>
public static class DscSchema
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    /// <summary>The schema (draft 2020-12), ending in a line feed.</summary>
    public static string Text() => Instance().ToJsonString(Indented).Replace("\r", "", StringComparison.Ordinal) + "\n";

    private static JsonObject Instance() => new()
    {
        ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
        ["title"] = "LatencyTuner/Settings",
        ["description"] = "TCP settings of Windows that govern latency: values of the registry, properties of TCP templates, transport filters.",
        ["type"] = "object",
        ["additionalProperties"] = false,
        ["properties"] = new JsonObject
        {
            [DscNames.Settings] = new JsonObject
            {
                ["type"] = "array",
                ["description"] = "The settings. They are changed together or not at all.",
                ["maxItems"] = PlanChecks.MaxChanges,
                ["items"] = Setting(),
            },
            [DscNames.Force] = Of("boolean", "Also write values and interfaces that need 'latencytuner apply --force'. Default: false."),
            [DscNames.Ticket] = Of("string", "The change ticket for the journal and the Event Log."),
            [DscNames.Batch] = ReadOnly(Of("string", "The batch of the change: 'latencytuner rollback --batch ID --yes' undoes it.")),
            [DscNames.Exist] = Of("boolean", "False: none of the settings may have a value, so Windows does what it does by default. Default: true."),
            [DscNames.InDesiredState] = ReadOnly(new JsonObject
            {
                ["type"] = new JsonArray("boolean", "null"),
                ["description"] = "Whether every setting is as wanted. Only test knows; null from get and set.",
            }),
            [DscNames.RestartRequired] = ReadOnly(new JsonObject
            {
                ["type"] = "array",
                ["description"] = "What must be restarted before all values are in force.",
                ["items"] = new JsonObject
                {
                    ["type"] = "object",
                    ["additionalProperties"] = false,
                    ["required"] = new JsonArray(DscNames.System),
                    ["properties"] = new JsonObject { [DscNames.System] = Of("string", "Name of the computer.") },
                },
            }),
            [DscNames.Metadata] = Of("object", "From set as what-if, the changes in \"whatIf\". What a configuration says here has no meaning."),
        },
    };

    private static JsonObject Setting() => new()
    {
        ["type"] = "object",
        ["additionalProperties"] = false,
        ["required"] = new JsonArray(DscNames.Id),
        ["properties"] = new JsonObject
        {
            [DscNames.Id] = Of("string", $"Id of the setting: {string.Join(", ", Ids())}. 'latencytuner settings explain ID' explains one."),
            [DscNames.Value] = new JsonObject
            {
                ["type"] = new JsonArray("integer", "string", "null"),
                ["minimum"] = 0,
                ["maximum"] = uint.MaxValue,
                ["description"] = "The wanted value: a number, a word of the setting, or \"absent\" for none. Needed by test and set, unless _exist is false.",
            },
            [DscNames.Interface] = Of("string", "For a setting of an interface: its name, GUID, index or address."),
            [DscNames.Template] = Of("string", "For a property of a TCP template: its name."),
            [DscNames.Filter] = Of("string", "With InternetCustom or DatacenterCustom: PREFIX[:PORT] of the peers that it applies to."),
        },
    };

    private static IEnumerable<string> Ids() => SettingsCatalogue.Current.All.Where(d => ApplicableSetting.TryFrom(d) is not null).Select(d => d.Id);

    private static JsonObject Of(string type, string description) => new() { ["type"] = type, ["description"] = description };

    private static JsonObject ReadOnly(JsonObject property)
    {
        property["readOnly"] = true;
        return property;
    }
}
