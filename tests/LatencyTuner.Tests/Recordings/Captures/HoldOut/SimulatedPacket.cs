using LatencyTuner.Tests.Capture;

namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <summary>A packet between the ends of a simulated connection; numbers are bytes from the beginning of each direction.</summary>
internal sealed record SimulatedPacket(int Side, long From, int Length, long Ack, long Window)
{
    public bool Syn { get; init; }

    public byte Ttl { get; init; }

    public ushort Id { get; init; }

    public double SentMs { get; init; }

    public double EchoMs { get; init; }

    /// <summary>What the sender has received beyond a hole, in order.</summary>
    public (long From, long To)[] Beyond { get; init; } = [];

    /// <summary>The block of it that changed last.</summary>
    public (long From, long To)? Block { get; init; }

    public long To => From + Length;

    /// <summary>Adds it to a capture as the packet of one connection.</summary>
    public void AddTo(SegmentSequence sequence, double ms, int scale, bool sack)
    {
        sequence.Ticks(SentMs, EchoMs).Ttl(Ttl);
        uint from = (uint)((Side == 0 ? 1000 : 5000) + From);
        uint ack = (uint)((Side == 0 ? 5000 : 1000) + Ack);
        ushort window = (ushort)Math.Min(65_535, Syn ? Window : Window >> scale);
        if (Syn)
        {
            _ = Side == 0 ? sequence.Syn(ms, Id, (sbyte)scale, window: window) : sequence.SynAck(ms, (sbyte)scale, window: window, id: Id);
            return;
        }

        if (sack && Block is { } block)
        {
            uint start = Side == 0 ? 5000u : 1000u;
            sequence.Sack(start + (uint)block.From, start + (uint)block.To);
        }

        _ = Side == 0 ? sequence.FromClient(ms, from, Length, ack, Id, window) : sequence.FromServer(ms, ack, Length, from, window, Id);
    }
}
