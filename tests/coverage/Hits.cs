using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;

namespace LatencyTuner.Coverage;

/// <summary>
/// Notes what ran, one byte for each point, in a file that all processes share: a killed process loses nothing. Copied into the instrumented assemblies, so it
/// uses nothing that the compiler would put elsewhere (lambdas, interpolated strings).
/// </summary>
internal static unsafe class Hits
{
    /// <summary>The environment variable with the path of the file, as Linux sees it; Wine's programs see it on drive Z.</summary>
    internal const string Variable = "LATENCYTUNER_HITS";

    /// <summary>Size of the file, bytes.</summary>
    internal const int Size = 65536;

    private static readonly byte* Map = Open();

    internal static void Mark(int point) => Map[point] = 1;

    private static byte* Open()
    {
        string? path = Environment.GetEnvironmentVariable(Variable);
        if (string.IsNullOrEmpty(path))
        {
            return (byte*)NativeMemory.AllocZeroed(Size);
        }

        path = OperatingSystem.IsWindows() ? string.Concat("Z:", path) : path;
        FileStream file = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        MemoryMappedFile map = MemoryMappedFile.CreateFromFile(file, null, 0, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, false);
        // Never given back: the pages are written until the process ends.
        byte* pointer = null;
        map.CreateViewAccessor().SafeMemoryMappedViewHandle.AcquirePointer(ref pointer);
        return pointer;
    }
}
