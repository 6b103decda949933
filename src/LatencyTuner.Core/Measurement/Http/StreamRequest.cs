using System.Globalization;

namespace LatencyTuner.Core.Measurement.Http;

/// <summary>A client's request to the HTTP responder: messages of one size in one response stream.</summary>
/// <param name="Messages">Messages in the stream, at least 1.</param>
/// <param name="MessageBytes">Size of a message in bytes, at least <see cref="LeastMessageBytes"/>.</param>
/// <param name="PerWrite">Messages between two flushes.</param>
/// <param name="Ahead">True: the next messages are made while the previous ones are being flushed; false: one after the other.</param>
public sealed record StreamRequest(int Messages, int MessageBytes, int PerWrite, bool Ahead)
{
    /// <summary>Smallest message in bytes: each begins with its number.</summary>
    public const int LeastMessageBytes = 8;

    /// <summary>Most bytes between two flushes: the responder buffers twice that much for each stream.</summary>
    public const int MostWriteBytes = 1 << 20;

    /// <summary>Most messages of one stream.</summary>
    public const int MostMessages = 10_000_000;

    /// <summary>Smallest stream window that .NET accepts, bytes: the initial window of HTTP/2 (RFC 9113, section 6.9.2).</summary>
    public const int LeastWindow = 65_535;

    /// <summary>Largest stream window that .NET accepts, bytes.</summary>
    public const int MostWindow = 16 * 1024 * 1024;

    internal const string Path = "/latencytuner/stream";
    internal const string HelloPath = "/latencytuner/hello";
    internal const string NonceHeader = "latencytuner-nonce";
    internal const string TokenHeader = "latencytuner-token";
    internal const string SoftwareHeader = "latencytuner-software";
    internal const string OsHeader = "latencytuner-os";

    /// <summary>The version of what both ends say in their headers.</summary>
    internal const string Protocol = "2";

    internal const string ProtocolHeader = "latencytuner-protocol";
    internal const string ClientNonceHeader = "latencytuner-client-nonce";
    internal const string ClientProofHeader = "latencytuner-client-proof";
    internal const string ServerProofHeader = "latencytuner-server-proof";
    internal const string TimesTrailer = "latencytuner-times";

    /// <summary>Bytes of the whole stream.</summary>
    public long Bytes => (long)Messages * MessageBytes;

    /// <summary>Path and query of the request.</summary>
    internal string Target => $"{Path}?messages={Messages}&size={MessageBytes}&per-write={PerWrite}&ahead={(Ahead ? 1 : 0)}";

    /// <summary>Reads a query string.</summary>
    /// <param name="query">With or without its question mark.</param>
    /// <param name="most">The operator's limit for one stream, bytes.</param>
    /// <param name="problem">The reason when the result is null, a sentence; otherwise empty.</param>
    internal static StreamRequest? Parse(string query, long most, out string problem)
    {
        int messages = 1, size = 1024, perWrite = 1, ahead = 0;
        problem = "";
        foreach (string part in query.TrimStart('?').Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            string[] pair = part.Split('=', 2);
            if (pair.Length != 2 || !int.TryParse(pair[1], NumberStyles.None, CultureInfo.InvariantCulture, out int value))
            {
                problem = "Each part of the query must be NAME=NUMBER.";
                return null;
            }

            switch (pair[0])
            {
                case "messages": messages = value; break;
                case "size": size = value; break;
                case "per-write": perWrite = value; break;
                case "ahead": ahead = value; break;
                default:
                    problem = "A query may contain only messages, size, per-write and ahead.";
                    return null;
            }
        }

        problem = messages is < 1 or > MostMessages ? $"messages={messages} is not valid: 1 to {MostMessages} messages are valid."
            : size is < LeastMessageBytes or > MostWriteBytes ? $"size={size} is not valid: {LeastMessageBytes} to {MostWriteBytes} bytes are valid."
            : perWrite < 1 || (long)perWrite * size > MostWriteBytes
            ? $"per-write={perWrite} is not valid: at least 1 message and at most {MostWriteBytes} bytes per write are valid."
            : ahead > 1 ? $"ahead={ahead} is not valid: 0 or 1 is valid."
            : (long)messages * size > most ? $"A stream of {(long)messages * size} bytes is too large; this responder allows {most} bytes (--max-stream)."
            : "";
        return problem.Length > 0 ? null : new StreamRequest(messages, size, perWrite, ahead == 1);
    }
}
