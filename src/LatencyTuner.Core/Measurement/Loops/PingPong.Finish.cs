using System.Net.Sockets;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <content>The end of a run: sums of the measuring threads, kernel counters, the responder's results.</content>
public sealed partial class PingPong
{
    private void Finish(List<MeasuredConnection> connections, long start, List<LatencyRecorder> recorders, CancellationToken cancellation)
    {
        double nsPerTick = 1e9 / _context.Time.TimestampFrequency;
        foreach (LatencyRecorder recorder in recorders)
        {
            _result.Exchanges += recorder.Exchanges;
            _result.Sent += recorder.Sent;
            _result.SendNs += (long)(recorder.SendTicks * nsPerTick);
            _result.LongestSendNs = Math.Max(_result.LongestSendNs, (long)(recorder.LongestSendTicks * nsPerTick));
            _result.ResidenceNs += recorder.ResidenceNs;
            _result.ClockStepsBack += recorder.ClockStepsBack;
            _result.ImpossibleStamps += recorder.ImpossibleStamps;
        }

        if (_result.FirstSamples.Length == 0)
        {
            // Of several connections only the first keeps its order in time.
            _result.FirstSamples = recorders.Count > 0 ? recorders[0].First.ToArray() : Array.Empty<long>();
        }

        foreach (MeasuredConnection connection in connections)
        {
            connection.End = _context.Platform.ReadCounters(connection.Socket);
            _result.LocalCounters.Add((connection.Start, connection.End));
        }

        _result.Rows.AddRange(connections.SelectMany(c => c.Log?.Rows() ?? []).OrderBy(r => r.Planned));
        if (!_result.Complete)
        {
            return;
        }

        CollectResults(connections, recorders, cancellation);
        if (_plan.Workload.Pattern == WritePattern.Stream)
        {
            _result.StreamTime += _context.Time.GetElapsedTime(start);
        }
    }

    /// <summary>
    /// The send buffer drains at the rate of the path, which may take longer than the reply timeout: waits for the responder's result as long
    /// as acknowledgements arrive.
    /// </summary>
    private void LetDrain(MeasuredConnection connection, CancellationToken cancellation)
    {
        const long SliceNs = 50_000_000;
        const int MostTimeouts = 12;
        Span<bool> ready = stackalloc bool[1];
        long? seen = null;
        long start = _context.Time.GetTimestamp();
        long since = start;
        while (!cancellation.IsCancellationRequested && _context.Time.GetElapsedTime(since) < _plan.ReplyTimeout
            && _context.Time.GetElapsedTime(start) < MostTimeouts * _plan.ReplyTimeout
            && _context.Platform.Wait([new PollEntry(connection.Handle, true, false)], ready, SliceNs) == 0)
        {
            if (_context.Platform.ReadCounters(connection.Socket).SegmentsIn is not { } segments)
            {
                return;
            }

            since = segments == seen ? since : _context.Time.GetTimestamp();
            seen = segments;
        }
    }

    /// <summary>Ends a connection. If its stream did not reach its end, the kernel must not send the rest into the next measurement.</summary>
    private void Abandon(MeasuredConnection connection)
    {
        if (_plan.Workload.Pattern == WritePattern.Stream && !_result.Complete)
        {
            try
            {
                connection.Socket.LingerState = new LingerOption(true, 0);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                // Already disconnected.
            }
        }

        connection.Dispose();
    }

    private void CollectResults(List<MeasuredConnection> connections, List<LatencyRecorder> recorders, CancellationToken cancellation)
    {
        // All connections are closed for sending first and share one deadline: a silent peer with a thousand connections must not cost a thousand timeouts.
        connections.ForEach(c => c.Peer.CloseSending());
        bool oneWay = _plan.Workload.Pattern == WritePattern.Stream;
        if (oneWay)
        {
            connections.ForEach(c => LetDrain(c, cancellation));
        }

        long deadline = _context.Time.GetTimestamp() + (long)(_plan.ReplyTimeout.TotalSeconds * _context.Time.TimestampFrequency);
        for (int i = 0; i < connections.Count; i++)
        {
            connections[i].Result = connections[i].Peer.Finish(deadline, cancellation, out string? problem);
            if (connections[i].Result is { } result)
            {
                _result.PeerCounters.Add((result.Start, result.End));
                _result.ImpossibleResults += result.Impossible ? 1 : 0;
                _result.ServerHost ??= result.Host;
                long sent = oneWay ? recorders[i].Exchanges * _plan.Workload.RequestSize : 0;
                _result.StreamBytes += oneWay ? Math.Min(result.Bytes, sent) : 0;
                problem = oneWay && result.Bytes != sent ? $"it counted {result.Bytes} of {sent} bytes" : null;
            }

            if (oneWay && problem is not null)
            {
                _result.EndedBecause = $"{_target.Name} did not acknowledge the stream: {problem}.";
            }
            else if (problem is not null && _result.NoteList.Count < 10)
            {
                _result.NoteList.Add($"No kernel counters of {_target.Name}: {problem}.");
            }
        }
    }
}
