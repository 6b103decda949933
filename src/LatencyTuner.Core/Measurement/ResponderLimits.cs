namespace LatencyTuner.Core.Measurement;

/// <summary>What the operator of a responder allows. Every client request is held against these.</summary>
public sealed record ResponderLimits
{
    /// <summary>Connections being measured at once, 1 to 4096.</summary>
    public int Connections { get; init; } = 64;

    /// <summary>Connections still in their handshake at once; the oldest is dropped for a new one beyond this.</summary>
    public int Handshakes { get; init; } = 2048;

    /// <summary>Largest request or reply in bytes.</summary>
    public int MessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Memory for all connections together in bytes, socket buffers asked for included.</summary>
    public long TotalMemoryBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Largest SO_SNDBUF or SO_RCVBUF in bytes.</summary>
    public int SocketBufferBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Most writes per reply.</summary>
    public int ReplyWrites { get; init; } = 64;

    /// <summary>Longest think time.</summary>
    public TimeSpan Think { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Time a client has for its handshake.</summary>
    public TimeSpan Handshake { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Time a measured connection may be silent.</summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Connections that may spin at once; a spinning connection takes a whole processor.</summary>
    public int SpinningConnections { get; init; } = 1;

    /// <summary>Largest HTTP response stream in bytes. It is made as it is sent and takes no memory.</summary>
    public long StreamBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Longest time of one HTTP response stream.</summary>
    public TimeSpan Stream { get; init; } = TimeSpan.FromMinutes(10);
}
