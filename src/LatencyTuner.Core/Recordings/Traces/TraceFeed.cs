using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Takes the events of a file or of a live session in order of time, and gives the evidence so far on request. Packets are not part of it.
/// </summary>
/// <remarks>Only one thread at a time may use it.</remarks>
internal sealed class TraceFeed
{
    private readonly TcpEventDecoder _decoder;
    private readonly TraceAnalyser _analyser = new();
    private readonly TraceFilter _filter;
    private readonly RecordingFilter _chosen;
    private readonly long _origin;

    /// <summary>Creates a feed.</summary>
    /// <param name="layouts">The layouts of the trace, or the built-in ones for a live session.</param>
    /// <param name="filter">Which connections to analyse.</param>
    /// <param name="originNs">The time from which events count theirs, nanoseconds since 1970.</param>
    public TraceFeed(EtwLayouts layouts, RecordingFilter filter, long originNs)
    {
        ArgumentNullException.ThrowIfNull(filter);
        (_decoder, _filter, _chosen, _origin) = (new(layouts), new(filter), filter, originNs);
    }

    /// <summary>Takes an event of any provider.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="payload">Its payload.</param>
    public void Take(in EtwEventHeader header, ReadOnlySpan<byte> payload)
    {
        _analyser.Names.Take(in header, payload);
        if (_decoder.TryDecode(in header, payload, out TcpEvent e, out EtwPayload fields))
        {
            e.TimeNs += _origin;
            if (_filter.Passes(in e))
            {
                _analyser.Take(in e, in fields);
            }
        }
    }

    internal TraceEvidence Evidence(string path, SeverityLimits limits, EtlCounts counts, bool hasPackets, bool cancelled, string? endedEarly = null)
    {
        _analyser.Finish();
        return new()
        {
            Path = path,
            Analyser = _analyser,
            Limits = limits,
            Decoded = _decoder.Counts,
            Counts = counts,
            HasPackets = hasPackets,
            Cancelled = cancelled,
            EndedEarly = endedEarly,
            Chosen = _chosen.Processes,
            JoinedOnly = _chosen.Hosts.Count + _chosen.Ports.Count > 0,
        };
    }
}
