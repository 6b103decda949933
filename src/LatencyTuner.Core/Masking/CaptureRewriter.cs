using System.Buffers.Binary;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Masking;

/// <summary>Writes a capture again, its packets cut behind their headers, with or without masked addresses: pcap as pcap, all others as pcapng.</summary>
/// <param name="mask">Masks addresses; null to leave them.</param>
/// <param name="keepPayload">True to leave packets as they are; only without a mask, because no mask knows what applications write.</param>
internal sealed class CaptureRewriter(AddressMask? mask, bool keepPayload)
{
    private readonly PacketRewriter? _rewriter = keepPayload && mask is null ? null : new PacketRewriter(mask);

    /// <summary>Writes a capture.</summary>
    /// <param name="reader">The capture.</param>
    /// <param name="output">Receives the new one.</param>
    /// <param name="cancellation">Ends the work.</param>
    public RewrittenCapture Write(ICaptureReader reader, Stream output, CancellationToken cancellation)
    {
        bool isPcap = reader is PcapReader;
        long packets = 0;
        long cut = 0;
        PcapngCopy? pcapng = isPcap ? null : new PcapngCopy(output, reader);
        bool begun = false;
        while (reader.TryRead(out CapturedFrame frame))
        {
            cancellation.ThrowIfCancellationRequested();
            ReadOnlySpan<byte> data = _rewriter is null ? frame.Data : _rewriter.Rewrite(in frame);
            packets++;
            cut += frame.Data.Length - data.Length;
            if (pcapng is not null)
            {
                pcapng.Packet(in frame, data);
                continue;
            }

            if (!begun)
            {
                begun = true;
                PcapHeader(output, frame.LinkType, reader.ClockStepNs);
            }

            PcapRecord(output, in frame, data, reader.ClockStepNs);
        }

        pcapng?.End();
        if (isPcap && !begun)
        {
            PcapHeader(output, LinkTypes.Ethernet, reader.ClockStepNs);
        }

        if (reader.Damage is not null)
        {
            // Half a header: what follows from the damage of the capture follows from the copy as well.
            output.Write(new byte[isPcap ? 8 : 4]);
        }

        return new(packets, cut, _rewriter?.Unknown ?? 0, isPcap ? "pcap" : "pcapng", reader.Damage);
    }

    private static void PcapHeader(Stream output, int linkType, long stepNs)
    {
        Span<byte> header = stackalloc byte[PcapReader.FileHeader];
        header.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(header, stepNs == 1 ? 0xA1B2_3C4D : 0xA1B2_C3D4);
        BinaryPrimitives.WriteUInt16LittleEndian(header[4..], 2);
        BinaryPrimitives.WriteUInt16LittleEndian(header[6..], 4);
        BinaryPrimitives.WriteUInt32LittleEndian(header[16..], 0x4_0000);
        BinaryPrimitives.WriteUInt32LittleEndian(header[20..], (uint)linkType);
        output.Write(header);
    }

    private static void PcapRecord(Stream output, in CapturedFrame frame, ReadOnlySpan<byte> data, long stepNs)
    {
        const long Second = 1_000_000_000;
        // A damaged time can lie behind the last second that the format has; its fraction takes the rest, as it did.
        long seconds = Math.Clamp(frame.TimeNs / Second, 0, uint.MaxValue);
        Span<byte> header = stackalloc byte[16];
        BinaryPrimitives.WriteUInt32LittleEndian(header, (uint)seconds);
        BinaryPrimitives.WriteUInt32LittleEndian(header[4..], (uint)((frame.TimeNs - (seconds * Second)) / stepNs));
        BinaryPrimitives.WriteUInt32LittleEndian(header[8..], (uint)data.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(header[12..], (uint)frame.OriginalLength);
        output.Write(header);
        output.Write(data);
    }
}

/// <summary>What became of a capture.</summary>
/// <param name="Packets">Packets that were written.</param>
/// <param name="Cut">Captured bytes that were left out.</param>
/// <param name="Unknown">Packets of which only the link layer is left.</param>
/// <param name="Format">pcap or pcapng.</param>
/// <param name="Damage">Where the capture ends early; null when it is whole.</param>
internal sealed record RewrittenCapture(long Packets, long Cut, long Unknown, string Format, CaptureDamage? Damage);
