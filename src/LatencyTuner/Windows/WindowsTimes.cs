using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>Which start of Windows this is, and since when its interfaces have been up or down.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsTimes
{
    /// <summary>
    /// KUSER_SHARED_DATA.BootId (ntddk.h, from Windows 10 on), in the page that Windows maps into every process at this address: the loader counts its starts
    /// there.
    /// </summary>
    private const nint BootIdAddress = 0x7FFE_0000 + 0x2C4;

    /// <summary>Size of a MIB_IFROW (ifmib.h), and the offsets of dwIndex and dwLastChange in it, bytes.</summary>
    private const int RowBytes = 860;
    private const int IndexOffset = 512;
    private const int LastChangeOffset = 548;

    /// <summary>The number of this start; null where the system does not count, as Wine and Windows before 10.</summary>
    public static uint? BootId() => OperatingSystem.IsWindowsVersionAtLeast(10) && (uint)Marshal.ReadInt32(BootIdAddress) is > 0 and var id ? id : null;

    /// <summary>How long after the start of Windows an interface last went up or down (MIB_IFROW.dwLastChange).</summary>
    /// <param name="index">The index of the interface.</param>
    /// <returns>Null when Windows does not say.</returns>
    public static TimeSpan? LastChange(int index)
    {
        byte[] row = new byte[RowBytes];
        BinaryPrimitives.WriteInt32LittleEndian(row.AsSpan(IndexOffset), index);
        // Hundredths of seconds; 0 where they were not counted.
        return GetInterface(row) == 0 && BinaryPrimitives.ReadUInt32LittleEndian(row.AsSpan(LastChangeOffset)) is > 0 and var hundredths
            ? TimeSpan.FromMilliseconds(hundredths * 10L) : null;
    }

    [DllImport("iphlpapi", EntryPoint = "GetIfEntry", ExactSpelling = true)]
    private static extern uint GetInterface([In, Out] byte[] row);
}
