using Microsoft.Win32.SafeHandles;

namespace LatencyTuner.Core.Etw;

/// <summary>The bytes of a trace, wherever they are.</summary>
internal abstract class EtlSource(string path, long length) : IDisposable
{
    /// <summary>Name of the file, for failures.</summary>
    internal string Path { get; } = path;

    /// <summary>Bytes there are, when it was opened.</summary>
    internal long Length { get; } = length;

    /// <summary>Why the unpacked bytes end before their end; null when they do not.</summary>
    internal string? Fault { get; init; }

    /// <summary>Reads from a position, whatever thread asks.</summary>
    /// <param name="offset">From the beginning, 0 or more.</param>
    /// <param name="target">Where to.</param>
    /// <returns>Bytes read; fewer than wanted only at the end.</returns>
    /// <exception cref="ExpectedFailureException">The disk or network failed (<see cref="ExitCode.Input"/>).</exception>
    internal abstract int Read(long offset, Span<byte> target);

    public virtual void Dispose() => GC.SuppressFinalize(this);
}

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

/// <summary>A trace in memory: one that was packed, or made for a test. The pieces have one size, the last one apart.</summary>
internal sealed class EtlMemorySource : EtlSource
{
    private readonly IReadOnlyList<ReadOnlyMemory<byte>> _pieces;
    private readonly int _pieceBytes;

    internal EtlMemorySource(string path, IReadOnlyList<ReadOnlyMemory<byte>> pieces)
        : base(path, pieces.Sum(p => (long)p.Length)) => (_pieces, _pieceBytes) = (pieces, pieces.Count > 0 ? Math.Max(1, pieces[0].Length) : 1);

    internal override int Read(long offset, Span<byte> target)
    {
        int done = 0;
        while (done < target.Length && offset + done < Length)
        {
            (long piece, long at) = Math.DivRem(offset + done, _pieceBytes);
            ReadOnlySpan<byte> source = _pieces[(int)piece].Span[(int)at..];
            int count = Math.Min(source.Length, target.Length - done);
            source[..count].CopyTo(target[done..]);
            done += count;
        }

        return done;
    }
}
