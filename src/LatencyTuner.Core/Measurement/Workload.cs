using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement;

/// <summary>What one connection does and with which socket options at each end. Null leaves an option to the operating system.</summary>
public sealed record Workload
{
    /// <summary>The pattern in which requests are written.</summary>
    public WritePattern Pattern { get; init; } = WritePattern.Single;

    /// <summary>Sizes in bytes of the writes of one request; their sum is the request.</summary>
    public IReadOnlyList<int> Writes { get; init; } = [64];

    /// <summary>Time between the writes of one request.</summary>
    public TimeSpan Gap { get; init; }

    /// <summary>A random pause of up to this between requests of a closed loop, so that they do not fall in step with a timer.</summary>
    public TimeSpan PauseUpTo { get; init; }

    /// <summary>Reply size in bytes.</summary>
    public int ReplySize { get; init; } = 64;

    /// <summary>Writes per reply.</summary>
    public int PeerWrites { get; init; } = 1;

    /// <summary>Think time of the responder before each reply.</summary>
    public TimeSpan PeerThink { get; init; }

    /// <summary>TCP_NODELAY at this end.</summary>
    public bool? NoDelay { get; init; }

    /// <summary>TCP_NODELAY at the responder.</summary>
    public bool? PeerNoDelay { get; init; }

    /// <summary>ACK behaviour at this end.</summary>
    public AckBehaviour Ack { get; init; }

    /// <summary>ACK behaviour at the responder.</summary>
    public AckBehaviour PeerAck { get; init; }

    /// <summary>SO_SNDBUF at this end in bytes.</summary>
    public int? SendBuffer { get; init; }

    /// <summary>SO_RCVBUF at this end in bytes.</summary>
    public int? ReceiveBuffer { get; init; }

    /// <summary>SO_SNDBUF at the responder in bytes.</summary>
    public int? PeerSendBuffer { get; init; }

    /// <summary>SO_RCVBUF at the responder in bytes.</summary>
    public int? PeerReceiveBuffer { get; init; }

    /// <summary>True: both ends spin instead of blocking.</summary>
    public bool Spin { get; init; }

    /// <summary>Request size in bytes.</summary>
    public int RequestSize => Writes.Sum();

    /// <summary>The usual two writes of a request: a small header and the rest.</summary>
    /// <param name="size">Request size in bytes, at least 2.</param>
    /// <param name="first">Size of the first write in bytes; null for a quarter of the request, at most 16.</param>
    /// <exception cref="ExpectedFailureException">The size does not allow this split.</exception>
    public static IReadOnlyList<int> SplitOf(int size, int? first)
    {
        int header = first ?? Math.Clamp(size / 4, 1, 16);
        return size >= 2 && header >= 1 && header < size
            ? [header, size - header]
            : throw new ExpectedFailureException(
                ExitCode.Usage,
                $"A request of {Counted.Of(size, "byte")} cannot be split after byte {header}; the first write must be 1 to {Math.Max(size - 1, 1)} bytes "
                    + "and the "
                + "request at least 2 bytes.");
    }
}

/// <summary>How an end acknowledges what it receives (RFC 1122 4.2.3.2).</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AckBehaviour>))]
public enum AckBehaviour
{
    /// <summary>The default of the operating system.</summary>
    Default,

    /// <summary>Every segment at once: <c>SIO_TCP_SET_ACK_FREQUENCY</c> = 1 on Windows, <c>TCP_QUICKACK</c> re-armed per receive on Linux.</summary>
    Immediate,
}

/// <summary>How the planned send times of an open loop are spaced.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<Arrivals>))]
public enum Arrivals
{
    /// <summary>Requests are planned at equal distances.</summary>
    Constant,

    /// <summary>Random, as from independent clients: exponential gaps.</summary>
    Poisson,
}

/// <summary>How an application writes its requests.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<WritePattern>))]
public enum WritePattern
{
    /// <summary>One write per request.</summary>
    Single,

    /// <summary>Write, write, read: two or more writes per request, then the reply. The pattern that Nagle's algorithm stalls.</summary>
    Split,

    /// <summary>Messages one way, acknowledged once at the end.</summary>
    Stream,
}
