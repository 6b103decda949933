namespace LatencyTuner.Core.Etw;

/// <summary>
/// Collects the descriptions of events that a merged trace carries. They stand among the events, often behind the first use, so that they are
/// read before them: buffer by buffer, without order and without looking at other events.
/// </summary>
internal static class EtlLayoutScan
{
    internal static EtwLayouts Read(EtlBufferLoader loader, int buffers, CancellationToken cancellation)
    {
        EtwLayouts layouts = new();
        for (int i = 0; i < buffers; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            EtlBufferCursor cursor = loader.Take();
            while (cursor.MoveToClass(TraceEventInfo.Class))
            {
                if (cursor.Header.Opcode == TraceEventInfo.Opcode && TraceEventInfo.Parse(cursor.Payload) is { } layout)
                {
                    layouts.Add(layout);
                }
            }

            cursor.Release();
        }

        return layouts;
    }
}
