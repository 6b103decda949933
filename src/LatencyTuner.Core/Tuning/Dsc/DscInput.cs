using System.Text.Json;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning.Dsc;

/// <summary>
/// Reads the JSON that DSC sends. A sentence about a fault names the property and never quotes its value: what an administrator put in a wrong place may be a
/// secret, and DSC keeps what it reads here.
/// </summary>
public static class DscInput
{
    /// <summary>The most bytes of an input.</summary>
    public const int MaxBytes = 1 << 20;

    private static readonly string[] OfInstance =
    [
        DscNames.Settings, DscNames.Force, DscNames.Ticket, DscNames.Exist, DscNames.InDesiredState, DscNames.RestartRequired, DscNames.Metadata,
        DscNames.Batch,
    ];

    private static readonly string[] OfSetting = [DscNames.Id, DscNames.Value, DscNames.Interface, DscNames.Template, DscNames.Filter];

    /// <summary>Reads an instance.</summary>
    /// <param name="utf8">The input, UTF-8 with or without a byte order mark.</param>
    /// <returns>The instance; null when the input is empty or null.</returns>
    /// <exception cref="ExpectedFailureException">The input is not an instance (<see cref="ExitCode.Input"/>).</exception>
    public static DscInstance? Read(ReadOnlyMemory<byte> utf8)
    {
        if (utf8.Length > MaxBytes)
        {
            throw Bad($"has more than {MaxBytes:N0} bytes");
        }

        ReadOnlyMemory<byte> text = utf8.Span.StartsWith((ReadOnlySpan<byte>)[0xEF, 0xBB, 0xBF]) ? utf8[3..] : utf8;
        if (text.Span.TrimStart(" \t\r\n"u8).IsEmpty)
        {
            return null;
        }

        try
        {
            using JsonDocument document = JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = 32 });
            return Instance(document.RootElement);
        }
        catch (JsonException e)
        {
            throw Bad($"is not JSON at line {(e.LineNumber ?? 0) + 1}, byte {(e.BytePositionInLine ?? 0) + 1}");
        }
        catch (InvalidOperationException)
        {
            throw Bad("has a text that is not valid Unicode");
        }
    }

    private static DscInstance? Instance(JsonElement root)
    {
        switch (root.ValueKind)
        {
            case JsonValueKind.Null:
                return null;
            case JsonValueKind.Array:
                throw Bad("is an array. DSC sends one instance with each call; the settings belong into its array \"settings\"");
            case not JsonValueKind.Object:
                throw Bad("is not a JSON object");
        }

        Dictionary<string, JsonElement> properties = Properties(root, OfInstance, "the instance");
        return new()
        {
            Settings = properties.TryGetValue(DscNames.Settings, out JsonElement settings) ? Settings(settings) : [],
            Exist = Flag(properties, DscNames.Exist),
            Force = Flag(properties, DscNames.Force) ?? false,
            Ticket = Text(properties, DscNames.Ticket, ""),
        };
    }

    private static List<DscSetting> Settings(JsonElement settings)
    {
        if (settings.ValueKind != JsonValueKind.Array)
        {
            throw Bad("has \"settings\" that is no array");
        }

        if (settings.GetArrayLength() > PlanChecks.MaxChanges)
        {
            throw Bad($"has {settings.GetArrayLength():N0} settings; valid are 1 to {PlanChecks.MaxChanges}");
        }

        return [.. settings.EnumerateArray().Select(Setting)];
    }

    private static DscSetting Setting(JsonElement setting, int index)
    {
        string place = $"settings[{index}]";
        if (setting.ValueKind != JsonValueKind.Object)
        {
            throw Bad($"has {place} that is no JSON object");
        }

        Dictionary<string, JsonElement> properties = Properties(setting, OfSetting, place);
        (string? value, bool isNumber) = properties.TryGetValue(DscNames.Value, out JsonElement given) ? Value(given, place) : (null, false);
        return new()
        {
            Id = Text(properties, DscNames.Id, place + ".") ?? throw Bad($"has {place} without \"id\""),
            Interface = Text(properties, DscNames.Interface, place + "."),
            Template = Text(properties, DscNames.Template, place + "."),
            Filter = Text(properties, DscNames.Filter, place + "."),
            Value = value,
            IsNumber = isNumber,
        };
    }

    private static (string? Text, bool IsNumber) Value(JsonElement value, string place) => value.ValueKind switch
    {
        JsonValueKind.Null => (null, false),
        JsonValueKind.Number when value.TryGetUInt32(out uint number) => (number.ToString(System.Globalization.CultureInfo.InvariantCulture), true),
        JsonValueKind.String when value.GetString() is { Length: <= 100 } text => (text, false),
        _ => throw Bad($"has {place}.value that is neither a whole number from 0 to {uint.MaxValue} nor a word"),
    };

    private static Dictionary<string, JsonElement> Properties(JsonElement owner, string[] known, string place)
    {
        Dictionary<string, JsonElement> properties = new(StringComparer.Ordinal);
        foreach (JsonProperty property in owner.EnumerateObject())
        {
            if (!known.Contains(property.Name, StringComparer.Ordinal))
            {
                throw Bad($"has {place} with the property {Quoting.Quote(property.Name)}; valid are {string.Join(", ", known)}");
            }

            if (!properties.TryAdd(property.Name, property.Value))
            {
                throw Bad($"has {place} with the property \"{property.Name}\" twice");
            }
        }

        return properties;
    }

    private static bool? Flag(Dictionary<string, JsonElement> properties, string name) =>
        !properties.TryGetValue(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null ? null
        : value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean() : throw Bad($"has \"{name}\" that is neither true nor false");

    private static string? Text(Dictionary<string, JsonElement> properties, string name, string place) =>
        !properties.TryGetValue(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null ? null
        : value.ValueKind == JsonValueKind.String && value.GetString() is { Length: > 0 and <= 1000 } text && !text.Any(char.IsControl) ? text
        : throw Bad($"has \"{place}{name}\" that is no text of 1 to 1,000 characters in one line");

    private static ExpectedFailureException Bad(string what) => new(ExitCode.Input, $"The input {what}.");
}
