using System.ComponentModel.DataAnnotations;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using LatencyTuner.Core;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Sweep;

namespace LatencyTuner.Tests.Reporting;

/// <summary>
/// Makes the JSON Schema of a kind of document from its model: the properties as they are serialised, their types and defaults, and the doc comments as
/// descriptions.
/// </summary>
internal sealed partial class SchemaGenerator
{
    private static readonly Dictionary<string, XElement> Docs = XDocument
        .Load(Path.ChangeExtension(typeof(ExitCode).Assembly.Location, ".xml")).Descendants("member")
        .ToDictionary(m => m.Attribute("name")!.Value, StringComparer.Ordinal);

    private static readonly JsonSerializerOptions Written = new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly SortedDictionary<string, JsonObject?> _definitions = new(StringComparer.Ordinal);

    /// <summary>The schema of a kind, ending in a line feed.</summary>
    internal static string Generate(DocumentKind kind) => new SchemaGenerator().Root(kind);

    private string Root(DocumentKind kind)
    {
        JsonObject root = new()
        {
            ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
            ["$id"] = $"https://latencytuner.invalid/schema/{kind.Name}/{kind.Version}",
            ["title"] = $"latencytuner {kind.Name}, version {kind.Version}. Further fields may be there: ignore what you do not know.",
        };
        Add(root, ObjectOf(kind.Type));

        if (_definitions.Count > 0)
        {
            root["$defs"] = new JsonObject(_definitions.Select(d => KeyValuePair.Create(d.Key, (JsonNode?)d.Value)));
        }

        return root.ToJsonString(Written).Replace("\r\n", "\n", StringComparison.Ordinal) + "\n";
    }

    private JsonObject ObjectOf(Type type)
    {
        PropertyInfo[] properties = [.. type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(p => p.CanWrite && p.GetCustomAttribute<JsonIgnoreAttribute>() is null or { Condition: not JsonIgnoreCondition.Always })
            .OrderBy(p => p.GetCustomAttribute<JsonPropertyOrderAttribute>()?.Order ?? 0)];
        HashSet<string> positional = [.. type.GetConstructors().Where(c => c.GetParameters() is { Length: > 0 } p && p[0].ParameterType != type)
            .SelectMany(c => c.GetParameters().Where(p => !p.IsOptional).Select(p => p.Name!))];
        string[] required =
            [.. properties.Where(p => NameOf(p) == "schema" || p.IsDefined(typeof(RequiredMemberAttribute)) || p.IsDefined(typeof(RequiredAttribute))
            || positional.Contains(p.Name)
            || (type == typeof(Finding) && p.Name == nameof(Finding.Id))).Select(NameOf)];
        JsonObject schema = new()
        {
            ["description"] = Description(type),
            ["type"] = "object",
            ["required"] = required.Length == 0 ? null : new JsonArray([.. required.Select(r => (JsonNode)r)]),
            ["properties"] = new JsonObject(properties.Select(p => KeyValuePair.Create(NameOf(p), (JsonNode?)Property(p, type)))),
        };
        if (required.Length == 0)
        {
            schema.Remove("required");
        }

        return schema;
    }

    private static void Add(JsonObject to, JsonObject from)
    {
        foreach ((string name, JsonNode? value) in from)
        {
            to[name] = value?.DeepClone();
        }
    }

    private JsonObject Property(PropertyInfo property, Type owner)
    {
        JsonObject schema = new() { ["description"] = Description(property, owner) };
        if (property.Name == "Schema")
        {
            schema["const"] = (string)property.GetValue(Initial(property, owner))!;
            return schema;
        }

        NullabilityInfo nullability = new NullabilityInfoContext().Create(property);
        Add(schema, TypeOf(property.PropertyType, nullability, property));

        if (property.GetCustomAttribute<RangeAttribute>() is { } range)
        {
            schema["minimum"] = Convert.ToDouble(range.Minimum, System.Globalization.CultureInfo.InvariantCulture);
        }

        if (!property.IsDefined(typeof(RequiredMemberAttribute)) && property.Name != nameof(Finding.Id) && owner.GetConstructor(Type.EmptyTypes) is not null
            && nullability.WriteState != NullabilityState.Nullable && DefaultOf(property, owner) is { } initial)
        {
            schema["default"] = initial;
        }

        return schema;
    }

    private JsonObject TypeOf(Type declared, NullabilityInfo? nullability, PropertyInfo? property)
    {
        bool nullable = Nullable.GetUnderlyingType(declared) is not null || nullability?.WriteState == NullabilityState.Nullable;
        Type type = Nullable.GetUnderlyingType(declared) ?? declared;
        if (property?.GetCustomAttribute<AllowedValuesAttribute>() is { } allowed)
        {
            return EnumOf(allowed.Values.Where(v => v is not null).Select(v => (string)v!), nullable);
        }

        if (property?.GetCustomAttribute<JsonConverterAttribute>()?.ConverterType == typeof(WindowBytesConverter))
        {
            return new JsonObject { ["type"] = new JsonArray("integer", "string", "null") };
        }

        if (type.IsEnum)
        {
            return EnumOf(Enum.GetNames(type).Select(n => JsonNamingPolicy.KebabCaseLower.ConvertName(n)), nullable);
        }

        if (type == typeof(JsonElement))
        {
            return new JsonObject { ["type"] = new JsonArray("string", "number", "array", "null") };
        }

        if (type == typeof(DateTimeOffset) || type == typeof(DateTime))
        {
            return new JsonObject { ["type"] = Plain("string", nullable), ["format"] = "date-time" };
        }

        string? plain = type == typeof(string) ? "string"
            : type == typeof(bool) ? "boolean"
            : type == typeof(int) || type == typeof(long) || type == typeof(uint) || type == typeof(ulong) ? "integer"
            : type == typeof(double) ? "number"
            : null;
        if (plain is not null)
        {
            return new JsonObject { ["type"] = Plain(plain, nullable) };
        }

        if (type.IsGenericType)
        {
            bool list = type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>);
            Type element = type.GetGenericArguments()[^1];
            return new JsonObject
            {
                ["type"] = Plain(list ? "array" : "object", nullable),
                [list ? "items" : "additionalProperties"] = TypeOf(element, nullability?.GenericTypeArguments[^1], null),
            };
        }

        JsonObject reference = new() { ["$ref"] = "#/$defs/" + Definition(type) };
        return nullable ? new JsonObject { ["anyOf"] = new JsonArray(reference, new JsonObject { ["type"] = "null" }) } : reference;
    }

    private string Definition(Type type)
    {
        string name = JsonNamingPolicy.CamelCase.ConvertName(type.Name);
        if (!_definitions.ContainsKey(name))
        {
            _definitions[name] = null;
            _definitions[name] = ObjectOf(type);
        }

        return name;
    }

    private static JsonObject EnumOf(IEnumerable<string> values, bool nullable) =>
        new() { ["enum"] = new JsonArray([.. values.Select(v => (JsonNode?)v), .. nullable ? new JsonNode?[] { null } : []]) };

    private static JsonNode Plain(string type, bool nullable) => nullable ? new JsonArray(type, "null") : type;

    private static string NameOf(PropertyInfo property) =>
        property.GetCustomAttribute<JsonPropertyNameAttribute>()?.Name ?? JsonNamingPolicy.CamelCase.ConvertName(property.Name);

    private static JsonNode? DefaultOf(PropertyInfo property, Type owner) => property.GetValue(Initial(property, owner)) switch
    {
        true => true,
        int value and not 0 => value,
        long value and not 0 => value,
        double value and not 0 => value,
        string value => value,
        Enum value => JsonNamingPolicy.KebabCaseLower.ConvertName(value.ToString()),
        System.Collections.IDictionary => new JsonObject(),
        System.Collections.IEnumerable => new JsonArray(),
        _ => null,
    };

    /// <summary>An instance with the initial values of its properties.</summary>
    private static object? Initial(PropertyInfo property, Type owner) =>
        owner.GetConstructor(Type.EmptyTypes) is not null ? Activator.CreateInstance(owner)
        : throw new InvalidOperationException($"{owner.Name}.{property.Name} needs a default and {owner.Name} has no empty constructor.");

    private static string Description(Type type) => Words($"T:{type.FullName}");

    private static string Description(PropertyInfo property, Type owner)
    {
        if (property.Name == "Schema")
        {
            return "Kind and version of this document.";
        }

        string member = $"P:{property.DeclaringType!.FullName}.{property.Name}";
        if (Docs.ContainsKey(member))
        {
            return Words(member);
        }

        // A positional record documents its properties as parameters.
        return Flat(Docs[$"T:{owner.FullName}"].Elements("param").Single(p => p.Attribute("name")!.Value == property.Name));
    }

    private static string Words(string member) => Flat(Docs[member].Element("summary")!);

    private static string Flat(XElement element) => Spaces().Replace(
        string.Concat(element.Nodes().Select(n => n switch
        {
            XElement { Name.LocalName: "see" or "paramref" } see => Referred(see),
            XElement inner => inner.Value,
            _ => n.ToString(SaveOptions.DisableFormatting).Replace("&lt;", "<", StringComparison.Ordinal).Replace("&gt;", ">", StringComparison.Ordinal)
                .Replace("&amp;", "&", StringComparison.Ordinal),
        })), " ").Trim();

    private static string Referred(XElement see)
    {
        string target = (see.Attribute("cref") ?? see.Attribute("langword") ?? see.Attribute("name"))!.Value;
        string last = target[(target.LastIndexOfAny(['.', ':']) + 1)..];
        return target.StartsWith("P:", StringComparison.Ordinal) ? JsonNamingPolicy.CamelCase.ConvertName(last)
            : target.StartsWith("F:", StringComparison.Ordinal) ? JsonNamingPolicy.KebabCaseLower.ConvertName(last)
            : last;
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
