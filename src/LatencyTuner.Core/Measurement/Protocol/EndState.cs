using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The options of one end as its operating system reports them.</summary>
internal sealed record EndState(bool? NoDelay, AckEffect Ack, int? SendBuffer, int? ReceiveBuffer, bool Spin, int? Pin, bool BuffersBeforeListen)
{
    internal void Write(WireWriter writer) => writer
        .U8(NoDelay switch { null => 0, false => 1, true => 2 }).U8((byte)Ack)
        .I32(SendBuffer ?? -1).I32(ReceiveBuffer ?? -1).I32(Pin ?? -1)
        .U8((byte)((Spin ? 1 : 0) | (BuffersBeforeListen ? 2 : 0)));

    internal static EndState Read(ref WireReader reader)
    {
        byte noDelay = reader.U8();
        byte ack = reader.U8();
        int send = reader.I32();
        int receive = reader.I32();
        int pin = reader.I32();
        byte flags = reader.U8();
        return new EndState(
            noDelay switch { 1 => false, 2 => true, _ => null },
            ack <= (byte)AckEffect.Unsupported ? (AckEffect)ack : AckEffect.Unsupported,
            send < 0 ? null : send,
            receive < 0 ? null : receive,
            (flags & 1) != 0,
            pin < 0 ? null : pin,
            (flags & 2) != 0);
    }
}
