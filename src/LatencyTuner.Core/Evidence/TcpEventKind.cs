namespace LatencyTuner.Core.Evidence;

/// <summary>What an event reports about TCP. Numbers in brackets are the ids of events of Microsoft-Windows-TCPIP, Winsock-AFD and the kernel.</summary>
public enum TcpEventKind
{
    /// <summary>Nothing that an analysis uses.</summary>
    None,

    /// <summary>The application requested a connection (TCPIP 1002).</summary>
    ConnectRequested,

    /// <summary>A SYN was sent (1004).</summary>
    SynSent,

    /// <summary>A socket was created (1013).</summary>
    EndpointCreated,

    /// <summary>A connection was accepted (1017).</summary>
    Accepted,

    /// <summary>Connecting began (1031).</summary>
    ConnectStarted,

    /// <summary>Connecting ended (1033).</summary>
    Connected,

    /// <summary>The application closed the connection (1038).</summary>
    CloseRequested,

    /// <summary>The application aborted the connection (1039).</summary>
    AbortRequested,

    /// <summary>The connection was aborted (1040).</summary>
    Aborted,

    /// <summary>The connection was disconnected (1043).</summary>
    Disconnected,

    /// <summary>The TCB was shut down (1044).</summary>
    ShutDown,

    /// <summary>The TCP state changed (1051).</summary>
    StateChanged,

    /// <summary>A SYN was sent again (1186).</summary>
    ConnectRetransmitted,

    /// <summary>A connection failed recently (1480).</summary>
    ConnectFailed,

    /// <summary>A connection that existed when the session began, or exists when it ends (1300).</summary>
    Rundown,

    /// <summary>Totals of a connection (1352, 1477).</summary>
    Summary,

    /// <summary>A timer was armed (1064).</summary>
    TimerStarted,

    /// <summary>A timer was stopped (1065).</summary>
    TimerStopped,

    /// <summary>A timer expired (1066).</summary>
    TimerExpired,

    /// <summary>The ideal send backlog changed (1067).</summary>
    IdealBacklogChanged,

    /// <summary>The application handed data to TCP (1159).</summary>
    SendPosted,

    /// <summary>TCP handed posted data on (1160).</summary>
    SendTransmitted,

    /// <summary>The send queue advanced (1161).</summary>
    SendAdvanced,

    /// <summary>A segment or a train of segments was sent (1073, 1332, 1333).</summary>
    DataSent,

    /// <summary>A large send was segmented (1111).</summary>
    LargeSendSegmented,

    /// <summary>The sender began to hold a small segment (1100).</summary>
    SwsAvoidanceStarted,

    /// <summary>The sender stopped holding a small segment (1101).</summary>
    SwsAvoidanceEnded,

    /// <summary>The sender began to probe the peer's closed window (1102).</summary>
    ZeroWindowProbingStarted,

    /// <summary>The sender stopped probing the peer's closed window (1103).</summary>
    ZeroWindowProbingEnded,

    /// <summary>The congestion window was restarted after idle time (1221, 1229).</summary>
    CwndRestarted,

    /// <summary>The initial congestion window was changed (1222).</summary>
    InitialCwndAdjusted,

    /// <summary>A send was paced (1447).</summary>
    PacedSend,

    /// <summary>A round trip was measured (1070).</summary>
    RttSampled,

    /// <summary>The peer acknowledged data (1071, 1330, 1331, 1429).</summary>
    CumulativeAck,

    /// <summary>The peer sent a duplicate ACK (1430).</summary>
    DuplicateAck,

    /// <summary>A data segment arrived (1074).</summary>
    DataReceived,

    /// <summary>The application requested data (1156).</summary>
    ReceiveRequested,

    /// <summary>Data was indicated to the application (1157).</summary>
    DeliveryIndicated,

    /// <summary>The application took the data (1158).</summary>
    DeliverySatisfied,

    /// <summary>Data was pushed to the application (1178).</summary>
    DeliveryPushed,

    /// <summary>The adapter coalesced segments (1227).</summary>
    SegmentsCoalesced,

    /// <summary>Tuning of the receive window began (1092).</summary>
    AutoTuningStarted,

    /// <summary>Tuning of the receive window ended (1093).</summary>
    AutoTuningEnded,

    /// <summary>Tuning changed the receive buffer (1097).</summary>
    ReceiveBufferChanged,

    /// <summary>A round of retransmission (1077, 1351).</summary>
    RetransmitRound,

    /// <summary>Data was sent again (1187).</summary>
    Retransmitted,

    /// <summary>A tail-loss probe was armed, fired or failed (1385, 1386).</summary>
    TailLossProbe,

    /// <summary>RACK looked for losses (1387).</summary>
    Rack,

    /// <summary>setsockopt at TCP level; option 1 is TCP_NODELAY, its value is not in the event (1104).</summary>
    TcpOptionSet,

    /// <summary>setsockopt at socket level (1105).</summary>
    SocketOptionSet,

    /// <summary>setsockopt at any level, with its value (1544).</summary>
    SocketOptionValue,

    /// <summary>The values of the template a connection uses (1223).</summary>
    TemplateParameters,

    /// <summary>A connection changed its template (1224).</summary>
    TemplateChanged,

    /// <summary>The stack's global parameters (1110).</summary>
    GlobalParameters,

    /// <summary>Winsock created a socket (AFD 1000).</summary>
    SocketCreated,

    /// <summary>Winsock closed a socket (AFD 1001).</summary>
    SocketClosed,

    /// <summary>The last handle of a socket was closed (AFD 1002).</summary>
    SocketCleanedUp,

    /// <summary>A send call began or ended (AFD 1003).</summary>
    SocketSend,

    /// <summary>A recv call began or ended (AFD 1004).</summary>
    SocketReceive,

    /// <summary>A connect call began or ended (AFD 1017 to 1021).</summary>
    SocketConnect,

    /// <summary>An accept call began or ended (AFD 1023 to 1027).</summary>
    SocketAccept,

    /// <summary>A bind call began or ended (AFD 1029, 1030).</summary>
    SocketBind,

    /// <summary>AFD aborted the connection (AFD 1032).</summary>
    SocketAborted,

    /// <summary>setsockopt as AFD sees it, with its value (AFD 1035).</summary>
    SocketOption,

    /// <summary>A listen call began or ended (AFD 1037).</summary>
    SocketListen,

    /// <summary>TCP indicated a connection to AFD (AFD 3000, 3001).</summary>
    SocketConnectIndicated,

    /// <summary>TCP indicated data to AFD (AFD 3003).</summary>
    SocketDataIndicated,

    /// <summary>TCP indicated a disconnect to AFD (AFD 3006).</summary>
    SocketDisconnectIndicated,

    /// <summary>The send backlog of a socket changed (AFD 3007).</summary>
    SocketSendBacklog,

    /// <summary>Data was sent (TcpIp 10, 26).</summary>
    KernelSend,

    /// <summary>Data arrived (11, 27).</summary>
    KernelReceive,

    /// <summary>A connection was opened (12, 28).</summary>
    KernelConnect,

    /// <summary>A connection was closed (13, 29).</summary>
    KernelDisconnect,

    /// <summary>Data was sent again (14, 30).</summary>
    KernelRetransmit,

    /// <summary>A connection was accepted (15, 31).</summary>
    KernelAccept,

    /// <summary>A connection attempt was repeated (16, 32).</summary>
    KernelReconnect,

    /// <summary>An operation failed; codes 3 and 6 mean that no ports were left (17).</summary>
    KernelFail,

    /// <summary>Data was copied to the application's buffer (18, 34).</summary>
    KernelCopy,
}
