namespace LatencyTuner.Core.Etw;

/// <summary>
/// Reads a trace file of Event Tracing for Windows on any operating system: all events in time order. Only buffers that overlap in time are in
/// memory. Damaged places are counted and located, and reading continues after them.
/// </summary>
/// <remarks>Not thread-safe. The events can be read several times.</remarks>
public sealed class EtlReader : IDisposable
{
    private const string MergedLogger = "Relogger";
    private const long ProgressStep = 8L << 20;

    /// <summary>Number of buffers at the end that are searched for event descriptions.</summary>
    private const int TailBuffers = 32;

    private readonly EtlSource _source;
    private readonly EtlReaderOptions _options;
    private readonly EtlDamageLog _indexDamage = new();
    private readonly EtlBufferIndex _index;
    private readonly EtlInlineSchemas _schemas = new();
    private EtlDamageLog _readDamage = new();
    private EtwLayouts? _layouts;
    private long _events;
    private long _decodedBytes;

    private EtlReader(EtlSource source, EtlReaderOptions options, CancellationToken cancellation)
    {
        (_source, _options) = (source, options);
        if (source.Fault is { } fault)
        {
            _indexDamage.Add(EtlDamageKind.Packing, source.Length, fault.Replace("#", "", StringComparison.Ordinal));
        }

        _index = EtlBufferIndex.Build(source, _indexDamage, cancellation);
        Clock = EtlClock.Of(null, 0);
        ReadLogHeader();
    }

    /// <summary>Name of the file.</summary>
    public string Path => _source.Path;

    /// <summary>The log file header; null when it is damaged or missing.</summary>
    public EtlLogHeader? LogHeader { get; private set; }

    /// <summary>The clock of the trace.</summary>
    public EtlClock Clock { get; private set; }

    /// <summary>Called with the number of bytes read so far, every few MiB while events are delivered; null for no calls.</summary>
    public Action<long>? Progress { get; set; }

    /// <summary>Counts of what was read and lost so far.</summary>
    public EtlCounts Counts
    {
        get
        {
            IEnumerable<(EtlDamageKind Kind, long Count)> kinds = Enum.GetValues<EtlDamageKind>()
                .Select(k => (Kind: k, Count: _indexDamage.Of(k) + _readDamage.Of(k))).Where(k => k.Count > 0);
            return new EtlCounts
            {
                FileBytes = _source.Length,
                Buffers = _index.Entries.Length,
                CompressedBuffers = _index.Compressed,
                SkippedBytes = _index.SkippedBytes,
                Events = _events,
                DecodedBytes = _decodedBytes,
                EventsLost = LogHeader?.EventsLost ?? 0,
                BuffersLost = LogHeader?.BuffersLost ?? 0,
                BuffersAfterLoss = _index.AfterLoss,
                IsUnfinished = LogHeader is { } header && (header.EndTime == 0 || header.BuffersWritten > _index.Entries.Length),
                Damages = kinds.ToDictionary(k => k.Kind, k => k.Count),
                Located = [.. _indexDamage.Located(), .. _readDamage.Located()],
            };
        }
    }

    /// <summary>Names of provider and event from an inline (TraceLogging) description; empty where it has none.</summary>
    /// <param name="number"><see cref="EtwEventHeader.InlineSchema"/> of an event of this trace.</param>
    public (string Provider, string Event) InlineNames(int number) => _schemas[number];

    /// <summary>Opens a trace: an .etl file, one packed with gzip, or a .zip with exactly one .etl among its members.</summary>
    /// <param name="path">The file.</param>
    /// <param name="options">Limits for reading.</param>
    /// <param name="cancellation">Cancels the indexing of a large file.</param>
    /// <exception cref="ExpectedFailureException">The file cannot be read or contains no trace (<see cref="ExitCode.Input"/>).</exception>
    public static EtlReader Open(string path, EtlReaderOptions? options = null, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(path);
        EtlReaderOptions chosen = options ?? new EtlReaderOptions();
        return Open(EtlInput.Open(path, chosen), chosen, cancellation);
    }

    /// <summary>Opens a trace that is in memory, packed or not.</summary>
    /// <param name="bytes">The whole file.</param>
    /// <param name="path">Its name for error messages.</param>
    /// <param name="options">Limits for reading.</param>
    /// <exception cref="ExpectedFailureException">The bytes contain no trace (<see cref="ExitCode.Input"/>).</exception>
    public static EtlReader Open(ReadOnlyMemory<byte> bytes, string path, EtlReaderOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(path);
        EtlReaderOptions chosen = options ?? new EtlReaderOptions();
        return Open(EtlInput.Open(bytes, path, chosen), chosen, CancellationToken.None);
    }

    /// <summary>Delivers every event in time order.</summary>
    /// <param name="handler">Receives the events one after the other, on this thread.</param>
    /// <param name="cancellation">Cancels the reading between two buffers.</param>
    /// <exception cref="ExpectedFailureException">The file could not be read (<see cref="ExitCode.Input"/>).</exception>
    /// <exception cref="OperationCanceledException">The reading was cancelled.</exception>
    public void Read(EtwEventCallback handler, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        (_readDamage, _events, _decodedBytes) = (new EtlDamageLog(), 0, 0);
        Read(_index.Entries, handler, cancellation);
    }

    /// <summary>
    /// The event layouts for this trace. Merged traces (wpr, netsh trace, pktmon, PerfView) contain event descriptions, which are collected in one
    /// pass before the events are read. The session name of a merged trace, or a description at the end of the trace, shows that there are some.
    /// </summary>
    /// <param name="cancellation">Cancels the pass.</param>
    public EtwLayouts ReadLayouts(CancellationToken cancellation = default)
    {
        if (_layouts is null)
        {
            EtlBufferEntry[] tail = [.. _index.Entries.OrderByDescending(e => e.Order).Take(TailBuffers).Union(_index.Entries.TakeLast(TailBuffers))];
            _layouts = LogHeader is not { LoggerName: not MergedLogger } || Scan(tail, cancellation).FromTrace.Count > 0 ? Scan(_index.Entries, cancellation)
                : new EtwLayouts();
        }

        return _layouts;
    }

    /// <inheritdoc/>
    public void Dispose() => _source.Dispose();

    private static EtlReader Open(EtlSource source, EtlReaderOptions options, CancellationToken cancellation)
    {
        try
        {
            EtlReader reader = new(source, options, cancellation);
            if (reader._index.Entries.Length == 0)
            {
                string refused = reader._indexDamage.Located() is [.., { Kind: EtlDamageKind.Compression } first] ? first.Detail
                    : "the file is not an event trace: it contains no usable buffer header";
                throw new ExpectedFailureException(ExitCode.Input, $"{source.Path}: {refused}.");
            }

            return reader;
        }
        catch
        {
            source.Dispose();
            throw;
        }
    }

    private EtwLayouts Scan(EtlBufferEntry[] entries, CancellationToken cancellation)
    {
        using EtlBufferLoader loader = new(_source, entries, Clock, _schemas, new EtlDamageLog(), _options.Threads);
        return EtlLayoutScan.Read(loader, entries.Length, cancellation);
    }

    private void ReadLogHeader()
    {
        if (_index.FirstOfFile is not { } first)
        {
            return;
        }

        // Without a log file header, time 0 is the earliest event.
        long origin = _index.Entries[0].FirstTimestamp;
        using EtlBufferLoader loader = new(_source, [first], Clock, _schemas, new EtlDamageLog(), threads: 1);
        EtlBufferCursor cursor = loader.Take();
        if (cursor.MoveNext() && cursor.Header is { Kind: EtwEventKind.System, Task: 0, Opcode: 0 } e
            && EtlLogHeader.Parse(cursor.Payload, e.PointerSize) is { } header)
        {
            (LogHeader, origin) = (header, e.Timestamp);
        }

        Clock = EtlClock.Of(LogHeader, origin);

        cursor.Release();
        if (LogHeader is null || !Clock.IsKnown)
        {
            _indexDamage.Add(EtlDamageKind.LogHeader, first.Offset, "there is no usable log file header; a clock frequency of 10 MHz is assumed");
        }
    }

    private void Read(EtlBufferEntry[] entries, EtwEventCallback handler, CancellationToken cancellation)
    {
        using EtlBufferLoader loader = new(_source, entries, Clock, _schemas, _readDamage, _options.Threads);
        EtlMergeHeap heap = new();
        int opened = 0;
        long held = 0, done = 0, told = 0;
        long last = long.MinValue;
        try
        {
            while (true)
            {
                while (opened < entries.Length
                    && (heap.Count == 0 || (entries[opened].FirstTimestamp <= heap.Top.Header.Timestamp && HasRoom(held, entries[opened]))))
                {
                    cancellation.ThrowIfCancellationRequested();
                    done += entries[opened++].Size;
                    if (done - told >= ProgressStep)
                    {
                        Progress?.Invoke(told = done);
                    }

                    Open(loader.Take(), heap, ref held);
                }

                if (heap.Count == 0)
                {
                    return;
                }

                EtlBufferCursor top = heap.Top;
                long limit = Math.Min(heap.Second, opened < entries.Length && HasRoom(held, entries[opened]) ? entries[opened].FirstTimestamp : long.MaxValue);
                bool more;
                do
                {
                    if (top.Header.Timestamp < last)
                    {
                        _readDamage.Add(EtlDamageKind.Order, top.Offset, "an event is # clock units older than the previous one", last - top.Header.Timestamp);
                    }

                    last = top.Header.Timestamp;
                    _events++;
                    handler(in top.Header, top.Payload);
                    more = top.MoveNext();
                }
                while (more && top.Header.Timestamp < limit);

                if (more)
                {
                    heap.Sink();
                }
                else
                {
                    heap.Pop();
                    held -= top.Length;
                    top.Release();
                }
            }
        }
        finally
        {
            while (heap.Count > 0)
            {
                EtlBufferCursor left = heap.Top;
                heap.Pop();
                left.Release();
            }
        }
    }

    private bool HasRoom(long held, EtlBufferEntry entry) => held + entry.Valid <= _options.MaxHeldBytes;

    private void Open(EtlBufferCursor cursor, EtlMergeHeap heap, ref long held)
    {
        _decodedBytes += cursor.Length;
        if (!cursor.MoveNext())
        {
            cursor.Release();
            return;
        }

        heap.Push(cursor);
        held += cursor.Length;
    }
}
