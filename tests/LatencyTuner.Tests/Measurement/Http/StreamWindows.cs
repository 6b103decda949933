using System.Buffers.Binary;
using LatencyTuner.Core.Measurement.Http;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Http;

/// <summary>The window that a client gives a stream, read from frames (RFC 9113, section 4.1) in pieces of any size.</summary>
public sealed class StreamWindows
{
    private const int Initial = 65_536;
    private const byte Data = 0;
    private const byte Headers = 1;
    private const byte Reset = 3;
    private const byte WindowUpdate = 8;

    public static TheoryData<int> Pieces => [1, 7, 4096];

    [Theory]
    [MemberData(nameof(Pieces))]
    public async Task Largest_CreditBeyondTheFirstWindow_IsSeen(int piece)
    {
        using Conversation talk = new(piece);

        await talk.Receive(Frame(Data, 0, 1, 40_000));
        await talk.Send(Update(1, 40_000 + 16_384));

        Assert.Equal(Initial + 16_384, talk.Meter.Largest);
    }

    /// <summary>Streams end by the thousand on one connection, others go on beside them.</summary>
    [Theory]
    [MemberData(nameof(Pieces))]
    public async Task Largest_ManyStreamsBesideALongOne_StaysWhatItWas(int piece)
    {
        using Conversation talk = new(piece);
        await talk.Receive(Frame(Data, 0, 1, 40_000));
        for (int stream = 3; stream < 3_000; stream += 2)
        {
            await talk.Receive(Frame(Data, 0, stream, 100));
            await talk.Receive((stream % 3) switch { 0 => Frame(Headers, 1, stream, 20), 1 => Frame(Data, 1, stream, 0), _ => Frame(Reset, 0, stream, 4) });
            // The bytes read last are acknowledged when the stream is over.
            await talk.Send(Update(stream, 100));
        }

        await talk.Send(Update(1, 40_000));

        Assert.Equal(Initial, talk.Meter.Largest);
    }

    private static byte[] Frame(byte type, byte flags, int stream, int length)
    {
        byte[] frame = new byte[9 + length];
        frame[0] = (byte)(length >> 16);
        frame[1] = (byte)(length >> 8);
        frame[2] = (byte)length;
        frame[3] = type;
        frame[4] = flags;
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(5), stream);
        return frame;
    }

    private static byte[] Update(int stream, int bytes)
    {
        byte[] frame = Frame(WindowUpdate, 0, stream, 4);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(9), bytes);
        return frame;
    }

    private sealed class Conversation : IDisposable
    {
        private readonly MemoryStream _wire = new();
        private readonly int _piece;
        private bool _opened;

        internal Conversation(int piece)
        {
            _piece = piece;
            Meter = new StreamWindowMeter(_wire, Initial);
        }

        internal StreamWindowMeter Meter { get; }

        public void Dispose() => Meter.Dispose();

        internal async Task Receive(byte[] frame)
        {
            _wire.SetLength(0);
            _wire.Write(frame);
            _wire.Position = 0;
            byte[] buffer = new byte[_piece];
            while (await Meter.ReadAsync(buffer) > 0)
            {
            }
        }

        internal async Task Send(byte[] frame)
        {
            byte[] bytes = _opened ? frame : [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, .. frame];
            _opened = true;
            foreach (byte[] piece in bytes.Chunk(_piece))
            {
                await Meter.WriteAsync(piece);
            }
        }
    }
}
