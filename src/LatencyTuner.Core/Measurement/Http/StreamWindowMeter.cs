using System.Buffers.Binary;

namespace LatencyTuner.Core.Measurement.Http;

/// <summary>
/// Passes a connection's bytes through and reads the HTTP/2 frame headers in them (RFC 9113, section 4.1), to find how large a window this
/// end really gave a stream.
/// </summary>
/// <param name="inner">The connection.</param>
/// <param name="initialWindow">The window that this end's first SETTINGS give a stream, bytes.</param>
internal sealed class StreamWindowMeter(Stream inner, int initialWindow) : PassedStream(inner)
{
    private const byte Data = 0;
    private const byte Headers = 1;
    private const byte Reset = 3;
    private const byte WindowUpdate = 8;
    private const byte EndStream = 1;

    // No latencytuner peer has more streams open at a time, and no other sender can make this table grow.
    private const int MostStreams = 4096;
    private static readonly int Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".Length;
    private readonly FrameScan _in = new(0);
    private readonly FrameScan _out = new(Preface);
    private readonly object _gate = new();
    private readonly Dictionary<int, long> _credit = [];

    /// <summary>The largest window that a stream had open at a time, bytes.</summary>
    internal long Largest { get; private set; } = initialWindow;

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        int count = await Inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        _in.Take(buffer.Span[..count], Seen);
        return count;
    }

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        _out.Take(buffer.Span, Sent);
        return Inner.WriteAsync(buffer, cancellationToken);
    }

    private void Seen(FrameHead frame)
    {
        lock (_gate)
        {
            if (frame.Type == Data && (_credit.Count < MostStreams || _credit.ContainsKey(frame.Stream)))
            {
                _credit[frame.Stream] = _credit.GetValueOrDefault(frame.Stream, initialWindow) - frame.Length;
            }

            if (frame.Type == Reset || (frame.Type is Data or Headers && (frame.Flags & EndStream) != 0))
            {
                _credit.Remove(frame.Stream);
            }
        }
    }

    private void Sent(FrameHead frame)
    {
        lock (_gate)
        {
            // A window update for a stream that has ended has no effect.
            if (frame.Type == WindowUpdate && _credit.TryGetValue(frame.Stream, out long credit))
            {
                credit += frame.FirstWord & 0x7FFF_FFFF;
                _credit[frame.Stream] = credit;
                Largest = Math.Max(Largest, credit);
            }
            else if (frame.Type == Reset)
            {
                _credit.Remove(frame.Stream);
            }
        }
    }

    /// <summary>A frame's header and the first four bytes of what follows.</summary>
    private readonly record struct FrameHead(int Length, byte Type, byte Flags, int Stream, uint FirstWord);

    /// <summary>Finds the headers in a stream of bytes that arrives in pieces of any size.</summary>
    private sealed class FrameScan(int skip)
    {
        private const int HeadBytes = 9;
        private const int WordBytes = 4;
        private readonly byte[] _head = new byte[HeadBytes + WordBytes];
        private int _have;
        private int _skip = skip;

        internal void Take(ReadOnlySpan<byte> bytes, Action<FrameHead> found)
        {
            while (!bytes.IsEmpty)
            {
                int skipped = Math.Min(_skip, bytes.Length);
                _skip -= skipped;
                bytes = bytes[skipped..];
                if (bytes.IsEmpty)
                {
                    return;
                }

                int wanted = _have < HeadBytes ? HeadBytes : HeadBytes + Math.Min(WordBytes, Length);
                int count = Math.Min(wanted - _have, bytes.Length);
                bytes[..count].CopyTo(_head.AsSpan(_have));
                _have += count;
                bytes = bytes[count..];
                if (_have >= HeadBytes && _have == HeadBytes + Math.Min(WordBytes, Length))
                {
                    found(
                        new FrameHead(
                            Length, _head[3], _head[4], (int)(BinaryPrimitives.ReadUInt32BigEndian(_head.AsSpan(5)) & 0x7FFF_FFFF),
                            BinaryPrimitives.ReadUInt32BigEndian(_head.AsSpan(HeadBytes))));
                    _skip = Length - (_have - HeadBytes);
                    _have = 0;
                }
            }
        }

        private int Length => (_head[0] << 16) | (_head[1] << 8) | _head[2];
    }
}
