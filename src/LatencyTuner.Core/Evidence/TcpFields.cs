namespace LatencyTuner.Core.Evidence;

/// <summary>Which fields of a <see cref="TcpEvent"/> its event carries; the other fields are zero and have no meaning.</summary>
[Flags]
internal enum TcpFields : uint
{
    /// <summary>The event carries none of these fields.</summary>
    None = 0,

    /// <summary><see cref="TcpEvent.ProcessId"/>.</summary>
    ProcessId = 1u << 0,

    /// <summary><see cref="TcpEvent.Tcb"/>.</summary>
    Tcb = 1u << 1,

    /// <summary><see cref="TcpEvent.Endpoint"/>.</summary>
    Endpoint = 1u << 2,

    /// <summary><see cref="TcpEvent.Bytes"/>.</summary>
    Bytes = 1u << 3,

    /// <summary><see cref="TcpEvent.Sequence"/>.</summary>
    Sequence = 1u << 4,

    /// <summary><see cref="TcpEvent.SendUnacknowledged"/>.</summary>
    SendUnacknowledged = 1u << 5,

    /// <summary><see cref="TcpEvent.Cwnd"/>.</summary>
    Cwnd = 1u << 6,

    /// <summary><see cref="TcpEvent.SendWindow"/>.</summary>
    SendWindow = 1u << 7,

    /// <summary><see cref="TcpEvent.ReceiveWindow"/>.</summary>
    ReceiveWindow = 1u << 8,

    /// <summary><see cref="TcpEvent.Srtt"/>.</summary>
    Srtt = 1u << 9,

    /// <summary><see cref="TcpEvent.RttVariation"/>.</summary>
    RttVariation = 1u << 10,

    /// <summary><see cref="TcpEvent.RttSample"/>.</summary>
    RttSample = 1u << 11,

    /// <summary><see cref="TcpEvent.Rto"/>.</summary>
    Rto = 1u << 12,

    /// <summary><see cref="TcpEvent.TimerType"/>.</summary>
    TimerType = 1u << 13,

    /// <summary><see cref="TcpEvent.WaitMs"/>.</summary>
    WaitMs = 1u << 14,

    /// <summary><see cref="TcpEvent.OldState"/>.</summary>
    OldState = 1u << 15,

    /// <summary><see cref="TcpEvent.NewState"/>.</summary>
    NewState = 1u << 16,

    /// <summary><see cref="TcpEvent.Status"/>.</summary>
    Status = 1u << 17,

    /// <summary><see cref="TcpEvent.Option"/>.</summary>
    Option = 1u << 18,

    /// <summary><see cref="TcpEvent.OptionValue"/>.</summary>
    OptionValue = 1u << 19,

    /// <summary><see cref="TcpEvent.Count"/>.</summary>
    Count = 1u << 20,

    /// <summary><see cref="TcpEvent.EnterExit"/>.</summary>
    EnterExit = 1u << 21,

    /// <summary><see cref="TcpEvent.Available"/>.</summary>
    Available = 1u << 22,

    /// <summary><see cref="TcpEvent.Location"/>.</summary>
    Location = 1u << 23,
}
