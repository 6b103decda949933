using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// How long the handshakes of connections between the same two hosts, to the same port, took from the tap to each end and back. A connection with few round
/// trips of its own does not show the shortest one, nor by how much they vary.
/// </summary>
internal sealed class PathTimes
{
    private const int Fewest = 10;
    private const int Most = 64;
    private const double Usual = 0.75;

    private readonly CompactList<long>[] _handshakesNs = new CompactList<long>[2];

    /// <summary>Adds what a connection's handshake shows.</summary>
    public void Add(ShownHandshake handshake)
    {
        for (int side = 0; side < 2; side++)
        {
            long ns = side == 0 ? handshake.ClientNs : handshake.ServerNs;
            if (ns != FlowState.Unknown && ns >= 0 && _handshakesNs[side].Count < Most)
            {
                _handshakesNs[side].Add(ns);
            }
        }
    }

    /// <summary>
    /// The shortest of these times to one end, and how much longer three of four of them are at most, nanoseconds; null below ten connections.
    /// </summary>
    /// <param name="side">0 the client, 1 the server.</param>
    public (long LeastNs, long VaryNs)? Of(int side)
    {
        if (_handshakesNs[side].Count < Fewest)
        {
            return null;
        }

        long[] sorted = [.. _handshakesNs[side].All];
        Selection.Sort(sorted);
        return (sorted[0], sorted[(int)(Usual * (sorted.Length - 1))] - sorted[0]);
    }
}
