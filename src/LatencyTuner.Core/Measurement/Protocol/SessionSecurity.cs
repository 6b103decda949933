using System.Buffers.Binary;
using System.Security.Cryptography;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>
/// Proofs and frame authentication of one connection. The labels prevent a replay of one side's proof as the other's; the counter
/// prevents a replay of one frame as a later one. Measured messages are not authenticated: they carry no information.
/// </summary>
internal sealed class SessionSecurity
{
    private readonly byte[] _sessionKey;
    private long _sent;
    private long _received;
    private readonly bool _isClient;

    internal SessionSecurity(SharedToken token, ReadOnlySpan<byte> clientHello, ReadOnlySpan<byte> serverHello, bool isClient)
    {
        byte[] transcript = new byte[64];
        SHA256.HashData(clientHello, transcript);
        SHA256.HashData(serverHello, transcript.AsSpan(32));
        _isClient = isClient;
        _sessionKey = token.Prove("LatencyTuner 2 session", transcript);
        ClientProof = token.Prove("LatencyTuner 2 client", transcript);
        ServerProof = token.Prove("LatencyTuner 2 server", transcript);
    }

    internal byte[] ClientProof { get; }

    internal byte[] ServerProof { get; }

    internal byte[] SignNext(FrameType type, ReadOnlySpan<byte> payload) => Sign(_isClient, _sent++, type, payload);

    internal bool VerifyNext(FrameType type, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> mac) =>
        CryptographicOperations.FixedTimeEquals(Sign(!_isClient, _received++, type, payload), mac);

    private byte[] Sign(bool fromClient, long counter, FrameType type, ReadOnlySpan<byte> payload)
    {
        using IncrementalHash hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, _sessionKey);
        Span<byte> head = stackalloc byte[10];
        head[0] = fromClient ? (byte)1 : (byte)2;
        head[1] = (byte)type;
        BinaryPrimitives.WriteInt64LittleEndian(head[2..], counter);
        hash.AppendData(head);
        hash.AppendData(payload);
        return hash.GetHashAndReset();
    }
}
