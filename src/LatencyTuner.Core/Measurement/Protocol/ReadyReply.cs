namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The responder's answer to a setup.</summary>
/// <param name="State">Its options in effect.</param>
/// <param name="RedirectPort">Port of a listener made with the asked buffer sizes; 0: stay on this connection.</param>
/// <param name="Ticket">What to show there.</param>
internal sealed record ReadyReply(EndState State, int RedirectPort, ulong Ticket)
{
    internal byte[] Write()
    {
        WireWriter writer = new();
        State.Write(writer);
        return writer.I32(RedirectPort).U64(Ticket).Written.ToArray();
    }

    internal static ReadyReply Read(ReadOnlySpan<byte> payload)
    {
        WireReader reader = new(payload, "the responder's answer to the setup");
        return new ReadyReply(EndState.Read(ref reader), Math.Clamp(reader.I32(), 0, 65535), reader.U64());
    }
}
