using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using LatencyTuner.Core.Etw.Sessions;

namespace LatencyTuner.Windows;

/// <summary>
/// Asks about and stops sessions by name. TraceEvent's own Stop would do more than that: it sets the profiling interval of the machine and
/// cleans registry keys of event sources, which may be another tool's.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class TraceControl
{
    /// <summary>What a session lost so far.</summary>
    /// <returns>0, or the error code.</returns>
    public static int Query(string session, out SessionLosses losses) => Control(session, WindowsTraceNative.Query, out losses);

    /// <summary>Stops a session, whose buffers are delivered and written first, and tells what it lost in all.</summary>
    /// <returns>0, or the error code.</returns>
    public static int Stop(string session, out SessionLosses losses) => Control(session, WindowsTraceNative.Stop, out losses);

    private static int Control(string session, uint control, out SessionLosses losses)
    {
        int fixedBytes = Marshal.SizeOf<WindowsTraceNative.Properties>();
        int size = fixedBytes + (2 * WindowsTraceNative.NameBytes);
        nint memory = Marshal.AllocHGlobal(size);
        try
        {
            // What is behind the structure is written by Windows only.
            Marshal.StructureToPtr(
                new WindowsTraceNative.Properties { Size = (uint)size, LoggerNameOffset = (uint)fixedBytes, LogFileNameOffset = (uint)(fixedBytes + WindowsTraceNative.NameBytes) }, memory, fDeleteOld: false);
            int error = WindowsTraceNative.ControlTrace(0, session, memory, control);
            WindowsTraceNative.Properties read = Marshal.PtrToStructure<WindowsTraceNative.Properties>(memory);
            bool done = error is 0 or SessionFailure.MoreData;
            losses = done ? new SessionLosses(read.EventsLost, (long)read.LogBuffersLost + read.RealTimeBuffersLost, read.BuffersWritten) : default;
            return done ? 0 : error;
        }
        finally
        {
            Marshal.FreeHGlobal(memory);
        }
    }
}
