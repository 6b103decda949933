using System.Net;
using System.Net.Sockets;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>The connections in their handshake, oldest first. Used by the responder's one thread; the count may be read by any.</summary>
internal sealed class HandshakeTable(ResponderLimits limits, TimeProvider time) : IDisposable
{
    private readonly Dictionary<Socket, LinkedListNode<PendingHandshake>> _bySocket = [];
    private readonly LinkedList<PendingHandshake> _byAge = [];
    private volatile int _count;

    internal int Count => _count;

    public void Dispose()
    {
        foreach (PendingHandshake pending in _byAge)
        {
            Close(pending.Socket);
        }

        _byAge.Clear();
        _bySocket.Clear();
        _count = 0;
    }

    /// <summary>Closes a socket so that a waiting client notices it.</summary>
    internal static void Close(Socket socket)
    {
        try
        {
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Never connected, or already disconnected.
        }

        socket.Dispose();
    }

    internal void AddTo(List<Socket> sockets) => sockets.AddRange(_bySocket.Keys);

    internal PendingHandshake? Find(Socket socket) =>
        _bySocket.TryGetValue(socket, out LinkedListNode<PendingHandshake>? node) ? node.Value : null;

    /// <summary>Adds a connection; returns the oldest when there are too many, for the caller to refuse.</summary>
    internal PendingHandshake? Add(Socket socket, ServerHandshake handshake, ulong ticket)
    {
        long deadline = time.GetTimestamp() + (long)(limits.Handshake.TotalSeconds * time.TimestampFrequency);
        IPEndPoint? peer = socket.RemoteEndPoint as IPEndPoint;
        _bySocket[socket] = _byAge.AddLast(new PendingHandshake(
            socket, handshake, ticket, deadline, peer?.ToString() ?? "unknown", peer?.Address ?? IPAddress.None));
        _count = _byAge.Count;
        return _byAge.Count > limits.Handshakes ? _byAge.First!.Value : null;
    }

    internal void Remove(PendingHandshake pending)
    {
        if (_bySocket.Remove(pending.Socket, out LinkedListNode<PendingHandshake>? node))
        {
            _byAge.Remove(node);
            _count = _byAge.Count;
        }
    }

    internal void DropOldest(Action<PendingHandshake, string> drop, string why)
    {
        if (_byAge.First is { } oldest)
        {
            drop(oldest.Value, why);
        }
    }

    internal void DropExpired(Action<PendingHandshake, string> drop)
    {
        long now = time.GetTimestamp();
        while (_byAge.First is { } oldest && oldest.Value.Deadline <= now)
        {
            drop(oldest.Value, $"its handshake was not finished within {limits.Handshake.TotalSeconds:0.###} s");
            Remove(oldest.Value);
        }
    }
}

/// <summary>A connection that has not finished its handshake.</summary>
/// <param name="Socket">Its non-blocking socket.</param>
/// <param name="Handshake">Its state.</param>
/// <param name="Ticket">Ticket of the listener it came through; 0 for the main ones.</param>
/// <param name="Deadline">Timestamp at which it is dropped.</param>
/// <param name="Peer">The client's address and port, for the log.</param>
/// <param name="Client">The client's address.</param>
internal sealed record PendingHandshake(Socket Socket, ServerHandshake Handshake, ulong Ticket, long Deadline, string Peer, IPAddress Client);
