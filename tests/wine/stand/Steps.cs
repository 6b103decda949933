using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Wine;

/// <summary>Counts the steps of registry and journal, and ends the process at one of them as a power cut would.</summary>
[SupportedOSPlatform("windows")]
internal sealed class Steps(int killAt)
{
    public int Count { get; private set; }

    /// <summary>True when the process is to die within the next step, half-way.</summary>
    public bool DiesNext => Count == killAt;

    public void Next()
    {
        if (Count == killAt)
        {
            Die();
        }

        Count++;
    }

    /// <summary>No finally, no flush, no handler runs.</summary>
    public static void Die()
    {
        TerminateProcess(-1, 137);
        throw new Win32Exception(Marshal.GetLastPInvokeError());
    }

    [DllImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool TerminateProcess(nint process, uint code);
}
