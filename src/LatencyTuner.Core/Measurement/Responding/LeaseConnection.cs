using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>
/// The responder's side of a lease connection, on a thread of its own. It ends with its client or with the lease; the end of the connection does not end the
/// lease, which another connection of the same client may renew.
/// </summary>
internal sealed class LeaseConnection
{
    private const int LookUs = 200_000;
    private readonly Socket _socket;
    private readonly ServerHandshake _handshake;
    private readonly ServingLease _lease;
    private readonly TimeProvider _time;

    private LeaseConnection(PendingHandshake pending, ServingLease lease, TimeProvider time)
    {
        _socket = pending.Socket;
        _handshake = pending.Handshake;
        _lease = lease;
        _time = time;
    }

    /// <summary>Answers the setup and starts the thread.</summary>
    /// <exception cref="ProtocolException">There is no lease, or another client has it.</exception>
    internal static void Start(PendingHandshake pending, ResponderOptions options, TimeProvider time)
    {
        if (options.Lease is not { } lease || options.Token is null)
        {
            throw new ProtocolException(RefusalReason.Limit, "this responder was not started for one run (serve --once)");
        }

        if (!lease.TryEnter(pending.Client))
        {
            throw new ProtocolException(RefusalReason.Busy, "this responder serves the one client that holds its lease");
        }

        EndState nothingYet = new(null, AckEffect.Default, null, null, false, null, false);
        byte[] ready = pending.Handshake.Frame(FrameType.Ready, new ReadyReply(nothingYet, 0, 0, options.Software, options.Os).Write());
        LeaseConnection connection = new(pending, lease, time);
        new Thread(() => connection.Run(ready), maxStackSize: 256 * 1024) { IsBackground = true, Name = "lease" }.Start();
    }

    private void Run(byte[] ready)
    {
        try
        {
            _ = _socket.Send(ready);
            byte[] frame = new byte[Wire.HeaderSize + 1 + Wire.MacSize];
            while (Receive(frame) && Accept(frame))
            {
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or ProtocolException)
        {
            // The lease runs on until it ends, or the client comes back.
        }
        finally
        {
            _lease.Leave();
            HandshakeTable.Close(_socket);
        }
    }

    /// <summary>Receives one frame; false when the client has closed, sends nothing for the time of a lease, or the lease has ended.</summary>
    private bool Receive(byte[] frame)
    {
        long since = _time.GetTimestamp();
        for (int length = 0; length < frame.Length;)
        {
            if (_lease.Because is not null || _time.GetElapsedTime(since) > ServingLease.AfterRenewal)
            {
                return false;
            }

            if (!_socket.Poll(LookUs, SelectMode.SelectRead))
            {
                continue;
            }

            int count = _socket.Receive(frame.AsSpan(length), SocketFlags.None, out SocketError error);
            if (error != SocketError.WouldBlock)
            {
                if (error != SocketError.Success || count == 0)
                {
                    return false;
                }

                length += count;
            }
        }

        return true;
    }

    private bool Accept(byte[] frame)
    {
        ReadOnlySpan<byte> payload = frame.AsSpan(Wire.HeaderSize, 1);
        FrameHeader header = FrameHeader.Read(frame);
        if (_lease.Because is not null || header is not { Type: FrameType.Renewal, PayloadLength: 1 }
            || !_handshake.Verify(FrameType.Renewal, payload, frame.AsSpan(Wire.HeaderSize + 1)))
        {
            return false;
        }

        bool last = payload[0] != 0;
        _lease.Renew();
        _ = _socket.Send(_handshake.Frame(FrameType.RenewalReply, []));
        if (last)
        {
            _lease.End();
        }

        return !last;
    }
}
