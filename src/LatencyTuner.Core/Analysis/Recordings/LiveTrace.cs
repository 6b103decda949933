using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Recordings.Traces.Rules;

namespace LatencyTuner.Core.Analysis.Recordings;

/// <summary>Analyses events as they arrive, like the events of a file. One thread adds events; another one may ask for findings.</summary>
public sealed class LiveTrace : IDisposable
{
    /// <summary>What the report calls the source.</summary>
    public const string SourceName = "live session";

    private readonly object _gate = new();
    private readonly List<CapturePoint> _points = [];
    private readonly RecordingFilter _filter;
    private readonly SeverityLimits _limits;
    private readonly CaptureFeed _feed;
    private readonly TraceIntake _intake;
    private long _events;

    /// <summary>Starts the analysis of a live session.</summary>
    /// <param name="startUtc">The moment from which the times of the events count.</param>
    /// <param name="filter">Which events to analyse.</param>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    public LiveTrace(DateTimeOffset startUtc, RecordingFilter filter, SeverityLimits limits)
    {
        ArgumentNullException.ThrowIfNull(filter);
        ArgumentNullException.ThrowIfNull(limits);
        (_filter, _limits) = (filter, limits);
        _feed = new CaptureFeed(SourceName, _points, filter.Test(), several: false);
        _intake = new TraceIntake(new EtwLayouts(), _feed.Add, filter, (startUtc - DateTimeOffset.UnixEpoch).Ticks * 100);
    }

    /// <summary>Number of events taken so far.</summary>
    public long Events => Interlocked.Read(ref _events);

    /// <summary>Takes an event into the analysis.</summary>
    /// <param name="header">The header of the event; its time counts from the start.</param>
    /// <param name="payload">The event's own data.</param>
    public void Take(in EtwEventHeader header, ReadOnlySpan<byte> payload)
    {
        lock (_gate)
        {
            _intake.Take(in header, payload);
        }

        Interlocked.Increment(ref _events);
    }

    /// <summary>The findings of the events so far; packets are judged only at the end.</summary>
    /// <param name="losses">The events and buffers that the session lost so far.</param>
    public LiveFindings Findings(SessionLosses losses)
    {
        lock (_gate)
        {
            TraceEvidence evidence = EvidenceOf(losses, null);
            return new LiveFindings(_intake.Events, evidence.Connections.Count, [.. TraceFindings.Of(evidence).WorstFirst()]);
        }
    }

    /// <summary>Judges everything. To be called once, after the last event.</summary>
    /// <param name="losses">The events and buffers that the session lost.</param>
    /// <param name="endedEarly">Why it ended early, a clause; null when it did not.</param>
    /// <param name="cancelled">True when the user cancelled it.</param>
    public RecordingResult Finish(SessionLosses losses, string? endedEarly, bool cancelled)
    {
        lock (_gate)
        {
            _feed.Finish();
            TraceEvidence evidence = EvidenceOf(losses, endedEarly);
            if (_feed.Packets > 0 && evidence.Connections.Count == 0)
            {
                _feed.MakePoint();
            }

            RecordingFileFacts facts = new()
            {
                Path = SourceName,
                Kind = "live",
                Packets = _feed.Packets,
                Segments = _feed.Decoder.CountOf(DecodeOutcome.Tcp),
                Bytes = 0,
                Skipped = _intake.AddSkipped(_feed.Skipped(), evidence.Decoded),
                FirstNs = _intake.FirstNs,
                LastNs = _intake.LastNs,
                ClockStepNs = 100,
                Events = _intake.Events,
                EventsLost = losses.Events,
                BuffersLost = losses.Buffers,
                EventCounts = _intake.EventCounts(),
            };
            return RecordingAnalysis.Judge([facts], _points, [evidence], _filter, _limits, cancelled || endedEarly is not null);
        }
    }

    /// <summary>Ends the analysis of packets.</summary>
    public void Dispose() => _feed.Dispose();

    private TraceEvidence EvidenceOf(SessionLosses losses, string? endedEarly)
    {
        EtlCounts counts = new()
        {
            Events = _intake.Events,
            EventsLost = losses.Events,
            BuffersLost = losses.Buffers,
            Damages = new Dictionary<EtlDamageKind, long>(),
            Located = [],
        };
        return _intake.Feed.Evidence(SourceName, _limits, counts, _feed.Packets > 0, cancelled: false, endedEarly);
    }
}
