using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace LatencyTuner.Core.Capture;

/// <summary>
/// Tells the processor to load data into its cache before it is used. Packets of thousands of connections alternate, so the data of the next packet
/// is rarely in the cache, and loading it takes longer than analysing the packet. It is only a hint: a stale address does no harm.
/// </summary>
internal static unsafe class Prefetch
{
    private const int Line = 64;

    /// <summary>Prefetches a value that is part of an object.</summary>
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

    /// <summary>Prefetches an item of an array and the array's length, without reading the array.</summary>
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
