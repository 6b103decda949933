using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using LatencyTuner.Core;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Etw.Sessions;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Session;

namespace LatencyTuner.Windows;

/// <summary>
/// One session of Event Tracing for Windows: it delivers its events as they arrive, or writes them to a file that wraps around. TraceEvent cannot
/// do both in one session. Two sessions double the cost of the events, but the file has every event even when the analysis does not keep up.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class LiveEtwSession : IDisposable
{
    private const int EnableTimeoutMs = 10_000;
    private const int HResultOfWin32 = unchecked((int)0x8007_0000);

    private readonly TraceEventSession _session;
    private readonly string _name;
    private readonly string? _file;
    private byte[] _payload = new byte[4096];
    private ETWTraceEventSource? _source;
    private bool _begun;
    private int _stopped;

    public LiveEtwSession(SessionName name, string? file = null, int fileMB = 0)
    {
        SessionBuffers buffers = SessionBuffers.For(Environment.ProcessorCount, file is null ? null : fileMB);
        _name = name.ToString();
        _file = file;
        // Without NoRestartOnCreate, TraceEvent would stop a session of the same name, even that of another program.
        _session = file is null
            ? new TraceEventSession(_name, TraceEventSessionOptions.NoRestartOnCreate)
            : new TraceEventSession(_name, file, TraceEventSessionOptions.NoRestartOnCreate) { CircularBufferMB = fileMB };
        _session.StopOnDispose = false;
        _session.BufferQuantumKB = buffers.KiB;
        _session.BufferSizeMB = Math.Max(1, buffers.TotalKiB / 1024);
        _session.EnableProviderTimeoutMSec = EnableTimeoutMs;
    }

    public string Name => _name;

    /// <summary>The moment that the times of the events are relative to.</summary>
    public DateTimeOffset StartUtc => new(_source!.SessionStartTime.ToUniversalTime());

    /// <summary>Begins to deliver events; no provider is enabled yet, so that no event is lost before they are read.</summary>
    public void Open()
    {
        try
        {
            _source = _session.Source;
            _begun = true;
        }
        catch (Exception e) when (Win32Of(e) is { } error)
        {
            throw SessionFailure.Starting(error, _name, _file);
        }
    }

    /// <summary>Enables a provider; the first one starts a session that writes a file.</summary>
    public void Enable(EtwProfileProvider provider)
    {
        bool begins = !_begun;
        try
        {
            _session.EnableProvider(
                provider.Provider, (TraceEventLevel)provider.Level, provider.Keywords,
                new TraceEventProviderOptions { EventIDsToEnable = provider.EventIds.Count == 0 ? null : [.. provider.EventIds] });
            _begun = true;
        }
        catch (Exception e) when (Win32Of(e) is { } error)
        {
            // If the session started and only the provider was refused, the session exists.
            bool there = !begins || (error != SessionFailure.AlreadyExists && TraceControl.Query(_name, out _) == 0);
            _begun |= there;
            throw there ? SessionFailure.Enabling(error, provider.Name) : SessionFailure.Starting(error, _name, _file);
        }
    }

    /// <summary>Asks a provider to report the connections and processes from before the session.</summary>
    /// <returns>0, or the error code.</returns>
    public int CaptureState(EtwProfileProvider provider) => TraceControl.CaptureState(_name, provider.Provider, provider.CaptureKeywords);

    /// <summary>Delivers events on this thread until somebody stops the session.</summary>
    public void Process(EtwEventCallback callback)
    {
        _source!.AllEvents += e => Deliver(e, callback);
        _source.Process();
    }

    /// <summary>The events and buffers that the session lost so far.</summary>
    /// <returns>False when the session no longer exists.</returns>
    public bool TryQuery(out SessionLosses losses) => TraceControl.Query(_name, out losses) != SessionFailure.NotFound;

    /// <summary>Stops the session and returns all its losses; a session that somebody else stopped is no failure.</summary>
    public SessionLosses Stop()
    {
        if (!_begun || Interlocked.Exchange(ref _stopped, 1) != 0)
        {
            return default;
        }

        int error = TraceControl.Stop(_name, out SessionLosses losses);
        return error is 0 or SessionFailure.NotFound ? losses
            : throw new ExpectedFailureException(
                ExitCode.Platform, $"The trace session {_name} could not be stopped (error {error}). 'logman stop {_name} -ets' stops it.");
    }

    public void Dispose() => _session.Dispose();

    private void Deliver(TraceEvent e, EtwEventCallback callback)
    {
        int length = e.EventDataLength;
        if (length > _payload.Length)
        {
            // UserDataLength of EVENT_RECORD has 16 bits.
            _payload = new byte[ushort.MaxValue];
        }

        if (length > 0)
        {
            e.EventData(_payload, 0, 0, length);
        }

        EtwEventHeader header = new()
        {
            Provider = e.IsClassicProvider ? e.TaskGuid : e.ProviderGuid,
            TimeNs = (long)(e.TimeStampRelativeMSec * 1e6),
            Keyword = (ulong)e.Keywords,
            ProcessId = e.ProcessID,
            ThreadId = e.ThreadID,
            Processor = e.ProcessorNumber,
            Id = e.IsClassicProvider ? (ushort)0 : (ushort)e.ID,
            Task = (ushort)e.Task,
            Version = (byte)e.Version,
            Opcode = (byte)e.Opcode,
            Level = (byte)e.Level,
            PointerSize = (byte)e.PointerSize,
            Kind = e.IsClassicProvider ? EtwEventKind.Classic : EtwEventKind.Manifest,
        };
        callback(in header, _payload.AsSpan(0, length));
    }

    /// <summary>The Win32 error code behind an exception of TraceEvent; null when the exception has another reason.</summary>
    internal static int? Win32Of(Exception e) =>
        e is UnauthorizedAccessException or ExternalException or IOException or ArgumentException or OutOfMemoryException or TimeoutException
            or InvalidOperationException
            && (e.HResult & unchecked((int)0xFFFF_0000)) == HResultOfWin32
                ? e.HResult & 0xFFFF
                : e is UnauthorizedAccessException ? SessionFailure.AccessDenied : null;
}
