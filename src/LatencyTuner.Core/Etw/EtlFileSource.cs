using Microsoft.Win32.SafeHandles;

namespace LatencyTuner.Core.Etw;

/// <summary>
/// A trace in a file. It is read at positions and not mapped: a mapped file counts as the process's memory, and faults when someone cuts it.
/// </summary>
internal sealed class EtlFileSource(string path, SafeFileHandle handle) : EtlSource(path, RandomAccess.GetLength(handle))
{
    internal override int Read(long offset, Span<byte> target)
    {
        int done = 0;
        try
        {
            while (done < target.Length)
            {
                int read = RandomAccess.Read(handle, target[done..], offset + done);
                if (read == 0)
                {
                    break;
                }

                done += read;
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{Path}: byte {offset + done}: cannot be read: {failure.Message.TrimEnd('.')}.", failure);
        }

        return done;
    }

    public override void Dispose()
    {
        handle.Dispose();
        base.Dispose();
    }
}
