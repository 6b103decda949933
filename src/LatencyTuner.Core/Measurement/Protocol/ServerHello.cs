namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The responder's first frame.</summary>
internal sealed record ServerHello(ushort Version, bool NeedsToken, byte[] Nonce, string Software, string Os)
{
    internal byte[] Write() => new WireWriter()
        .U16(Version).U8(NeedsToken ? (byte)1 : (byte)0).Bytes(Nonce).Text(Software).Text(Os).Written.ToArray();

    internal static ServerHello Read(ReadOnlySpan<byte> payload)
    {
        WireReader reader = new(payload, "the responder's hello");
        return new ServerHello(reader.U16(), (reader.U8() & 1) != 0, reader.Bytes(Wire.NonceSize).ToArray(), reader.Text(), reader.Text());
    }
}
