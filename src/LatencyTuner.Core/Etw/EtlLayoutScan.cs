namespace LatencyTuner.Core.Etw;

/// <summary>
/// Collects the event descriptions of a merged trace. They are stored among the events, often after the first event that needs them. They are
/// therefore read in a pass of their own: buffer by buffer, unsorted, without reading other events.
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
