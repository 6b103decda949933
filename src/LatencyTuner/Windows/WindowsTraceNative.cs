using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>ControlTrace and EnableTraceEx2 with the structures of evntrace.h and wmistr.h, laid out for processes of either width.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsTraceNative
{
    internal const uint Query = 0;
    internal const uint Stop = 1;

    internal const uint CaptureState = 2;

    /// <summary>Room for each of the two names after the structure, in bytes; 1024 characters as documented.</summary>
    internal const int NameBytes = 2048;

    [DllImport("advapi32", EntryPoint = "ControlTraceW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern int ControlTrace(ulong session, string name, nint properties, uint control);

    [DllImport("advapi32", ExactSpelling = true)]
    internal static extern int EnableTraceEx2(
        ulong session, in Guid provider, uint control, byte level, ulong anyKeyword, ulong allKeywords, uint timeoutMs, nint parameters);

    /// <summary>EVENT_TRACE_PROPERTIES with its WNODE_HEADER.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct Properties
    {
        public uint Size;
        public uint ProviderId;
        public ulong HistoricalContext;
        public long TimeStamp;
        public Guid Session;
        public uint ClockType;
        public uint Flags;
        public uint BufferSize;
        public uint MinimumBuffers;
        public uint MaximumBuffers;
        public uint MaximumFileSize;
        public uint LogFileMode;
        public uint FlushTimer;
        public uint EnableFlags;
        public int AgeLimit;
        public uint NumberOfBuffers;
        public uint FreeBuffers;
        public uint EventsLost;
        public uint BuffersWritten;
        public uint LogBuffersLost;
        public uint RealTimeBuffersLost;
        public nint LoggerThread;
        public uint LogFileNameOffset;
        public uint LoggerNameOffset;
    }
}
