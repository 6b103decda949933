using System.Buffers.Binary;

namespace LatencyTuner.Core.Measurement.Http;

/// <summary>Checks a stream as it arrives in pieces: whole messages, each with its number, no more and no fewer than requested.</summary>
/// <param name="request">The request that the stream answers.</param>
internal sealed class StreamCheck(StreamRequest request)
{
    private readonly byte[] _number = new byte[8];
    private long _message;
    private int _at;

    /// <summary>True when everything has arrived.</summary>
    internal bool Whole => _message == request.Messages && _at == 0;

    /// <summary>Number of messages that have arrived completely.</summary>
    internal long Messages => _message;

    /// <summary>Takes the next piece; false when it does not match the request.</summary>
    internal bool Take(ReadOnlySpan<byte> piece)
    {
        while (!piece.IsEmpty)
        {
            if (_message == request.Messages)
            {
                return false;
            }

            if (_at < _number.Length)
            {
                int count = Math.Min(_number.Length - _at, piece.Length);
                piece[..count].CopyTo(_number.AsSpan(_at));
                _at += count;
                piece = piece[count..];
                if (_at == _number.Length && BinaryPrimitives.ReadInt64LittleEndian(_number) != _message)
                {
                    return false;
                }
            }

            int rest = Math.Min(request.MessageBytes - _at, piece.Length);
            _at += rest;
            piece = piece[rest..];
            if (_at == request.MessageBytes)
            {
                _message++;
                _at = 0;
            }
        }

        return true;
    }
}
