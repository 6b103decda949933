using System.Buffers.Text;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>
/// The second number of <c>/proc/thread-self/schedstat</c> (Documentation/scheduler/sched-stats.rst): nanoseconds that the thread was ready
/// to run and waited for a processor.
/// </summary>
internal static class LinuxRunDelay
{
    [ThreadStatic]
    private static SafeFileHandle? _file;

    private static volatile bool _missing;

    [SupportedOSPlatform("linux")]
    internal static long? ReadNs()
    {
        if (_missing)
        {
            return null;
        }

        try
        {
            // The path means the thread that opens it, so each thread has its own handle.
            _file ??= File.OpenHandle("/proc/thread-self/schedstat", FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            Span<byte> text = stackalloc byte[96];
            return Decode(text[..RandomAccess.Read(_file, text, 0)]);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            // A kernel without CONFIG_SCHED_INFO.
            _missing = true;
            return null;
        }
    }

    internal static long? Decode(ReadOnlySpan<byte> text) =>
        Utf8Parser.TryParse(text, out long _, out int length) && length < text.Length && Utf8Parser.TryParse(text[(length + 1)..], out long waited, out _)
            && waited >= 0
            ? waited
            : null;
}
