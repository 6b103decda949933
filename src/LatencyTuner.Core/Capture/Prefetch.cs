using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace LatencyTuner.Core.Capture;

/// <summary>
/// Has the processor fetch what is about to be looked at. Packets of thousands of connections alternate, so that hardly anything about the next one is
/// near the processor, and waiting for it would take longer than judging it. A hint only: an address that is no longer right does no harm.
/// </summary>
internal static unsafe class Prefetch
{
    private const int Line = 64;

    /// <summary>Fetches a value that is part of an object.</summary>
    public static void Of<T>(ref T value)
        where T : struct
    {
        if (Sse.IsSupported)
        {
            byte* at = (byte*)Unsafe.AsPointer(ref value);
            for (int offset = 0; offset < Unsafe.SizeOf<T>() + Line; offset += Line)
            {
                Sse.Prefetch0(at + offset);
            }
        }
    }

    /// <summary>Fetches an item of an array and the array's length, without looking at the array.</summary>
    public static void Of<T>(ref T[]? array, int index)
        where T : struct
    {
        if (Sse.IsSupported && array is not null)
        {
            byte* at = *(byte**)Unsafe.AsPointer(ref array);
            Sse.Prefetch0(at);
            Sse.Prefetch0(at + (2 * sizeof(nint)) + (index * Unsafe.SizeOf<T>()));
        }
    }
}
