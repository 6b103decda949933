using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>
/// Short-lived listeners that have the buffer sizes one client requested: a receive buffer set after the connection was accepted no longer
/// changes the window scale negotiated in the SYN (RFC 7323 2.2).
/// </summary>
internal sealed class BufferListeners(RandomNumberGenerator random, TimeProvider time) : IDisposable
{
    private const int Most = 64;
    private static readonly TimeSpan Life = TimeSpan.FromSeconds(5);
    private readonly List<(Socket Socket, ulong Ticket, long Deadline)> _open = [];

    public void Dispose() => _open.ForEach(l => l.Socket.Dispose());

    internal void AddTo(List<Socket> sockets) => sockets.AddRange(_open.Select(l => l.Socket));

    internal bool Contains(Socket socket) => _open.Exists(l => l.Socket == socket);

    /// <summary>Closes the listener after its client has connected, so that its place is free for the next listener.</summary>
    internal void Close(ulong ticket)
    {
        int index = _open.FindIndex(l => l.Ticket == ticket);
        if (index >= 0)
        {
            _open[index].Socket.Dispose();
            _open.RemoveAt(index);
        }
    }

    internal ulong TicketOf(Socket listener) => _open.Find(l => l.Socket == listener).Ticket;

    internal (int Port, ulong Ticket)? TryOpen(IPAddress address, int? sendBuffer, int? receiveBuffer)
    {
        if (_open.Count >= Most)
        {
            return null;
        }

        try
        {
            Socket socket = Listening.Open(new IPEndPoint(address, 0), sendBuffer, receiveBuffer, backlog: 4);
            byte[] bytes = new byte[8];
            random.GetBytes(bytes);
            ulong ticket = BinaryPrimitives.ReadUInt64LittleEndian(bytes) | 1;
            _open.Add((socket, ticket, time.GetTimestamp() + (long)(Life.TotalSeconds * time.TimestampFrequency)));
            return (((IPEndPoint)socket.LocalEndPoint!).Port, ticket);
        }
        catch (ExpectedFailureException)
        {
            return null;
        }
    }

    internal void DropExpired()
    {
        long now = time.GetTimestamp();
        for (int i = _open.Count - 1; i >= 0; i--)
        {
            if (_open[i].Deadline <= now)
            {
                _open[i].Socket.Dispose();
                _open.RemoveAt(i);
            }
        }
    }
}
