using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Sockets;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Sockets of a host with a web server, a database and a service that sends its replies in pieces.</summary>
internal static partial class SampleReports
{
    /// <summary>A connection of requests and replies, as Linux counts it.</summary>
    internal static HostSocket RequestReply => new()
    {
        Pid = 812,
        Process = "nginx",
        Services = ["nginx.service"],
        State = SocketState.Established,
        Local = new("10.0.0.5", 443),
        Remote = new("10.0.0.21", 50_122),
        NoDelay = true,
        KeepAlive = false,
        SendBufferBytes = 87_040,
        SendBufferFixed = false,
        ReceiveBufferBytes = 131_072,
        ReceiveBufferFixed = false,
        CongestionControl = "cubic",
        RttUs = 1_210,
        MinRttUs = 1_020,
        Retransmitted = 0,
        RetransmittedBytes = 0,
        BytesSent = 1_200_000,
        BytesReceived = 300_000,
        DataSegmentsOut = 3_000,
        DataSegmentsIn = 3_000,
        MssBytes = 1_448,
        UnsentBytes = 0,
        DeliveryBytesPerSecond = 9_000_000,
        RwndLimitedMs = 0,
        SndbufLimitedMs = 0,
        BusyMs = 3_300,
        AckTimeoutMs = 40,
        OptionsFrom = "getsockopt",
        CountersFrom = "sock_diag",
    };

    /// <summary>A connection whose replies leave in two pieces and wait for a delayed ACK of 40 ms in between.</summary>
    internal static HostSocket Held => RequestReply with
    {
        Pid = 2_071,
        Process = "orders",
        Services = [],
        Local = new("10.0.0.5", 8_080),
        Remote = new("10.0.0.21", 50_301),
        NoDelay = false,
        RttUs = 20_400,
        DataSegmentsOut = 1_840,
        DataSegmentsIn = 920,
        BytesSent = 58_880,
        BytesReceived = 58_880,
        BusyMs = 40_100,
    };

    internal static HostSocket Bulk => RequestReply with
    {
        Pid = 977,
        Process = "backup",
        Services = ["backup.service"],
        Remote = new("10.9.0.9", 22),
        Local = new("10.0.0.5", 41_822),
        NoDelay = false,
        SendBufferFixed = true,
        SendBufferBytes = 65_536,
        RttUs = 30_400,
        MinRttUs = 30_000,
        BytesSent = 90_000_000,
        BytesReceived = 4_000,
        DataSegmentsOut = 62_500,
        DataSegmentsIn = 40,
        DeliveryBytesPerSecond = 1_050_000,
        SndbufLimitedMs = 61_000,
        BusyMs = 82_000,
    };

    internal static HostSocket Listening => new()
    {
        Pid = 812,
        Process = "nginx",
        Services = ["nginx.service"],
        OtherPids = [813, 814],
        State = SocketState.Listen,
        Local = new("0.0.0.0", 443),
        Remote = new("0.0.0.0", 0),
        NoDelay = false,
        KeepAlive = false,
        SendBufferBytes = 16_384,
        SendBufferFixed = false,
        ReceiveBufferBytes = 131_072,
        ReceiveBufferFixed = false,
        CongestionControl = "cubic",
        OptionsFrom = "getsockopt",
    };

    internal static SocketsReport Sockets => SocketsOf(
        [
            Listening,
            .. Enumerable.Range(0, 12).Select(i => RequestReply with { Remote = new("10.0.0.21", 50_122 + i), NoDelay = i > 2, RttUs = 1_210 + (17 * i) }),
        ]);

    internal static SocketsReport SocketsStalled => SocketsOf(
        [
            Bulk, Listening, RequestReply, Held,
            Held with { Remote = new("2001:db8:10:20::21", 50_302), Local = new("2001:db8:10:20::5", 8_080), RttUs = 21_700 },
        ]);

    internal static SocketsReport SocketsUnreadable => SocketsReportBuilder.From(
        new SocketSnapshot
        {
            Sockets = [RequestReply with { Pid = null, Process = null, Services = [], NoDelay = null, SendBufferFixed = null, OptionsFrom = null }],
            Unreadable =
            [
                new(812, "nginx", "it runs as another user (uid 33), which needs root or CAP_SYS_PTRACE"),
                new(2_071, "orders", "Yama (kernel.yama.ptrace_scope = 1) allows it only to the parent of the process, root or CAP_SYS_PTRACE"),
            ],
            WithoutProcess = 4,
        },
        [], SeverityLimits.Standard, Gate.Open) with
    { StartedUtc = Started.UtcDateTime };

    private static SocketsReport SocketsOf(IReadOnlyList<HostSocket> sockets) =>
        SocketsReportBuilder.From(new SocketSnapshot { Sockets = sockets, WithoutProcess = 4 }, [], SeverityLimits.Standard, Gate.Open) with
        {
            StartedUtc = Started.UtcDateTime,
        };
}
