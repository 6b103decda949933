using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Evidence;

/// <summary>
/// One TCP connection or listener of a host, as its kernel and a descriptor of its process show it. An unknown value is null. The counters are since the
/// connection began, or of one interval where the document says so.
/// </summary>
public sealed record HostSocket
{
    /// <summary>The process that owns it, the lowest of several; null for none (a connection that ended), or when it could not be found.</summary>
    [Required]
    public int? Pid { get; init; }

    /// <summary>Name of the process; null when unknown.</summary>
    [Required]
    public string? Process { get; init; }

    /// <summary>The services of the process: of Windows, or the systemd unit on Linux.</summary>
    [Required]
    public IReadOnlyList<string> Services { get; init; } = [];

    /// <summary>Other processes that hold the same socket, such as workers that share a listener.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<int>? OtherPids { get; init; }

    /// <summary>The state of the connection.</summary>
    public required SocketState State { get; init; }

    /// <summary>The end on this host.</summary>
    public required SocketEnd Local { get; init; }

    /// <summary>The other end; of a listener the unspecified address with port 0.</summary>
    public required SocketEnd Remote { get; init; }

    /// <summary>The network namespace (Linux) by its number; null for that of this program.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? NetworkNamespace { get; init; }

    /// <summary>TCP_NODELAY: true when Nagle's algorithm is off; null when unknown.</summary>
    [Required]
    public bool? NoDelay { get; init; }

    /// <summary>SO_KEEPALIVE; null when unknown.</summary>
    [Required]
    public bool? KeepAlive { get; init; }

    /// <summary>Send buffer in bytes as the kernel accounts it: on Linux with overhead, about twice the data; null when unknown.</summary>
    [Required]
    public long? SendBufferBytes { get; init; }

    /// <summary>True when the application set the send buffer, which switches its autotuning off; null when unknown.</summary>
    [Required]
    public bool? SendBufferFixed { get; init; }

    /// <summary>Receive buffer in bytes as the kernel accounts it; null when unknown.</summary>
    [Required]
    public long? ReceiveBufferBytes { get; init; }

    /// <summary>True when the application set the receive buffer, which switches its autotuning off; null when unknown.</summary>
    [Required]
    public bool? ReceiveBufferFixed { get; init; }

    /// <summary>Name of the congestion control; null when unknown.</summary>
    [Required]
    public string? CongestionControl { get; init; }

    /// <summary>The TCP template of the connection (Windows, only when asked for); null otherwise.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Template { get; init; }

    /// <summary>Smoothed round-trip time, µs.</summary>
    [Required]
    public long? RttUs { get; init; }

    /// <summary>Minimum round-trip time, µs.</summary>
    [Required]
    public long? MinRttUs { get; init; }

    /// <summary>Segments retransmitted; null on Windows, which counts bytes.</summary>
    [Required]
    public long? Retransmitted { get; init; }

    /// <summary>Bytes retransmitted.</summary>
    [Required]
    public long? RetransmittedBytes { get; init; }

    /// <summary>Bytes sent, retransmissions included.</summary>
    [Required]
    public long? BytesSent { get; init; }

    /// <summary>Bytes received.</summary>
    [Required]
    public long? BytesReceived { get; init; }

    /// <summary>Segments with data sent; null on Windows, which does not count them.</summary>
    [Required]
    public long? DataSegmentsOut { get; init; }

    /// <summary>Segments with data received; null on Windows, which does not count them.</summary>
    [Required]
    public long? DataSegmentsIn { get; init; }

    /// <summary>Maximum segment size for sending, bytes.</summary>
    [Required]
    public long? MssBytes { get; init; }

    /// <summary>Bytes that the application wrote and that were not sent yet.</summary>
    [Required]
    public long? UnsentBytes { get; init; }

    /// <summary>Bytes per second of the last delivery that the kernel measured; null on Windows.</summary>
    [Required]
    public long? DeliveryBytesPerSecond { get; init; }

    /// <summary>Most bytes that the application read within a round trip (Linux); null when unknown.</summary>
    [Required]
    public long? ReceivedPerRttBytes { get; init; }

    /// <summary>Time limited by the peer's receive window, milliseconds.</summary>
    [Required]
    public double? RwndLimitedMs { get; init; }

    /// <summary>Time limited by the congestion window, milliseconds; null on Linux, which does not count it.</summary>
    [Required]
    public double? CwndLimitedMs { get; init; }

    /// <summary>Time limited by the send buffer, milliseconds; null on Windows, which counts it with the application's own pauses.</summary>
    [Required]
    public double? SndbufLimitedMs { get; init; }

    /// <summary>Time with data outstanding, milliseconds; null on Windows.</summary>
    [Required]
    public double? BusyMs { get; init; }

    /// <summary>The delayed-ACK timeout in force at this end, milliseconds (Linux); null before the first data, and on Windows.</summary>
    [Required]
    public double? AckTimeoutMs { get; init; }

    /// <summary>The call that gave the options: <c>getsockopt</c>, <c>afd</c>; null when they are unknown.</summary>
    [Required]
    public string? OptionsFrom { get; init; }

    /// <summary>The call that gave the counters: <c>sock_diag</c>, <c>getsockopt</c>, <c>afd SIO_TCP_INFO v1</c>; null when they are unknown.</summary>
    [Required]
    public string? CountersFrom { get; init; }

    /// <summary>True for a connection that carries data or may do so again.</summary>
    [JsonIgnore]
    public bool IsConnected => State is SocketState.Established or SocketState.CloseWait or SocketState.FinWait1 or SocketState.FinWait2;

    /// <summary>The process as readers see it, such as <c>nginx (812)</c>; null when unknown.</summary>
    [JsonIgnore]
    public string? ProcessLabel => Pid is null ? null : Process is null ? $"process {Pid}" : $"{Process} ({Pid})";
}

/// <summary>One end of a socket.</summary>
/// <param name="Address">The address: IPv4 or IPv6 without brackets; an IPv4 address of an IPv6 socket as IPv4.</param>
/// <param name="Port">The port, 0 to 65535.</param>
public sealed record SocketEnd(string Address, int Port)
{
    /// <summary><c>10.0.0.1:445</c> or <c>[fe80::1]:445</c>.</summary>
    public override string ToString() => Address.Contains(':', StringComparison.Ordinal) ? $"[{Address}]:{Port}" : $"{Address}:{Port}";
}

/// <summary>The state of a TCP socket (RFC 9293, 3.3.2).</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<SocketState>))]
public enum SocketState
{
    /// <summary>A state that this version does not know.</summary>
    Unknown,

    /// <summary>Waits for connections.</summary>
    Listen,

    /// <summary>Waits for the answer to its SYN.</summary>
    SynSent,

    /// <summary>Has answered a SYN.</summary>
    SynReceived,

    /// <summary>Open.</summary>
    Established,

    /// <summary>This end has closed; its FIN is not acknowledged.</summary>
    FinWait1,

    /// <summary>This end has closed; the other one has not.</summary>
    FinWait2,

    /// <summary>The other end has closed; this one has not.</summary>
    CloseWait,

    /// <summary>Both ends have closed at once.</summary>
    Closing,

    /// <summary>Waits for the acknowledgement of the last FIN.</summary>
    LastAck,

    /// <summary>Ended; the port waits for late segments.</summary>
    TimeWait,

    /// <summary>Closed.</summary>
    Closed,
}
