namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The client's first frame.</summary>
internal sealed record ClientHello(ushort OldestVersion, ushort NewestVersion, bool HasToken, byte[] Nonce)
{
    internal byte[] Write() => new WireWriter()
        .U16(OldestVersion).U16(NewestVersion).U8(HasToken ? (byte)1 : (byte)0).Bytes(Nonce).Written.ToArray();

    internal static ClientHello Read(ReadOnlySpan<byte> payload)
    {
        WireReader reader = new(payload, "the client's hello");
        return new ClientHello(reader.U16(), reader.U16(), (reader.U8() & 1) != 0, reader.Bytes(Wire.NonceSize).ToArray());
    }
}
