using Microsoft.Win32.SafeHandles;

namespace LatencyTuner.Core.Etw;

/// <summary>The bytes of a trace, in a file or in memory.</summary>
internal abstract class EtlSource(string path, long length) : IDisposable
{
    /// <summary>Name of the file for error messages.</summary>
    internal string Path { get; } = path;

    /// <summary>Length in bytes at the time of opening.</summary>
    internal long Length { get; } = length;

    /// <summary>Why the unpacked bytes end too early; null when they are complete.</summary>
    internal string? Fault { get; init; }

    /// <summary>Reads from a position; any thread can call this.</summary>
    /// <param name="offset">Offset from the start in bytes, 0 or more.</param>
    /// <param name="target">Receives the bytes.</param>
    /// <returns>Number of bytes read; fewer than requested only at the end.</returns>
    /// <exception cref="ExpectedFailureException">The disk or network failed (<see cref="ExitCode.Input"/>).</exception>
    internal abstract int Read(long offset, Span<byte> target);

    public virtual void Dispose() => GC.SuppressFinalize(this);
}

/// <summary>
/// A trace in a file. The file is not mapped: a mapped file counts as memory of the process, and access fails when the file is truncated.
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

/// <summary>A trace in memory: unpacked, or made for a test. All pieces but the last have the same size.</summary>
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
