using System.Runtime.InteropServices;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>A transaction of less than four seconds in little more than half the memory: of a long capture, hundreds of thousands are kept.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct KeptTransaction
{
    private const int KindBits = 8;
    private const byte Elsewhere = byte.MaxValue;

    // Unsigned nanoseconds: times from the first request byte on, and durations.
    private long _startNs;
    private uint _requestEnd;
    private uint _responseStart;
    private uint _responseEnd;
    private uint _next;
    private uint _firstFrame;
    private uint _lastFrame;
    private uint _requestBytes;
    private uint _responseBytes;
    private uint _server;
    private uint _serverLow;
    private uint _serverHigh;
    private uint _clientInside;
    private uint _serverInside;
    private uint _clientAfter;
    private uint _stall;
    private uint _worstStall;
    private uint _requestAck;

    // The index above the kind of the worst stall, which is counted from 1 on because -1 says none.
    private uint _indexAndKind;

    /// <summary>The index of a transaction that did not fit, in the list of those; -1 when it is stored here.</summary>
    public readonly int Place => (byte)_indexAndKind == Elsewhere ? (int)_requestEnd : -1;

    /// <summary>From the first request byte to the last response byte, nanoseconds.</summary>
    public readonly long DurationNs => _responseEnd;

    /// <summary>Creates the placeholder of a transaction that does not fit.</summary>
    /// <param name="place">Its index in the list of those, from 0.</param>
    public static KeptTransaction At(int place) => new() { _requestEnd = (uint)place, _indexAndKind = Elsewhere };

    /// <summary>Stores a transaction in this compact form.</summary>
    /// <returns>False when the transaction does not fit.</returns>
    public static bool TryMake(in Transaction t, out KeptTransaction kept)
    {
        long start = t.RequestStartNs;
        kept._startNs = start;
        kept._requestEnd = (uint)(t.RequestEndNs - start);
        kept._responseStart = (uint)(t.ResponseStartNs - start);
        kept._responseEnd = (uint)(t.ResponseEndNs - start);
        kept._next = t.NextNs == 0 ? 0 : (uint)(t.NextNs - start);
        kept._firstFrame = t.FirstFrame;
        kept._lastFrame = t.LastFrame;
        kept._requestBytes = (uint)t.RequestBytes;
        kept._responseBytes = (uint)t.ResponseBytes;
        kept._server = (uint)t.ServerNs;
        kept._serverLow = (uint)t.ServerLowNs;
        kept._serverHigh = (uint)t.ServerHighNs;
        kept._clientInside = (uint)t.ClientInsideNs;
        kept._serverInside = (uint)t.ServerInsideNs;
        kept._clientAfter = (uint)t.ClientAfterNs;
        kept._stall = (uint)t.StallNs;
        kept._worstStall = (uint)t.WorstStallNs;
        kept._requestAck = t.RequestAckNs == 0 ? 0 : (uint)(t.RequestAckNs - start);
        kept._indexAndKind = (uint)((t.Index << KindBits) | (byte)(t.WorstStall + 1));

        // A value that does not fit, or that equals the mark for no value, does not come back unchanged.
        kept.Restore(out Transaction back);
        return kept.Place < 0 && Bytes(in back).SequenceEqual(Bytes(in t));
    }

    /// <summary>Restores the transaction.</summary>
    public readonly void Restore(out Transaction t)
    {
        t.RequestStartNs = _startNs;
        t.RequestEndNs = _startNs + _requestEnd;
        t.ResponseStartNs = _startNs + _responseStart;
        t.ResponseEndNs = _startNs + _responseEnd;
        t.NextNs = _next == 0 ? 0 : _startNs + _next;
        t.FirstFrame = _firstFrame;
        t.LastFrame = _lastFrame;
        t.RequestBytes = _requestBytes;
        t.ResponseBytes = _responseBytes;
        t.ServerNs = _server;
        t.ServerLowNs = _serverLow;
        t.ServerHighNs = _serverHigh;
        t.ClientInsideNs = _clientInside;
        t.ServerInsideNs = _serverInside;
        t.ClientAfterNs = _clientAfter == uint.MaxValue ? -1 : _clientAfter;
        t.StallNs = _stall;
        t.WorstStall = (byte)_indexAndKind - 1;
        t.Index = (int)(_indexAndKind >> KindBits);
        t.WorstStallNs = _worstStall;
        t.RequestAckNs = _requestAck == 0 ? 0 : _startNs + _requestAck;
    }

    private static ReadOnlySpan<byte> Bytes(in Transaction t) => MemoryMarshal.AsBytes(new ReadOnlySpan<Transaction>(in t));
}
