using System.Runtime.InteropServices;

namespace LatencyTuner.Lab;

/// <summary>The system calls of the lab (Linux, 64 bit).</summary>
internal static unsafe partial class Libc
{
    public const int ReadOnly = 0;
    public const int ReadWrite = 2;
    public const int NonBlocking = 0x800;
    public const int CloseOnExec = 0x80000;
    public const int CloneNewNet = 0x40000000;
    public const int Interrupted = 4;
    public const int Again = 11;
    public const int SigTerm = 15;
    public const int SigKill = 9;
    public const short PollIn = 1;

    [StructLayout(LayoutKind.Sequential)]
    public struct PollFd
    {
        public int Fd;
        public short Events;
        public short Returned;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int fd);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int fd, byte* buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int fd, byte* buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    public static partial int IoControl(int fd, nuint request, byte* argument);

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    public static partial int SetNamespace(int fd, int kind);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    public static partial int EventFd(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "ppoll", SetLastError = true)]
    public static partial int Poll(PollFd* fds, nuint count, TimeSpec* timeout, void* signals);

    [LibraryImport("libc", EntryPoint = "prctl", SetLastError = true)]
    public static partial int ProcessControl(int option, nuint argument);

    [LibraryImport("libc", EntryPoint = "sched_setscheduler", SetLastError = true)]
    public static partial int SetScheduler(int thread, int policy, int* priority);

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    [SuppressGCTransition]
    public static partial int GetTime(int clock, TimeSpec* time);

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int pid, int signal);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    public static partial uint EffectiveUser();

    public static long MonotonicNs() => ClockNs(1);

    public static long RealtimeNs() => ClockNs(0);

    public static string LastError() => Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError());

    private static long ClockNs(int clock)
    {
        TimeSpec time;
        _ = GetTime(clock, &time);
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }
}
