using System.Buffers;

namespace LatencyTuner.Core.Etw;

/// <summary>Steps through the events of one buffer.</summary>
internal sealed class EtlBufferCursor(EtlBufferEntry entry, byte[] data, int length, EtlClock clock, EtlInlineSchemas schemas, EtlDamageLog damage)
{
    private int _next;
    private int _payload;
    private int _end;

    /// <summary>Position of the buffer in the file, from 0.</summary>
    internal int Order => entry.Order;

    /// <summary>Offset of the buffer in the file, in bytes.</summary>
    internal long Offset => entry.Offset;

    /// <summary>Size of the events in the buffer, in bytes.</summary>
    internal int Length => length;

    /// <summary>The header of the current event.</summary>
    internal EtwEventHeader Header;

    /// <summary>The payload of the current event.</summary>
    internal ReadOnlySpan<byte> Payload => data.AsSpan(_payload, _end - _payload);

    /// <summary>Goes to the next event.</summary>
    /// <returns>False at the end, or where the rest of the buffer is damaged.</returns>
    internal bool MoveNext()
    {
        while (length - _next >= 8)
        {
            int at = _next;
            EtlEventStatus status =
                EtlEventParser.Parse(data.AsSpan(at, length - at), entry.Processor, clock, out Header, out int size, out int payload, out EtlDamageKind what);
            if (status == EtlEventStatus.Bad)
            {
                _next = length;
                damage.Add(what, Where(at), "the last # bytes of the buffer cannot be read as events", length - at);
                return false;
            }

            _next = at + ((size + 7) & ~7);
            if (status == EtlEventStatus.Event)
            {
                (_payload, _end) = (at + payload, at + size);
                if (Header.HasInlineSchema)
                {
                    Header = Header with
                    {
                        InlineSchema = schemas.NumberOf(
                            Header.Provider, data.AsSpan(at + EtlEventParser.ManifestHeader, payload - EtlEventParser.ManifestHeader)),
                    };
                }

                return true;
            }

            damage.Add(what, Where(at), "an event of # bytes was skipped", size);
        }

        return false;
    }

    /// <summary>Goes to the next classic event of a class and skips all others without building their headers.</summary>
    internal bool MoveToClass(Guid provider)
    {
        while (length - _next >= 8)
        {
            int size = EtlEventParser.SizeUnless(data.AsSpan(_next, length - _next), provider);
            if (size != 0)
            {
                _next += size;
                continue;
            }

            if (!MoveNext())
            {
                return false;
            }

            if (Header.Provider == provider)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Releases the memory of the buffer. Do not use the cursor afterwards.</summary>
    internal void Release() => ArrayPool<byte>.Shared.Return(data);

    private long Where(int at) => entry.IsCompressed ? entry.Offset : entry.Offset + EtlBufferHeader.Length + at;
}
