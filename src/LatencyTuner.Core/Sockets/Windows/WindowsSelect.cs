using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>
/// Waiting with <c>select</c> (winsock2.h), whose third set reports connects that failed. A set is the number of its sockets and then the sockets;
/// FD_SETSIZE is only the size that C programs reserve for it.
/// </summary>
[SupportedOSPlatform("windows")]
internal static unsafe class WindowsSelect
{
    /// <summary>As <see cref="ISocketPlatform.Wait"/>, for at least one socket.</summary>
    internal static int Wait(ReadOnlySpan<PollEntry> entries, Span<bool> ready, long timeoutNs)
    {
        nint[] sets = System.Buffers.ArrayPool<nint>.Shared.Rent(3 * (entries.Length + 1));
        fixed (nint* all = sets)
        {
            nint* read = all;
            nint* write = all + entries.Length + 1;
            nint* failed = write + entries.Length + 1;
            (*read, *write, *failed) = (0, 0, 0);
            foreach (PollEntry entry in entries)
            {
                if (entry.Read)
                {
                    Add(read, entry.Handle);
                }

                if (entry.Write)
                {
                    Add(write, entry.Handle);
                    Add(failed, entry.Handle);
                }
            }

            // timeval: seconds and microseconds, both of 32 bits.
            long microseconds = Math.Min(timeoutNs / 1000, int.MaxValue * 1_000_000L);
            int* time = stackalloc int[] { (int)(microseconds / 1_000_000), (int)(microseconds % 1_000_000) };
            int result = WindowsNative.Select(0, read, write, failed, time);
            int count = 0;
            for (int i = 0; i < entries.Length; i++)
            {
                nint handle = entries[i].Handle;
                ready[i] = result > 0 && (Contains(read, handle) || Contains(write, handle) || Contains(failed, handle));
                count += ready[i] ? 1 : 0;
            }

            System.Buffers.ArrayPool<nint>.Shared.Return(sets);
            return count;
        }
    }

    // The number is an unsigned int; the sockets are aligned behind it.
    private static void Add(nint* set, nint socket) => set[++*(uint*)set] = socket;

    private static bool Contains(nint* set, nint socket) => new ReadOnlySpan<nint>(set + 1, (int)*(uint*)set).Contains(socket);
}
