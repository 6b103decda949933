using System.Buffers;

namespace LatencyTuner.Core.Etw;

/// <summary>Reads buffers in the order of use and decompresses some of them in advance.</summary>
internal sealed class EtlBufferLoader : IDisposable
{
    private const int AheadPerThread = 4;
    private const long MaxAheadBytes = 48L << 20;

    private readonly EtlSource _source;
    private readonly EtlBufferEntry[] _entries;
    private readonly EtlClock _clock;
    private readonly EtlInlineSchemas _schemas;
    private readonly EtlDamageLog _damage;
    private readonly int _threads;
    private readonly Queue<Task<EtlBufferCursor>> _ahead = new();
    private long _aheadBytes;
    private int _next;
    private int _taken;

    internal EtlBufferLoader(EtlSource source, EtlBufferEntry[] entries, EtlClock clock, EtlInlineSchemas schemas, EtlDamageLog damage, int threads) =>
        (_source, _entries, _clock, _schemas, _damage, _threads) = (source, entries, clock, schemas, damage, Math.Clamp(threads, 1, 64));

    /// <summary>Takes the next buffer in order; its cursor is before the first event.</summary>
    internal EtlBufferCursor Take()
    {
        EtlBufferEntry entry = _entries[_taken++];
        if (_threads == 1)
        {
            return Load(entry);
        }

        while (_next < _entries.Length && _ahead.Count < _threads * AheadPerThread && (_ahead.Count == 0 || _aheadBytes < MaxAheadBytes))
        {
            EtlBufferEntry ahead = _entries[_next++];
            _aheadBytes += ahead.Valid;
            _ahead.Enqueue(ahead.IsCompressed ? Task.Run(() => Load(ahead)) : Later(ahead));
        }

        _aheadBytes -= entry.Valid;
        Task<EtlBufferCursor> task = _ahead.Dequeue();
        if (task.Status == TaskStatus.Created)
        {
            task.RunSynchronously(TaskScheduler.Default);
        }

        return task.GetAwaiter().GetResult();
    }

    public void Dispose()
    {
        foreach (Task<EtlBufferCursor>? task in _ahead.Where(t => t.Status != TaskStatus.Created))
        {
            // Nobody uses this buffer any more, so its failure is ignored.
            ((IAsyncResult)task).AsyncWaitHandle.WaitOne();
            if (task.IsCompletedSuccessfully)
            {
                task.Result.Release();
            }
        }

        _ahead.Clear();
    }

    /// <summary>Copying an uncompressed buffer costs less than handing it to another thread: the thread that takes it copies it.</summary>
    private Task<EtlBufferCursor> Later(EtlBufferEntry entry) => new(() => Load(entry));

    private EtlBufferCursor Load(EtlBufferEntry entry)
    {
        int stored = Math.Max(0, entry.Size - EtlBufferHeader.Length);
        int length = Math.Max(0, entry.Valid - EtlBufferHeader.Length);
        byte[] data = ArrayPool<byte>.Shared.Rent(length);
        if (!entry.IsCompressed)
        {
            return new EtlBufferCursor(entry, data, _source.Read(entry.Offset + EtlBufferHeader.Length, data.AsSpan(0, length)), _clock, _schemas, _damage);
        }

        byte[] packed = ArrayPool<byte>.Shared.Rent(stored);
        try
        {
            int read = _source.Read(entry.Offset + EtlBufferHeader.Length, packed.AsSpan(0, stored));
            int good = XpressDecompressor.Decompress(packed.AsSpan(0, read), data.AsSpan(0, length));
            if (good < length)
            {
                _damage.Add(EtlDamageKind.CompressedData, entry.Offset, "the compressed data ends # bytes too early", length - good);
            }

            return new EtlBufferCursor(entry, data, good, _clock, _schemas, _damage);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(packed);
        }
    }
}
