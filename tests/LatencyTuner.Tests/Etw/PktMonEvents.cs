namespace LatencyTuner.Tests.Etw;

/// <summary>Packets as pktmon writes them: each one once for every component it passes.</summary>
internal static class PktMonEvents
{
    internal static readonly Guid Provider = new("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");

    /// <summary>The records of one packet.</summary>
    /// <param name="time">Clock value.</param>
    /// <param name="group">Number of the packet.</param>
    /// <param name="frame">Ethernet frame.</param>
    /// <param name="components">How often it is written.</param>
    /// <param name="cut">Most bytes that are written of it.</param>
    /// <param name="original">Bytes of the packet, when the frame is only its beginning.</param>
    internal static IEnumerable<EtlRecord> Packet(long time, ulong group, byte[] frame, int components = 1, int cut = 128, int? original = null)
    {
        for (ushort i = 1; i <= components; i++)
        {
            Span<byte> logged = frame.AsSpan(0, Math.Min(cut, frame.Length));
            yield return EtlRecord.Manifest(time + i, 0, Provider, 160, 0, new ByteWriter()
                .U64(group).U16(1).U16((ushort)(components == 1 ? 0 : i)).U16(1).U16(1).U16((ushort)(10 + i)).U16(1).U16(0)
                .U32(0).U32(0).U16((ushort)(original ?? frame.Length)).U16((ushort)logged.Length).Raw(logged).ToArray());
        }
    }
}
