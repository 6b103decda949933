using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Reading;

/// <summary>
/// Checks JSON against the published schema, and names line and column of the first error. It knows only the keywords that
/// the embedded schemas use; format and description are not checked here.
/// </summary>
internal static class DocumentShape
{
    /// <summary>The version in which the documents that commands print are written.</summary>
    internal const int Newest = 2;

    // No figure of a report comes near it, and sums and products of smaller ones stay finite.
    private const double LargestNumber = 1e20;

    private const int LongestSchema = 200;

    private static readonly SearchValues<byte> Plain = SearchValues.Create(" \t\r\n{}[]:,0123456789+-.eE"u8);

    /// <summary>
    /// Decodes a file, and fails at a wrong literal outside of strings, such as <c>nul</c>: the reader's own message quotes the text from there to its end,
    /// however long that is.
    /// </summary>
    internal static byte[] Decode(byte[] file, string path)
    {
        byte[] text = TextDecoding.ToUtf8(file, path);
        for (int at = 0; at < text.Length;)
        {
            int next = text.AsSpan(at).IndexOfAnyExcept(Plain);
            at = next < 0 ? text.Length : at + next;
            ReadOnlySpan<byte> rest = text.AsSpan(at);
            if (rest is [(byte)'"', ..])
            {
                at += StringLength(rest);
            }
            else if (rest is [(byte)'t' or (byte)'f' or (byte)'n', ..])
            {
                int literal = rest.StartsWith("true"u8) || rest.StartsWith("null"u8) ? 4 : rest.StartsWith("false"u8) ? 5 : 0;
                at += literal > 0 ? literal : throw Fail(
                    text, at, path,
                    $"expected a latencytuner document in JSON, found {Quoting.Quote(Encoding.UTF8.GetString(rest[..Math.Min(rest.Length, 20)]))}");
            }
            else
            {
                // Whatever else is wrong, the reader says in a few words.
                break;
            }
        }

        return text;
    }

    /// <summary>The value of the top-level <c>schema</c> field.</summary>
    internal static string FindSchema(byte[] text, string path)
    {
        try
        {
            Utf8JsonReader reader = new(text);
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            {
                throw Fail(text, reader.TokenStartIndex, path, "expected a latencytuner document, an object that starts with \"schema\"");
            }

            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                bool found = reader.ValueTextEquals("schema"u8);
                reader.Read();
                if (found && reader.TokenType == JsonTokenType.String)
                {
                    // No kind has a longer name; a long text is not copied only to be refused.
                    return reader.ValueSpan.Length <= LongestSchema ? reader.GetString()! : Encoding.UTF8.GetString(reader.ValueSpan[..LongestSchema]);
                }

                if (found)
                {
                    throw Fail(text, reader.TokenStartIndex, path, "expected \"schema\" to be a string such as \"latencytuner/measurement/2\"");
                }

                reader.Skip();
            }

            throw Fail(text, 0, path, "expected a field \"schema\" such as \"latencytuner/measurement/2\", found none");
        }
        catch (Exception failure) when (failure is JsonException or InvalidOperationException)
        {
            throw At(text, path, failure, "a latencytuner document");
        }
    }

    /// <summary>The kind in a schema name; empty when the schema is not one of latencytuner.</summary>
    internal static string KindOf(string schema)
    {
        string[] parts = schema.Split('/');
        return parts is ["latencytuner", var kind, _] ? kind : "";
    }

    /// <summary>Fails unless a schema name is the expected kind, in this version or an earlier one.</summary>
    /// <returns>The version.</returns>
    internal static int CheckKind(string schema, string expected, int newest, string path)
    {
        string wanted = $"latencytuner/{expected}/{newest}";
        bool same = KindOf(schema) == expected & int.TryParse(schema.Split('/')[^1], NumberStyles.None, CultureInfo.InvariantCulture, out int version);
        if (same && version >= 1 && version <= newest && schema == $"latencytuner/{expected}/{version}")
        {
            return version;
        }

        string sentence = same && version > newest
            ? $"{path}: {Quoting.Quote(schema)} was written by a newer version of latencytuner; this one reads {wanted}."
            : $"{path}: its schema is {Quoting.Quote(schema)}; expected {wanted}.";
        throw new ExpectedFailureException(ExitCode.Input, sentence);
    }

    /// <summary>Fails at the first place where the document does not match its schema.</summary>
    internal static void Check(byte[] text, string kind, int version, string path)
    {
        using JsonDocument schema = JsonDocument.Parse(ReportSchemas.Get(kind));
        try
        {
            Utf8JsonReader reader = new(text);
            reader.Read();
            new Walk(text, path, version, schema.RootElement).Value(ref reader, schema.RootElement, "the document");
            while (reader.Read())
            {
                // Reads to the end: any data after the document is an error.
            }
        }
        catch (Exception failure) when (failure is JsonException or InvalidOperationException)
        {
            throw At(text, path, failure, $"a latencytuner {kind}");
        }
    }

    /// <summary>The failure at the place that the JSON reader names.</summary>
    internal static ExpectedFailureException At(byte[] text, string path, Exception failure, string expected)
    {
        long line = (failure as JsonException)?.LineNumber ?? 0;
        long column = (failure as JsonException)?.BytePositionInLine ?? 0;
        long offset = 0L;
        for (long i = 0L; i < line; i++)
        {
            offset += text.AsSpan((int)offset).IndexOf((byte)'\n') + 1;
        }

        return Fail(text, Math.Min(offset + column, text.Length), path, $"expected {expected}, found {Reason(failure)}");
    }

    /// <summary>What the JSON reader found wrong, without the place.</summary>
    internal static string Reason(Exception failure)
    {
        if (failure is not JsonException)
        {
            return "a string that is not valid Unicode";
        }

        string message = failure.Message;
        foreach (string? tail in new[] { " Path: ", " LineNumber: " })
        {
            int cut = message.IndexOf(tail, StringComparison.Ordinal);
            if (cut >= 0)
            {
                message = message[..cut];
            }
        }

        // The reader's message quotes the text as it stands, to its end.
        return "invalid JSON: " + Quoting.Plain(message.TrimEnd('.'), 150);
    }

    private static int StringLength(ReadOnlySpan<byte> text)
    {
        int at = 1;
        while (true)
        {
            int next = text[Math.Min(at, text.Length)..].IndexOfAny((byte)'"', (byte)'\\');
            if (next < 0)
            {
                return text.Length;
            }

            at += next + 1;
            if (text[at - 1] == (byte)'"')
            {
                return at;
            }

            at++;
        }
    }

    private static ExpectedFailureException Fail(byte[] text, long offset, string path, string sentence)
    {
        Span<byte> before = text.AsSpan(0, (int)offset);
        int line = before.Count((byte)'\n') + 1;
        int column = Encoding.UTF8.GetCharCount(before[(before.LastIndexOf((byte)'\n') + 1)..]) + 1;
        return new ExpectedFailureException(ExitCode.Input, $"{path}: line {line}, column {column}: {sentence}.");
    }

    private readonly struct Walk(byte[] text, string path, int version, JsonElement root)
    {
        public void Value(ref Utf8JsonReader reader, JsonElement schema, string name)
        {
            schema = Resolve(schema, reader.TokenType);
            if (schema.TryGetProperty("enum", out JsonElement allowed) && !allowed.EnumerateArray().Any(Matches(ref reader)))
            {
                throw Expected(ref reader, name, "one of " + string.Join(", ", allowed.EnumerateArray().Select(v => v.GetRawText())));
            }

            if (schema.TryGetProperty("const", out JsonElement only) && !Matches(ref reader)(only)
                && (version > 1 || reader.TokenType != JsonTokenType.String || !reader.ValueTextEquals(EarlierVersion.SchemaOf(only.GetString()!))))
            {
                throw Expected(ref reader, name, only.GetRawText());
            }

            if (schema.TryGetProperty("type", out JsonElement type))
            {
                CheckType(ref reader, type, name);
            }

            if (schema.TryGetProperty("minimum", out JsonElement minimum) && reader.TokenType == JsonTokenType.Number
                && reader.GetDouble() < minimum.GetDouble())
            {
                throw Expected(ref reader, name, $"{minimum.GetRawText()} or more");
            }

            if (reader.TokenType == JsonTokenType.StartObject)
            {
                Object(ref reader, schema, name);
            }
            else if (reader.TokenType == JsonTokenType.StartArray)
            {
                Array(ref reader, schema, name);
            }
        }

        private static Func<JsonElement, bool> Matches(ref Utf8JsonReader reader)
        {
            string? value = reader.TokenType == JsonTokenType.String ? reader.GetString() : null;
            bool isNull = reader.TokenType == JsonTokenType.Null;
            return v => v.ValueKind == JsonValueKind.Null ? isNull : value is not null && v.ValueEquals(value);
        }

        private JsonElement Resolve(JsonElement schema, JsonTokenType token)
        {
            // "anyOf" is used for one thing only: a reference or null.
            if (schema.TryGetProperty("anyOf", out JsonElement options))
            {
                schema = options[token == JsonTokenType.Null ? 1 : 0];
            }

            return schema.TryGetProperty("$ref", out JsonElement reference)
                ? root.GetProperty("$defs").GetProperty(reference.GetString()!["#/$defs/".Length..])
                : schema;
        }

        private void CheckType(ref Utf8JsonReader reader, JsonElement type, string name)
        {
            string[] types = type.ValueKind == JsonValueKind.Array ? type.EnumerateArray().Select(t => t.GetString()!).ToArray() : [type.GetString()!];
            foreach (string? one in types)
            {
                if (IsOfType(ref reader, one))
                {
                    return;
                }
            }

            throw Expected(ref reader, name, string.Join(" or ", types.Select(t => t switch
            {
                "null" => "null",
                "array" or "integer" or "object" => "an " + t,
                "number" => $"a number up to {LargestNumber:0e+0}",
                _ => "a " + t,
            })));
        }

        private static bool IsOfType(ref Utf8JsonReader reader, string type) => type switch
        {
            "string" => reader.TokenType == JsonTokenType.String,
            "boolean" => reader.TokenType is JsonTokenType.True or JsonTokenType.False,
            "integer" => reader.TokenType == JsonTokenType.Number && reader.TryGetInt64(out _),
            "number" => reader.TokenType == JsonTokenType.Number && reader.TryGetDouble(out double value) && Math.Abs(value) <= LargestNumber,
            "object" => reader.TokenType == JsonTokenType.StartObject,
            "array" => reader.TokenType == JsonTokenType.StartArray,
            _ => reader.TokenType == JsonTokenType.Null,
        };

        private void Object(ref Utf8JsonReader reader, JsonElement schema, string name)
        {
            long start = reader.TokenStartIndex;
            HashSet<string> seen = new();
            JsonElement properties = schema.TryGetProperty("properties", out JsonElement p) ? p : default;
            string? earlier = version == 1 ? EarlierVersion.KindOf(properties) : null;
            JsonElement others = schema.TryGetProperty("additionalProperties", out JsonElement a) ? a : default;
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                string property = earlier is null ? reader.GetString()! : EarlierVersion.NameOf(earlier, reader.GetString()!);
                if (!seen.Add(property))
                {
                    throw Fail(text, reader.TokenStartIndex, path, $"expected the field {Quoting.Quote(property)} once, found it again");
                }

                reader.Read();
                if (properties.ValueKind == JsonValueKind.Object && properties.TryGetProperty(property, out JsonElement known))
                {
                    Value(ref reader, known, property);
                }
                else if (others.ValueKind == JsonValueKind.Object)
                {
                    Value(ref reader, others, property);
                }
                else
                {
                    reader.Skip();
                }
            }

            if (!schema.TryGetProperty("required", out JsonElement required))
            {
                return;
            }

            foreach (JsonElement wanted in required.EnumerateArray())
            {
                if (!seen.Contains(wanted.GetString()!) && (earlier is null || !EarlierVersion.MayLack(wanted.GetString()!)))
                {
                    throw Fail(text, start, path, $"expected a field \"{wanted.GetString()}\" in {Show(name)}, found none");
                }
            }
        }

        private void Array(ref Utf8JsonReader reader, JsonElement schema, string name)
        {
            JsonElement items = schema.TryGetProperty("items", out JsonElement i) ? i : default;
            while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            {
                if (items.ValueKind == JsonValueKind.Object)
                {
                    Value(ref reader, items, name);
                }
                else
                {
                    reader.Skip();
                }
            }
        }

        private ExpectedFailureException Expected(ref Utf8JsonReader reader, string name, string wanted)
        {
            string found = reader.TokenType switch
            {
                JsonTokenType.StartObject => "an object",
                JsonTokenType.StartArray => "an array",
                JsonTokenType.String => Quoting.Quote(reader.GetString()!),
                _ => Quoting.Quote(Encoding.UTF8.GetString(reader.ValueSpan)).Trim('"'),
            };
            return Fail(text, reader.TokenStartIndex, path, $"expected {Show(name)} to be {wanted}, found {found}");
        }

        private static string Show(string name) => name.Contains(' ', StringComparison.Ordinal) ? name : Quoting.Quote(name);
    }
}
