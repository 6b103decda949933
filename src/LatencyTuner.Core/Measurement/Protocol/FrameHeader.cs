using System.Buffers.Binary;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The 12 bytes before every control payload.</summary>
/// <param name="Type">The type of the frame.</param>
/// <param name="PayloadLength">Length of the payload in bytes, at most <see cref="Wire.MaxPayload"/>.</param>
internal readonly record struct FrameHeader(FrameType Type, int PayloadLength)
{
    internal static FrameHeader Read(ReadOnlySpan<byte> header)
    {
        if (BinaryPrimitives.ReadUInt32LittleEndian(header) != Wire.Magic)
        {
            throw new ProtocolException("the first bytes are not those of this protocol");
        }

        // The header has the same layout in every version, so that a newer peer can read which versions are supported here.
        int length = (int)Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(header[8..]), int.MaxValue);
        return length > Wire.MaxPayload
            ? throw new ProtocolException($"a frame announces {length} bytes; at most {Wire.MaxPayload} are allowed")
            : new FrameHeader((FrameType)header[6], length);
    }

    internal static byte[] Frame(FrameType type, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> mac)
    {
        byte[] frame = new byte[Wire.HeaderSize + payload.Length + mac.Length];
        BinaryPrimitives.WriteUInt32LittleEndian(frame, Wire.Magic);
        BinaryPrimitives.WriteUInt16LittleEndian(frame.AsSpan(4), Wire.Version);
        frame[6] = (byte)type;
        BinaryPrimitives.WriteInt32LittleEndian(frame.AsSpan(8), payload.Length);
        payload.CopyTo(frame.AsSpan(Wire.HeaderSize));
        mac.CopyTo(frame.AsSpan(Wire.HeaderSize + payload.Length));
        return frame;
    }
}

/// <summary>The types of control frames.</summary>
internal enum FrameType : byte
{
    ClientHello = 1,
    ServerHello = 2,
    ClientProof = 3,
    ServerProof = 4,
    Setup = 5,
    Ready = 6,
    Result = 7,
    Refusal = 8,

    /// <summary>On a lease connection: the client renews the lease, or ends it.</summary>
    Renewal = 9,

    /// <summary>The responder's answer to it.</summary>
    RenewalReply = 10,
}
