using System.Net;
using System.Text;
using System.Text.Json;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.FarEnds;

/// <summary>The line that <c>serve --once</c> prints: where it listens, and the token of this run.</summary>
public sealed record StartLine
{
    /// <summary>The first word of the line, with the version of its form.</summary>
    public const string Word = "LATENCYTUNER1";

    /// <summary>The version of the responder's protocol in this program.</summary>
    public static readonly int OwnProtocol = Wire.Version;

    /// <summary>Longest JSON of the line in bytes.</summary>
    public const int MostBytes = 4096;

    // More than any host needs to be found; each costs a connection attempt.
    private const int MostAddresses = 8;
    private const int MostText = 260;

    /// <summary>The TCP port.</summary>
    public required int Port { get; init; }

    /// <summary>The TCP port that serves HTTP; null when none does.</summary>
    public int? HttpPort { get; init; }

    /// <summary>The token, random and for this run alone.</summary>
    public required string Token { get; init; }

    /// <summary>The version of the program.</summary>
    public required string Version { get; init; }

    /// <summary>The version of the responder's protocol.</summary>
    public required int Protocol { get; init; }

    /// <summary>The process.</summary>
    public required int Pid { get; init; }

    /// <summary>The addresses of the host that it can be reached at, the likeliest first.</summary>
    public required IReadOnlyList<IPAddress> Addresses { get; init; }

    /// <summary>True when it listens on all addresses; false when on <see cref="Addresses"/> only.</summary>
    public bool AllAddresses { get; init; }

    /// <summary>The path of the program on Windows, whose firewall names programs; null elsewhere.</summary>
    public string? Program { get; init; }

    /// <summary>The line, without its end.</summary>
    public string Write()
    {
        using MemoryStream bytes = new();
        using (Utf8JsonWriter writer = new(bytes))
        {
            writer.WriteStartObject();
            writer.WriteNumber("port", Port);
            if (HttpPort is { } http)
            {
                writer.WriteNumber("httpPort", http);
            }

            writer.WriteString("token", Token);
            writer.WriteString("version", Version);
            writer.WriteNumber("protocol", Protocol);
            writer.WriteNumber("pid", Pid);
            writer.WriteStartArray("addresses");
            foreach (IPAddress address in Addresses.Take(MostAddresses))
            {
                writer.WriteStringValue(address.ToString());
            }

            writer.WriteEndArray();
            writer.WriteBoolean("allAddresses", AllAddresses);
            if (Program is { Length: <= MostText })
            {
                writer.WriteString("program", Program);
            }

            writer.WriteEndObject();
        }

        return $"{Word} {Encoding.UTF8.GetString(bytes.ToArray())}";
    }

    /// <summary>Reads the JSON of a line that anyone may have written.</summary>
    /// <param name="json">What follows <see cref="Word"/>.</param>
    /// <param name="problem">What is wrong with it, a clause; null when nothing is.</param>
    /// <returns>Null when something is wrong.</returns>
    internal static StartLine? Read(ReadOnlySpan<byte> json, out string? problem)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(json.ToArray(), new JsonDocumentOptions { MaxDepth = 8 });
            problem = null;
            return From(document.RootElement);
        }
        catch (JsonException e)
        {
            problem = $"it is no JSON at byte {e.BytePositionInLine ?? 0}";
            return null;
        }
        catch (InvalidOperationException)
        {
            problem = "a text in it is no UTF-8";
            return null;
        }
        catch (FormatException e)
        {
            problem = e.Message;
            return null;
        }
    }

    private static StartLine From(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException("an object is expected");
        }

        JsonElement addresses = Need(root, "addresses", JsonValueKind.Array);
        return new StartLine
        {
            Port = Number(root, "port", 1, 65535),
            HttpPort = root.TryGetProperty("httpPort", out _) ? Number(root, "httpPort", 1, 65535) : null,
            Token = Text(root, "token", SharedToken.MinimumLength, 128),
            Version = Text(root, "version", 1, 100),
            Protocol = Number(root, "protocol", 0, 65535),
            Pid = Number(root, "pid", 0, int.MaxValue),
            Addresses = [.. addresses.EnumerateArray().Take(MostAddresses).Select(AddressOf)],
            AllAddresses = root.TryGetProperty("allAddresses", out JsonElement all) && all.ValueKind == JsonValueKind.True,
            Program = root.TryGetProperty("program", out _) ? Text(root, "program", 1, MostText) : null,
        };
    }

    private static IPAddress AddressOf(JsonElement element) =>
        element.ValueKind == JsonValueKind.String && IPAddress.TryParse(element.GetString(), out IPAddress? address) ? address
            : throw new FormatException($"\"addresses\" holds {Quoting.Quote(element.ToString())}, which is no address");

    private static int Number(JsonElement root, string name, int least, int most) =>
        Need(root, name, JsonValueKind.Number).TryGetInt32(out int value) && value >= least && value <= most ? value
            : throw new FormatException($"\"{name}\" is {Quoting.Quote(root.GetProperty(name).ToString())}; {least} to {most} is expected");

    private static string Text(JsonElement root, string name, int least, int most)
    {
        string text = Need(root, name, JsonValueKind.String).GetString()!;
        return text.Length >= least && text.Length <= most && !text.Any(char.IsControl) ? text
            : throw new FormatException($"\"{name}\" is no text of {least} to {most} characters");
    }

    private static JsonElement Need(JsonElement root, string name, JsonValueKind kind) =>
        root.TryGetProperty(name, out JsonElement value) && value.ValueKind == kind ? value
            : throw new FormatException($"\"{name}\" is missing or of another kind; {kind.ToString().ToLowerInvariant()} is expected");
}
