using System.Net;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>The settings of a responder.</summary>
public sealed record ResponderOptions
{
    /// <summary>Addresses to listen on.</summary>
    public required IReadOnlyList<IPAddress> Addresses { get; init; }

    /// <summary>TCP port; 0 lets the system choose.</summary>
    public int Port { get; init; }

    /// <summary>The shared token; null serves anyone who can connect.</summary>
    public SharedToken? Token { get; init; }

    /// <summary>The operator's limits.</summary>
    public ResponderLimits Limits { get; init; } = new();

    /// <summary>What the clients of all ports share; null for a budget of this port's own.</summary>
    public ClientBudget? Budget { get; init; }

    /// <summary>How long a responder of <c>serve --once</c> lives, and whom it serves; null for one that serves until it is stopped.</summary>
    public ServingLease? Lease { get; init; }

    /// <summary>True when a client may bind the serving thread to a processor: only for the responder inside the client's own process.</summary>
    public bool AllowPin { get; init; }

    /// <summary>Name and version that the responder reports in its hello, for example <c>latencytuner 0.1.0</c>.</summary>
    public string Software { get; init; } = "latencytuner";

    /// <summary>The operating system that it reports in its hello.</summary>
    public string Os { get; init; } = "";

    /// <summary>Receives what became of each connection; called from the responder's threads.</summary>
    public Action<ClientEvent>? Log { get; init; }
}

/// <summary>What became of a connection.</summary>
/// <param name="Client">The client's address; null for an event of the responder itself.</param>
/// <param name="Messages">Messages served; null where the client was refused.</param>
/// <param name="Because">Why it ended, or why it was refused: a clause.</param>
public sealed record ClientEvent(IPAddress? Client, long? Messages, string Because)
{
    /// <summary><see cref="Because"/> of a connection that ended as it should.</summary>
    public const string EndedByClient = "ended by the client";
}

/// <summary>The limits that the operator of a responder sets. Every client request is checked against them.</summary>
public sealed record ResponderLimits
{
    private readonly int? _perClient;

    /// <summary>Connections being measured at once, 1 to 4096.</summary>
    public int Connections { get; init; } = 64;

    /// <summary>Connections being measured at once from one address; as many as <see cref="Connections"/> unless set.</summary>
    public int ConnectionsPerClient { get => Math.Min(_perClient ?? Connections, Connections); init => _perClient = value; }

    /// <summary>Connections still in their handshake at once; the oldest is dropped for a new one beyond this.</summary>
    public int Handshakes { get; init; } = 2048;

    /// <summary>Connections of the HTTP port that have not shown the token, or asked for a stream, at once; the oldest is dropped for a new one.</summary>
    public int HttpStrangers { get; init; } = 512;

    /// <summary>Largest request or reply in bytes.</summary>
    public int MessageBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Memory for all connections together in bytes, requested socket buffers included.</summary>
    public long TotalMemoryBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Largest SO_SNDBUF or SO_RCVBUF in bytes.</summary>
    public int SocketBufferBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Most writes per reply.</summary>
    public int ReplyWrites { get; init; } = 64;

    /// <summary>Longest think time.</summary>
    public TimeSpan Think { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Longest time for the handshake of a client.</summary>
    public TimeSpan Handshake { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Longest time without data from a measured connection.</summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Connections that may spin at once; a spinning connection uses a whole processor.</summary>
    public int SpinningConnections { get; init; } = 1;

    /// <summary>Largest HTTP response stream in bytes. It is generated while it is sent and needs no memory.</summary>
    public long StreamBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Longest time of one HTTP response stream.</summary>
    public TimeSpan Stream { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>
    /// The same limits where a process may open only so many files, sockets among them: fewer strangers first, fewer measured connections only when there is
    /// no other way.
    /// </summary>
    /// <param name="files">How many files the process may open; null without a limit.</param>
    /// <param name="ports">Ports that share them: 1, or 2 with HTTP.</param>
    public ResponderLimits FitInto(long? files, int ports)
    {
        // What the runtime itself has open, with room for what it opens while it runs.
        const int Own = 96;
        const int Least = 8;
        if (files is not { } most)
        {
            return this;
        }

        int each = (int)Math.Clamp((most - Own) / ports, 2 * Least, int.MaxValue);
        int connections = Math.Min(Connections, each / 2);
        return this with
        {
            Connections = connections,
            Handshakes = Math.Min(Handshakes, each - connections),
            HttpStrangers = Math.Min(HttpStrangers, each - connections),
        };
    }
}

/// <summary>What a responder has done so far.</summary>
/// <param name="Accepted">Connections accepted.</param>
/// <param name="Refused">Connections refused or dropped in their handshake.</param>
/// <param name="Served">Measured connections that have ended.</param>
/// <param name="Active">Measured connections now.</param>
/// <param name="Handshakes">Connections in their handshake now.</param>
/// <param name="Messages">Requests answered by connections that have ended.</param>
public sealed record ResponderStatistics(long Accepted, long Refused, long Served, int Active, int Handshakes, long Messages);
