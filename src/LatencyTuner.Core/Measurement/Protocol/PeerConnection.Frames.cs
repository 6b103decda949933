using System.Net.Sockets;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <content>Reads control frames, always with a deadline and with checks for a cancellation.</content>
internal sealed partial class PeerConnection
{
    // How often a wait checks for a cancellation.
    private const long SliceNs = 50_000_000;

    /// <summary>Renews the lease of a connection that <see cref="OpenLease"/> opened, or ends it.</summary>
    /// <param name="last">True when the responder may end.</param>
    /// <param name="patience">How long its answer may take.</param>
    /// <returns>False when the responder did not answer, or the connection is broken.</returns>
    internal bool TryRenew(bool last, TimeSpan patience)
    {
        try
        {
            long deadline = _time.GetTimestamp() + (long)(patience.TotalSeconds * _time.TimestampFrequency);
            byte[] payload = [last ? (byte)1 : (byte)0];
            Socket.Send(FrameHeader.Frame(FrameType.Renewal, payload, _security?.SignNext(FrameType.Renewal, payload)));
            _ = ReadFrame(FrameType.RenewalReply, deadline, CancellationToken.None);
            return true;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or ProtocolException or TimeoutException or PeerFailureException)
        {
            return false;
        }
    }

    private byte[] ReadFrame(FrameType expected, long deadline, CancellationToken cancellation)
    {
        byte[] head = new byte[Wire.HeaderSize];
        ReadExactly(head, deadline, cancellation);
        FrameHeader header = FrameHeader.Read(head);
        byte[] payload = new byte[header.PayloadLength];
        ReadExactly(payload, deadline, cancellation);
        if (header.Type == FrameType.Refusal && expected != FrameType.Refusal)
        {
            Refusal refusal = Refusal.Read(payload);
            throw refusal.Reason == RefusalReason.Authentication ? PeerFailureException.OtherToken(_target.Name)
                : new PeerFailureException($"{_target.Name} refused the request: {refusal.Text.TrimEnd('.')}.");
        }

        if (header.Type != expected)
        {
            throw new ProtocolException($"frame {(byte)header.Type} arrived where {expected} was expected");
        }

        if (_security is not null)
        {
            byte[] mac = new byte[Wire.MacSize];
            ReadExactly(mac, deadline, cancellation);
            if (!_security.VerifyNext(expected, payload, mac))
            {
                throw new ProtocolException($"the HMAC of the {expected} frame is not valid");
            }
        }

        return payload;
    }

    /// <summary>One deadline for the whole exchange, so that a peer that sends single bytes cannot prolong it.</summary>
    private unsafe void ReadExactly(Span<byte> buffer, long deadline, CancellationToken cancellation)
    {
        Span<bool> ready = stackalloc bool[1];
        while (!buffer.IsEmpty)
        {
            cancellation.ThrowIfCancellationRequested();
            double leftNs = (deadline - _time.GetTimestamp()) * (1e9 / _time.TimestampFrequency);
            if (leftNs <= 0)
            {
                throw new TimeoutException();
            }

            if (_platform.Wait([new PollEntry(Socket.Handle, true, false)], ready, (long)Math.Min(leftNs, SliceNs)) == 0)
            {
                continue;
            }

            int count;
            SocketError failure;
            fixed (byte* bytes = buffer)
            {
                count = _platform.Receive(Socket.Handle, bytes, buffer.Length, out failure);
            }

            if (count == 0)
            {
                throw new ProtocolException("it closed the connection before it answered");
            }

            if (count < 0 && failure != SocketError.WouldBlock)
            {
                throw new SocketException((int)failure);
            }

            buffer = buffer[Math.Max(count, 0)..];
        }
    }
}
