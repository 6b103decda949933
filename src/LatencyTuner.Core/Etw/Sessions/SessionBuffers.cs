using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Etw.Sessions;

/// <summary>
/// The buffers of a live session. They are non-paged memory, so a machine with many processors must not get the sizes of a recording of a lab machine.
/// Each processor writes into a buffer of its own, and Windows wants two for each (EVENT_TRACE_PROPERTIES, evntrace.h).
/// </summary>
/// <param name="KiB">Size of one buffer in KiB.</param>
/// <param name="Count">Number of buffers.</param>
public readonly record struct SessionBuffers(int KiB, int Count)
{
    private const int MostKiB = 64 << 10;
    private const int UsualKiB = 32 << 10;
    private const int Large = 128;
    private const int Small = 64;

    /// <summary>A machine with more processors has the smaller buffers.</summary>
    private const int ManyProcessors = 128;

    /// <summary>All of them together, in KiB.</summary>
    public int TotalKiB => KiB * Count;

    /// <summary>The buffers for a machine: 64 or 128 KiB each, four for each processor, 32 MiB at least and 64 MiB at most.</summary>
    /// <param name="processors">Number of logical processors, at least 1.</param>
    /// <param name="fileMB">Largest size in MiB of the file that the session writes, which holds all buffers; null for a session without a file.</param>
    /// <exception cref="ExpectedFailureException">The file is smaller than two buffers for each processor (<see cref="ExitCode.Usage"/>).</exception>
    public static SessionBuffers For(int processors, int? fileMB)
    {
        int size = processors > ManyProcessors ? Small : Large;
        int least = 2 * processors;
        int bound = fileMB is { } file ? Math.Min(MostKiB, file << 10) : MostKiB;
        if (least * size > bound && fileMB is not null)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--max-file-size {fileMB}MiB is too small: a session on {Counted.Of(processors, "processor")} needs {(least * size) >> 10} MiB of buffers, "
                    + "and the file "
                + "must hold them.");
        }

        int wanted = Math.Max(UsualKiB / size, 4 * processors);
        return new(size, Math.Max(least, Math.Min(wanted, bound / size)));
    }
}
