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
