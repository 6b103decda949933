namespace LatencyTuner.Core.Etw;

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
