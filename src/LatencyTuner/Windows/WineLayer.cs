using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>
/// Whether what looks like Windows is Wine, which gives every file the same owner and keeps no access lists. Told by a function that Wine's
/// ntdll exports and that of Windows never does; Windows maps its own ntdll into every process, so nobody can pretend.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class WineLayer
{
    public static bool IsPresent { get; } = NativeLibrary.TryLoad("ntdll", out nint library) && NativeLibrary.TryGetExport(library, "wine_get_version", out _);
}
