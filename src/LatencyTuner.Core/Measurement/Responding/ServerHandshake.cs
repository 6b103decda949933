using System.Security.Cryptography;
using LatencyTuner.Core.Measurement.Protocol;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>
/// The responder's side of the handshake without any network access of its own: bytes in, bytes out. One instance serves one connection
/// and holds at most one frame.
/// </summary>
internal sealed class ServerHandshake
{
    private readonly byte[] _buffer = new byte[Wire.HeaderSize + 256 + Wire.MacSize];
    private readonly SharedToken? _token;
    private readonly ServerHello _hello;
    private readonly ResponderLimits _limits;
    private byte[] _clientHello = [];
    private byte[] _serverHello = [];
    private SessionSecurity? _security;
    private FrameType _expected = FrameType.ClientHello;
    private int _length;

    /// <summary>Starts a handshake.</summary>
    /// <param name="hello">The hello of the responder, with a fresh nonce.</param>
    /// <param name="token">The shared token; null for none.</param>
    /// <param name="limits">The operator's limits.</param>
    internal ServerHandshake(ServerHello hello, SharedToken? token, ResponderLimits limits)
    {
        _hello = hello;
        _token = token;
        _limits = limits;
    }

    /// <summary>The client's request after the handshake is finished; null before.</summary>
    internal SetupRequest? Setup { get; private set; }

    /// <summary>Bytes of room for the next receive; never 0 before the setup is there.</summary>
    internal Span<byte> Room => Setup is null ? _buffer.AsSpan(_length, Wanted() - _length) : default;

    /// <summary>Takes bytes that were received into <see cref="Room"/>.</summary>
    /// <param name="count">Number of bytes.</param>
    /// <returns>Bytes to send; empty when more must come first.</returns>
    /// <exception cref="ProtocolException">The client violates the protocol, does not know the token, or requests more than a limit.</exception>
    internal byte[] Take(int count)
    {
        _length += count;
        if (_length < Wire.HeaderSize)
        {
            CheckStart();
            return [];
        }

        FrameHeader header = FrameHeader.Read(_buffer);
        if (header.Type != _expected)
        {
            throw new ProtocolException($"frame {(byte)header.Type} arrived where frame {(byte)_expected} ({_expected}) was expected");
        }

        if (header.PayloadLength > 256)
        {
            throw new ProtocolException($"frame {_expected} announces {header.PayloadLength} bytes; at most 256 were expected");
        }

        return _length < Wanted() ? [] : Complete(header);
    }

    private int Wanted()
    {
        if (_length < Wire.HeaderSize)
        {
            return Wire.HeaderSize;
        }

        bool signed = _security is not null && _expected == FrameType.Setup;
        return Wire.HeaderSize + FrameHeader.Read(_buffer).PayloadLength + (signed ? Wire.MacSize : 0);
    }

    /// <summary>Detects another protocol from the first byte on, instead of waiting for a header that never arrives.</summary>
    private void CheckStart()
    {
        for (int i = 0; i < Math.Min(_length, 4); i++)
        {
            if (_buffer[i] != (byte)(Wire.Magic >> (8 * i)))
            {
                throw new ProtocolException("the first bytes are not those of this protocol");
            }
        }
    }

    private byte[] Complete(FrameHeader header)
    {
        ReadOnlySpan<byte> payload = _buffer.AsSpan(Wire.HeaderSize, header.PayloadLength);
        ReadOnlySpan<byte> mac = _buffer.AsSpan(Wire.HeaderSize + header.PayloadLength, _length - Wire.HeaderSize - header.PayloadLength);
        _length = 0;
        switch (_expected)
        {
            case FrameType.ClientHello:
                return AnswerHello(payload);
            case FrameType.ClientProof:
                if (payload.Length != Wire.MacSize || !CryptographicOperations.FixedTimeEquals(_security!.ClientProof, payload))
                {
                    throw new ProtocolException(RefusalReason.Authentication, "the client does not know the token of the responder");
                }

                _expected = FrameType.Setup;
                return [];
            default:
                if (_security is not null && !_security.VerifyNext(FrameType.Setup, payload, mac))
                {
                    throw new ProtocolException(RefusalReason.Authentication, "the HMAC of the setup is not valid");
                }

                SetupRequest setup = SetupRequest.Read(payload);
                HoldAgainstLimits(setup);
                Setup = setup;
                return [];
        }
    }

    private byte[] AnswerHello(ReadOnlySpan<byte> payload)
    {
        ClientHello hello = ClientHello.Read(payload);
        if (hello.OldestVersion > Wire.Version || hello.NewestVersion < Wire.Version)
        {
            throw new ProtocolException(
                RefusalReason.Version,
                $"this responder speaks protocol version {Wire.Version}, the client speaks {hello.OldestVersion}: use the same release of latencytuner "
                + "at both ends");
        }

        _clientHello = payload.ToArray();
        _serverHello = _hello.Write();
        byte[] answer = FrameHeader.Frame(FrameType.ServerHello, _serverHello, []);
        if (_token is null)
        {
            _expected = FrameType.Setup;
            return answer;
        }

        _security = new SessionSecurity(_token, _clientHello, _serverHello, isClient: false);
        _expected = FrameType.ClientProof;
        return [.. answer, .. FrameHeader.Frame(FrameType.ServerProof, _security.ServerProof, [])];
    }

    /// <summary>Makes the frame that answers the setup, or the result at the end, signed where a token is used.</summary>
    internal byte[] Frame(FrameType type, ReadOnlySpan<byte> payload) =>
        FrameHeader.Frame(type, payload, _security is null ? [] : _security.SignNext(type, payload));

    /// <summary>True when a frame after the setup is the client's next one, signed with the token.</summary>
    internal bool Verify(FrameType type, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> mac) =>
        _security is not null && _security.VerifyNext(type, payload, mac);

    private void HoldAgainstLimits(SetupRequest setup)
    {
        Hold(setup.RequestSize, _limits.MessageBytes, "a request size", "bytes");
        Hold(setup.ReplySize, _limits.MessageBytes, "a reply size", "bytes");
        Hold(setup.SendBuffer ?? 0, _limits.SocketBufferBytes, "a send buffer", "bytes");
        Hold(setup.ReceiveBuffer ?? 0, _limits.SocketBufferBytes, "a receive buffer", "bytes");
        Hold(setup.ReplyWrites, _limits.ReplyWrites, "a reply", "writes");
        Hold(setup.ThinkNs / 1_000_000, (long)_limits.Think.TotalMilliseconds, "a think time", "ms");
    }

    private static void Hold(long asked, long limit, string what, string unit)
    {
        if (asked > limit)
        {
            throw new ProtocolException(RefusalReason.Limit, $"the client requested {what} of {asked} {unit}; this responder allows {limit} {unit}");
        }
    }
}
