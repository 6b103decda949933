using System.Net;
using System.Net.Sockets;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Sockets;

/// <summary>
/// The socket calls that .NET does not offer or that cost too much through it. Two implementations: Windows and Linux.
/// The hot calls take raw handles; the caller keeps the <see cref="Socket"/> alive meanwhile.
/// </summary>
public unsafe interface ISocketPlatform
{
    /// <summary>True when <see cref="RearmImmediateAck"/> must be called after every receive to keep ACKs immediate.</summary>
    bool ImmediateAckNeedsRearming { get; }

    /// <summary>Sends on a socket.</summary>
    /// <param name="handle">The raw socket.</param>
    /// <param name="buffer">The bytes to send.</param>
    /// <param name="length">Number of bytes, at least 1.</param>
    /// <param name="failure">Set when the result is negative; <see cref="SocketError.WouldBlock"/> on a full non-blocking socket.</param>
    /// <returns>Bytes accepted, or -1.</returns>
    int Send(nint handle, byte* buffer, int length, out SocketError failure);

    /// <summary>Receives from a socket.</summary>
    /// <param name="handle">The raw socket.</param>
    /// <param name="buffer">Receives the bytes.</param>
    /// <param name="length">Room in bytes, at least 1.</param>
    /// <param name="failure">Set when the result is negative; <see cref="SocketError.WouldBlock"/> when no data has arrived yet or the receive
    /// timeout passed.</param>
    /// <returns>Bytes received, 0 when the peer has closed, or -1.</returns>
    int Receive(nint handle, byte* buffer, int length, out SocketError failure);

    /// <summary>Begins to connect a non-blocking socket, without the exception that .NET throws for a connect in progress.</summary>
    /// <param name="handle">The raw socket.</param>
    /// <param name="address">The address in the system's own format.</param>
    /// <returns>Success when the connect is in progress or done: the socket becomes writable when its result is known. Otherwise the immediate error.</returns>
    SocketError StartConnect(nint handle, ReadOnlySpan<byte> address);

    /// <summary>Waits until one of the sockets is ready or the time has passed.</summary>
    /// <param name="entries">The sockets; may be empty, to wait for the time only.</param>
    /// <param name="ready">Set per entry: ready or failed. At least as long as <paramref name="entries"/>.</param>
    /// <param name="timeoutNs">Longest wait in nanoseconds; 0 only checks.</param>
    /// <returns>Number of ready sockets.</returns>
    int Wait(ReadOnlySpan<PollEntry> entries, Span<bool> ready, long timeoutNs);

    /// <summary>Opens the system's own call for ICMP echo requests.</summary>
    /// <param name="address">The address to ask.</param>
    /// <returns>The call; null where a socket sends such requests.</returns>
    SystemEcho? OpenEcho(IPAddress address) => null;

    /// <summary>Requests immediate ACKs on a connected socket.</summary>
    /// <param name="socket">The socket.</param>
    /// <returns>The effect of the request.</returns>
    AckEffect RequestImmediateAck(Socket socket);

    /// <summary>Re-arms immediate ACKs after a receive, where <see cref="ImmediateAckNeedsRearming"/> says so.</summary>
    /// <param name="handle">The raw socket.</param>
    void RearmImmediateAck(nint handle);

    /// <summary>Makes a socket blocking or non-blocking in the system itself: on Linux, .NET never makes a socket blocking again.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="blocking">True to make calls wait.</param>
    void SetBlocking(Socket socket, bool blocking);

    /// <summary>Limits how long a blocking receive or send waits.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="milliseconds">Longest wait in milliseconds, at least 1.</param>
    void SetTimeouts(Socket socket, int milliseconds);

    /// <summary>Reads the kernel's counters of a connection; <see cref="KernelCounters.Unsupported"/> where there are none.</summary>
    /// <param name="socket">A connected (or half-closed) TCP socket of this process.</param>
    KernelCounters ReadCounters(Socket socket);

    /// <summary>Binds the calling thread to one processor.</summary>
    /// <param name="processor">Processor number from 0.</param>
    /// <returns>False when the system refused.</returns>
    bool TryPinThread(int processor);

    /// <summary>Requests fine timers for the calling thread or process until disposed.</summary>
    IDisposable RaiseTimerResolution();

    /// <summary>Reads the timer that waits of the calling thread end by just now, as <see cref="RaiseTimerResolution"/> left it.</summary>
    TimerInForce ReadTimer();

    /// <summary>Limits the unsent data of a socket, where the system supports it, so that closing it does not take long.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="bytes">Unsent bytes from which on a send waits.</param>
    void LimitUnsent(Socket socket, int bytes);

    /// <summary>Reads how much processor time this process and the machine have used.</summary>
    ProcessorTimes ReadProcessorTimes();

    /// <summary>
    /// Reads how long the calling thread has been ready to run without running since its start, nanoseconds; null where the system does not report it.
    /// </summary>
    long? ReadRunDelayNs();

    /// <summary>Makes a blocked send or receive of another thread return. The connection is unusable afterwards.</summary>
    /// <param name="socket">The socket.</param>
    void Interrupt(Socket socket);
}

/// <summary>The effect of a request for an ACK behaviour.</summary>
[JsonConverter(typeof(KebabCaseEnumConverter<AckEffect>))]
public enum AckEffect
{
    /// <summary>No request was made; the operating system decides.</summary>
    Default,

    /// <summary>The option is set and can be read back (Linux).</summary>
    Immediate,

    /// <summary>The call succeeded, but no query exists (Windows): only observed ACKs can show the effect.</summary>
    Unknown,

    /// <summary>The platform refused the call or does not have it.</summary>
    Unsupported,
}

/// <summary>One socket to wait for.</summary>
/// <param name="Handle">The raw socket.</param>
/// <param name="Read">Wait until it can be read (or was closed by the peer).</param>
/// <param name="Write">Wait until it can be written.</param>
public readonly record struct PollEntry(nint Handle, bool Read, bool Write);

/// <summary>Processor time used so far. A value is null where the system does not report it.</summary>
/// <param name="ProcessNs">Used by this process on all processors, nanoseconds.</param>
/// <param name="MachineBusyNs">Used by all programs, summed over all processors, time taken by a hypervisor included, nanoseconds.</param>
/// <param name="MachineTotalNs">Busy and idle, summed over all processors, nanoseconds.</param>
public readonly record struct ProcessorTimes(long? ProcessNs, long? MachineBusyNs, long? MachineTotalNs);

/// <summary>The timer that waits end by.</summary>
/// <param name="IsHighResolution">True when waits do not count ticks.</param>
/// <param name="StepNs">The system's tick, or by how much it may defer the end of a wait, nanoseconds; null where the system does not report it.</param>
public readonly record struct TimerInForce(bool IsHighResolution, long? StepNs);
