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

/// <summary>The responder's answer to a setup.</summary>
/// <param name="State">The responder's options in effect.</param>
/// <param name="RedirectPort">Port of a listener that has the requested buffer sizes; 0 to stay on this connection.</param>
/// <param name="Ticket">Ticket that the client presents to that listener.</param>
/// <param name="Software">Name and version of the responder's software; told here, because a stranger could look up its weaknesses.</param>
/// <param name="Os">The responder's operating system.</param>
internal sealed record ReadyReply(EndState State, int RedirectPort, ulong Ticket, string Software, string Os)
{
    internal byte[] Write()
    {
        WireWriter writer = new();
        State.Write(writer);
        return writer.I32(RedirectPort).U64(Ticket).Text(Software).Text(Os).Written.ToArray();
    }

    internal static ReadyReply Read(ReadOnlySpan<byte> payload)
    {
        WireReader reader = new(payload, "the responder's answer to the setup");
        return new ReadyReply(EndState.Read(ref reader), Math.Clamp(reader.I32(), 0, 65535), reader.U64(), reader.Text(), reader.Text());
    }
}

/// <summary>A refusal of the responder, with its reason.</summary>
internal sealed record Refusal(RefusalReason Reason, string Text)
{
    internal byte[] Write() => new WireWriter().U16((ushort)Reason).Text(Text).Written.ToArray();

    internal static Refusal Read(ReadOnlySpan<byte> payload)
    {
        WireReader reader = new(payload, "the responder's refusal");
        return new Refusal((RefusalReason)reader.U16(), reader.Text());
    }
}

/// <summary>Why a responder refuses.</summary>
internal enum RefusalReason : ushort
{
    Protocol = 1,
    Version = 2,
    Authentication = 3,
    Limit = 4,
    Busy = 5,
    Stopping = 6,
}

/// <summary>The responder's first frame.</summary>
internal sealed record ServerHello(ushort Version, bool NeedsToken, byte[] Nonce)
{
    internal byte[] Write() => new WireWriter()
        .U16(Version).U8(NeedsToken ? (byte)1 : (byte)0).Bytes(Nonce).Written.ToArray();

    internal static ServerHello Read(ReadOnlySpan<byte> payload)
    {
        WireReader reader = new(payload, "the responder's hello");
        return new ServerHello(reader.U16(), (reader.U8() & 1) != 0, reader.Bytes(Wire.NonceSize).ToArray());
    }
}
