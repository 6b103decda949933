using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using LatencyTuner.Core.Etw.Sessions;

namespace LatencyTuner.Windows;

/// <summary>
/// Calls that replace those of TraceEvent, which have effects beyond one session. Its Stop sets the profiling interval of the machine and cleans
/// registry keys of event sources, which may belong to another tool; its CaptureState enables the provider again without the filter by event id.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class TraceControl
{
    private const uint TimeoutMs = 10_000;
    private const byte Verbose = 5;

    /// <summary>The events and buffers that a session lost so far.</summary>
    /// <returns>0, or the error code.</returns>
    public static int Query(string session, out SessionLosses losses) => Control(session, WindowsTraceNative.Query, out losses, out _);

    /// <summary>Stops a session, after its buffers are delivered and written, and returns all its losses.</summary>
    /// <returns>0, or the error code.</returns>
    public static int Stop(string session, out SessionLosses losses) => Control(session, WindowsTraceNative.Stop, out losses, out _);

    /// <summary>Asks a provider to write its state into a session that has enabled it.</summary>
    /// <returns>0, or the error code.</returns>
    public static int CaptureState(string session, Guid provider, ulong keywords) =>
        Control(session, WindowsTraceNative.Query, out _, out ulong handle) is not 0 and var error ? error
            : WindowsTraceNative.EnableTraceEx2(handle, in provider, WindowsTraceNative.CaptureState, Verbose, keywords, 0, TimeoutMs, 0);

    private static int Control(string session, uint control, out SessionLosses losses, out ulong handle)
    {
        int fixedBytes = Marshal.SizeOf<WindowsTraceNative.Properties>();
        int size = fixedBytes + (2 * WindowsTraceNative.NameBytes);
        nint memory = Marshal.AllocHGlobal(size);
        try
        {
            // Only Windows writes the bytes after the structure.
            Marshal.StructureToPtr(
                new WindowsTraceNative.Properties
                {
                    Size = (uint)size,
                    LoggerNameOffset = (uint)fixedBytes,
                    LogFileNameOffset = (uint)(fixedBytes + WindowsTraceNative.NameBytes),
                }, memory, fDeleteOld: false);
            int error = WindowsTraceNative.ControlTrace(0, session, memory, control);
            WindowsTraceNative.Properties read = Marshal.PtrToStructure<WindowsTraceNative.Properties>(memory);
            bool done = error is 0 or SessionFailure.MoreData;
            losses = done ? new SessionLosses(read.EventsLost, (long)read.LogBuffersLost + read.RealTimeBuffersLost, read.BuffersWritten) : default;
            handle = read.HistoricalContext;
            return done ? 0 : error;
        }
        finally
        {
            Marshal.FreeHGlobal(memory);
        }
    }
}
