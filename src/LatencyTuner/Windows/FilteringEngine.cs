using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Windows;

/// <summary>The callouts of the Windows Filtering Platform: drivers that inspect packets or connections in the network path.</summary>
[SupportedOSPlatform("windows")]
internal static class FilteringEngine
{
    private const string Otherwise = "'netsh wfp show state', run elevated, writes them to a file";

    /// <summary>The most callouts that are read; a typical Windows has some dozens.</summary>
    private const uint Most = 10_000;

    public static IReadOnlyList<HostComponent> Callouts(Action<string> note)
    {
        // Wine ends the process at a call that it does not implement; the offsets below are those of a 64-bit process.
        if (WineLayer.IsPresent || nint.Size != 8)
        {
            note($"WFP callouts are not listed here; {Otherwise}.");
            return [];
        }

        try
        {
            return PathComponents.Callouts(Names(), note);
        }
        catch (Exception e) when (e is Win32Exception or DllNotFoundException or EntryPointNotFoundException)
        {
            note(e is Win32Exception { NativeErrorCode: (int)WindowsFilteringNative.AccessDenied }
                ? "WFP callouts are not listed: that needs an elevated process."
                : $"WFP callouts are not listed: {e.Message.TrimEnd('.')}; {Otherwise}.");
            return [];
        }
    }

    private static List<string?> Names()
    {
        Check(WindowsFilteringNative.Open(null, WindowsFilteringNative.AuthenticateByDefault, 0, 0, out nint engine));
        nint enumeration = 0;
        nint entries = 0;
        try
        {
            Check(WindowsFilteringNative.BeginCallouts(engine, 0, out enumeration));
            Check(WindowsFilteringNative.NextCallouts(engine, enumeration, Most, out entries, out uint count));
            List<string?> names = [];
            for (int i = 0; i < (int)Math.Min(count, Most); i++)
            {
                nint callout = Marshal.ReadIntPtr(entries, i * nint.Size);
                names.Add(Marshal.PtrToStringUni(Marshal.ReadIntPtr(callout, WindowsFilteringNative.NameOffset)));
            }

            return names;
        }
        finally
        {
            if (entries != 0)
            {
                WindowsFilteringNative.Free(ref entries);
            }

            if (enumeration != 0)
            {
                _ = WindowsFilteringNative.EndCallouts(engine, enumeration);
            }

            _ = WindowsFilteringNative.Close(engine);
        }
    }

    private static void Check(uint result)
    {
        if (result != 0)
        {
            throw new Win32Exception(unchecked((int)result));
        }
    }
}
