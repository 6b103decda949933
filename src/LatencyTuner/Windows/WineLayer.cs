using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>
/// Whether this is Wine instead of Windows; Wine gives every file the same owner and keeps no access lists. Wine's ntdll exports a function that the
/// ntdll of Windows never exports; Windows maps its own ntdll into every process, so that nobody can fake it.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class WineLayer
{
    public static bool IsPresent { get; } = NativeLibrary.TryLoad("ntdll", out nint library) && NativeLibrary.TryGetExport(library, "wine_get_version", out _);
}
