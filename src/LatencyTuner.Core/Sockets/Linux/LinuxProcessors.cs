using System.Buffers.Text;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>Processor times: the process by its clock, the machine by the first line of <c>/proc/stat</c> (proc(5)).</summary>
internal static unsafe class LinuxProcessors
{
    // USER_HZ, which the kernel has kept at 100 towards programs on every architecture .NET runs on.
    private const long NsPerTick = 10_000_000;

    [SupportedOSPlatform("linux")]
    internal static ProcessorTimes Read()
    {
        LinuxNative.TimeSpec used = default;
        long? process = LinuxNative.GetClock(LinuxNative.ProcessCpuClock, &used) == 0 ? (used.Seconds * 1_000_000_000) + used.Nanoseconds : null;
        try
        {
            using FileStream file = new("/proc/stat", FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
            Span<byte> text = stackalloc byte[512];
            (long Busy, long Total)? machine = Decode(text[..file.Read(text)]);
            return new ProcessorTimes(process, machine?.Busy, machine?.Total);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new ProcessorTimes(process, null, null);
        }
    }

    /// <summary>user, nice, system, idle, iowait, irq, softirq, steal; guest time is part of user time already.</summary>
    internal static (long BusyNs, long TotalNs)? Decode(ReadOnlySpan<byte> text)
    {
        if (!text.StartsWith("cpu "u8))
        {
            return null;
        }

        text = text["cpu "u8.Length..];
        long busy = 0;
        long total = 0;
        for (int field = 0; field < 8; field++)
        {
            text = text.TrimStart((byte)' ');
            if (!Utf8Parser.TryParse(text, out long ticks, out int length) || ticks < 0)
            {
                // Kernels before 2.6 have fewer fields.
                return field >= 4 ? (busy * NsPerTick, total * NsPerTick) : null;
            }

            text = text[length..];
            total += ticks;
            busy += field is 3 or 4 ? 0 : ticks;
        }

        return (busy * NsPerTick, total * NsPerTick);
    }
}
