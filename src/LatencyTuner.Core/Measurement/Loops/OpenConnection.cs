using LatencyTuner.Core.Measurement.Protocol;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>The state of one connection of an open loop: what is being written, what is in flight, and how much of the next reply has arrived.</summary>
internal sealed class OpenConnection
{
    private readonly long[] _planned;
    private readonly long[] _sent;
    private readonly bool[] _counts;
    private readonly bool[] _first;
    private readonly int _mask;
    private uint _head;
    private uint _tail;

    internal OpenConnection(MeasuredConnection connection, int inFlight)
    {
        Connection = connection;
        int size = (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)inFlight);
        _planned = new long[size];
        _sent = new long[size];
        _counts = new bool[size];
        _first = new bool[size];
        _mask = size - 1;
        Limit = inFlight;
    }

    internal MeasuredConnection Connection { get; }

    internal int Limit { get; }

    internal int InFlight => (int)(_head - _tail);

    /// <summary>Sequence number of the oldest unanswered request.</summary>
    internal uint OldestSequence => _tail;

    internal long OldestPlanned => _planned[_tail & (uint)_mask];

    /// <summary>False for a request of the warm-up.</summary>
    internal bool OldestCounts => _counts[_tail & (uint)_mask];

    /// <summary>True when no other request was unanswered here when it was sent.</summary>
    internal bool OldestWasFirst => _first[_tail & (uint)_mask];

    internal long OldestSent => _sent[_tail & (uint)_mask];

    /// <summary>True while the writes of a request are not all done.</summary>
    internal bool Writing { get; set; }

    /// <summary>True when the kernel accepted no more data: wait until the socket is writable.</summary>
    internal bool Blocked { get; set; }

    internal int WriteIndex { get; set; }

    internal int WriteOffset { get; set; }

    /// <summary>Timestamp before which the next write of the request must not start.</summary>
    internal long NotBefore { get; set; }

    internal long WriteStarted { get; set; }

    internal int ReplyGot { get; set; }

    internal byte[] Stamp { get; } = new byte[Wire.WaitsHeaderSize];

    internal bool Free => !Writing && InFlight < Limit;

    internal void Begin(long planned, long now, bool counts)
    {
        _counts[_head & (uint)_mask] = counts;
        _first[_head & (uint)_mask] = InFlight == 0;
        _planned[_head & (uint)_mask] = planned;
        _sent[_head & (uint)_mask] = now;
        _head++;
        Writing = true;
        WriteIndex = 0;
        WriteOffset = 0;
        NotBefore = 0;
        WriteStarted = now;
    }

    internal void Answered()
    {
        _tail++;
        ReplyGot = 0;
    }
}
