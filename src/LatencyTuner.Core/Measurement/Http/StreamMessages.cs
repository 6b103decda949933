using System.Buffers.Binary;

namespace LatencyTuner.Core.Measurement.Http;

/// <summary>
/// Makes and checks the messages of a stream: a number, then digits that depend on it, so that making one takes processor time, as
/// serializing does.
/// </summary>
internal static class StreamMessages
{
    internal static void Write(Span<byte> message, long number)
    {
        BinaryPrimitives.WriteInt64LittleEndian(message, number);
        ulong state = ((ulong)number * 0x9E3779B97F4A7C15) | 1;
        Span<byte> rest = message[8..];
        while (!rest.IsEmpty)
        {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            if (!System.Buffers.Text.Utf8Formatter.TryFormat(state, rest, out int written))
            {
                rest.Fill((byte)' ');
                return;
            }

            rest = rest[written..];
        }
    }
}
