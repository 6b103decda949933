using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>Calls of fwpuclnt that list the callouts of the Base Filtering Engine, with the constants of rpcdce.h and fwpmtypes.h. They only read.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsFilteringNative
{
    internal const uint AuthenticateByDefault = 0xFFFF_FFFF;
    internal const uint AccessDenied = 5;

    /// <summary>Offset of <c>displayData.name</c> in a 64-bit FWPM_CALLOUT0, after its key, in bytes.</summary>
    internal const int NameOffset = 16;

    [DllImport("fwpuclnt", EntryPoint = "FwpmEngineOpen0", CharSet = CharSet.Unicode, ExactSpelling = true)]
    internal static extern uint Open(string? server, uint authentication, nint identity, nint session, out nint engine);

    [DllImport("fwpuclnt", EntryPoint = "FwpmEngineClose0", ExactSpelling = true)]
    internal static extern uint Close(nint engine);

    [DllImport("fwpuclnt", EntryPoint = "FwpmCalloutCreateEnumHandle0", ExactSpelling = true)]
    internal static extern uint BeginCallouts(nint engine, nint template, out nint enumeration);

    [DllImport("fwpuclnt", EntryPoint = "FwpmCalloutEnum0", ExactSpelling = true)]
    internal static extern uint NextCallouts(nint engine, nint enumeration, uint most, out nint entries, out uint count);

    [DllImport("fwpuclnt", EntryPoint = "FwpmCalloutDestroyEnumHandle0", ExactSpelling = true)]
    internal static extern uint EndCallouts(nint engine, nint enumeration);

    [DllImport("fwpuclnt", EntryPoint = "FwpmFreeMemory0", ExactSpelling = true)]
    internal static extern void Free(ref nint memory);
}
