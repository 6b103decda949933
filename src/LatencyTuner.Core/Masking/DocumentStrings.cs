using System.Text.Json;

namespace LatencyTuner.Core.Masking;

/// <summary>Rewrites the strings of a JSON document, each by the name of its property and that of the object around it.</summary>
internal static class DocumentStrings
{
    private static readonly JsonReaderOptions Reading = new() { MaxDepth = 128, CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    /// <summary>Rewrites a document.</summary>
    /// <param name="utf8">The document in UTF-8, without a byte-order mark.</param>
    /// <param name="rewrite">Gets the name of the object around, the name of the property, and the string; gives the string to write.</param>
    /// <returns>The document, and whether a string is another one.</returns>
    /// <exception cref="JsonException">It is not JSON.</exception>
    public static (byte[] Utf8, bool IsChanged) Rewrite(ReadOnlySpan<byte> utf8, Func<string, string, string, string> rewrite)
    {
        using MemoryStream output = new(utf8.Length + 1024);
        using Utf8JsonWriter writer = new(output, new JsonWriterOptions { SkipValidation = true });
        Utf8JsonReader reader = new(utf8, Reading);
        Stack<string> around = new(["", ""]);
        string property = "";
        bool isChanged = false;
        while (reader.Read())
        {
            switch (reader.TokenType)
            {
                case JsonTokenType.StartObject:
                    around.Push(property);
                    writer.WriteStartObject();
                    break;
                case JsonTokenType.StartArray:
                    // The elements have the name of their list, and are in the same object as that.
                    around.Push(property);
                    writer.WriteStartArray();
                    break;
                case JsonTokenType.EndObject:
                    property = around.Pop();
                    writer.WriteEndObject();
                    break;
                case JsonTokenType.EndArray:
                    property = around.Pop();
                    writer.WriteEndArray();
                    break;
                case JsonTokenType.PropertyName:
                    property = reader.GetString()!;
                    // The keys of a table may be names; those of the documents are none.
                    string key = IsOwn(property) ? property : rewrite(around.Peek(), "", property);
                    isChanged |= key != property;
                    writer.WritePropertyName(key);
                    break;
                case JsonTokenType.String:
                    string value = reader.GetString()!;
                    string written = rewrite(around.Peek(), property, value);
                    isChanged |= written != value;
                    writer.WriteStringValue(written);
                    break;
                case JsonTokenType.Number:
                    writer.WriteRawValue(reader.ValueSpan, skipInputValidation: true);
                    break;
                case JsonTokenType.True or JsonTokenType.False:
                    writer.WriteBooleanValue(reader.TokenType == JsonTokenType.True);
                    break;
                case JsonTokenType.Null:
                    writer.WriteNullValue();
                    break;
            }
        }

        writer.Flush();
        return (output.ToArray(), isChanged);
    }

    private static bool IsOwn(string name) => name.Length > 0 && char.IsAsciiLetterLower(name[0]) && name.All(char.IsAsciiLetterOrDigit);
}
