namespace LatencyTuner.Core.Evidence;

/// <summary>Which provider told of TCP.</summary>
public enum TcpEventSource
{
    /// <summary>Microsoft-Windows-TCPIP.</summary>
    Tcpip,

    /// <summary>Microsoft-Windows-Winsock-AFD.</summary>
    Afd,

    /// <summary>The kernel's TcpIp class, or Microsoft-Windows-Kernel-Network.</summary>
    Kernel,
}
