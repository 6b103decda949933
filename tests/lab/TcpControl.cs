namespace LatencyTuner.Lab;

/// <summary>The TCP control bits the lab looks at (RFC 9293 section 3.1).</summary>
[Flags]
public enum TcpControl
{
    /// <summary>No flag.</summary>
    None = 0,

    /// <summary>No more data from the sender.</summary>
    Fin = 1,

    /// <summary>Synchronize sequence numbers.</summary>
    Syn = 2,

    /// <summary>Reset the connection.</summary>
    Rst = 4,

    /// <summary>Push.</summary>
    Psh = 8,

    /// <summary>The acknowledgement field is significant.</summary>
    Ack = 16,
}
