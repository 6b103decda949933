using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>
/// Reads the sockets among the handles of one process, on a thread of its own with a time limit for each handle: a query of a file of another kind may
/// never return. One duplicate exists at a time, and it is closed before the next is made.
/// </summary>
/// <param name="process">A handle of the process that allows to duplicate its handles.</param>
/// <param name="handles">Its handles.</param>
/// <param name="limit">Longest time for one handle.</param>
[SupportedOSPlatform("windows")]
internal sealed unsafe class AfdReader(nint process, IReadOnlyList<nint> handles, TimeSpan limit)
{
    private readonly List<AfdReading> _readings = [];
    private int _done;
    private bool _isStuck;

    /// <summary>What was read; only once <see cref="Run"/> has returned true.</summary>
    internal IReadOnlyList<AfdReading> Readings => _readings;

    /// <summary>Reads all handles.</summary>
    /// <returns>False when a handle took longer than the limit: its thread is left behind, and the process must be left alone.</returns>
    internal bool Run()
    {
        Thread thread = new(ReadAll) { IsBackground = true };
        thread.Start();
        int before = -1;
        while (!thread.Join(limit))
        {
            int done = Volatile.Read(ref _done);
            if (done == before)
            {
                return false;
            }

            before = done;
        }

        return !_isStuck;
    }

    private void ReadAll()
    {
        foreach (nint handle in handles)
        {
            nint duplicate = 0;
            if (AfdNative.DuplicateHandle(process, handle, -1, &duplicate, 0, 0, AfdNative.DuplicateSameAccess) != 0)
            {
                AfdHandle asked = new(duplicate, (uint)limit.TotalMilliseconds / 2);
                if (asked.Read() is { } reading)
                {
                    _readings.Add(reading);
                }

                if (asked.IsStuck)
                {
                    _isStuck = true;
                    return;
                }

                _ = AfdNative.CloseHandle(duplicate);
            }

            Volatile.Write(ref _done, _done + 1);
        }
    }
}
