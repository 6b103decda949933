using System.Net.Sockets;
using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Scheduling;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>Runs one measurement against a responder: opens the connections, starts the measuring threads, collects while they run.</summary>
public sealed partial class PingPong
{
    // 64 bytes per row; the slowest 1 % of this many rows is several hundred rows.
    private const int MostRows = 1 << 16;
    private const int LeastRows = 64;
    private static readonly TimeSpan CollectEvery = TimeSpan.FromMilliseconds(50);
    private readonly MeasurementTarget _target;
    private readonly MeasurementPlan _plan;
    private readonly MeasuringContext _context;
    private readonly IProgress<MeasurementProgress>? _progress;
    private readonly Action<SeriesInterval>? _series;
    private readonly MeasurementResult _result;
    private readonly HostWatch _watch;
    private readonly LatencyHistogram _seriesInterval = new();
    private long _seriesStart;
    private long _firstStart;

    private PingPong(
        MeasurementTarget target, MeasurementPlan plan, MeasuringContext context, IProgress<MeasurementProgress>? progress, Action<SeriesInterval>? series)
    {
        _target = target;
        _plan = plan;
        _context = context;
        _progress = progress;
        _series = series;
        _watch = new HostWatch(context.Time, context.Platform);
        _result = new MeasurementResult(target, plan, context.Time.GetUtcNow()) { TimestampFrequency = context.Time.TimestampFrequency };
    }

    /// <summary>Runs the measurement. A failure after the first connection gives a partial result with <see cref="MeasurementResult.EndedBecause"/>.</summary>
    /// <param name="target">The responder.</param>
    /// <param name="plan">The settings of the run.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    /// <param name="cancellation">Ends the run early; the result then says so.</param>
    /// <param name="progress">Receives the progress a few times a second; null for none.</param>
    /// <param name="series">Receives each interval of the time series; null for none.</param>
    /// <exception cref="ExpectedFailureException">The responder could not be reached, refused the client, or is not a latencytuner responder.</exception>
    public static MeasurementResult Run(
        MeasurementTarget target, MeasurementPlan plan, MeasuringContext context, CancellationToken cancellation,
        IProgress<MeasurementProgress>? progress = null, Action<SeriesInterval>? series = null) =>
        new PingPong(target, plan, context, progress, series).Run(cancellation);

    private MeasurementResult Run(CancellationToken cancellation)
    {
        if (!_plan.Watch)
        {
            return RunAll(cancellation);
        }

        StallClock clock = _watch.Join();
        try
        {
            HostSample start = _watch.Look(clock);
            MeasurementResult result = RunAll(cancellation);
            result.ClientHost = _watch.Between(start, _watch.Look(clock));
            result.LocalStalls = clock.Stalls();
            return result;
        }
        finally
        {
            _watch.Leave();
        }
    }

    private MeasurementResult RunAll(CancellationToken cancellation)
    {
        for (int run = 0; run < _plan.Runs; run++)
        {
            List<MeasuredConnection> connections = [];
            try
            {
                OpenAll(connections, cancellation);
                Measure(run, connections, cancellation);
            }
            catch (PeerFailureException e) when (_result.Received > 0)
            {
                _result.EndedBecause = _target.Explained(e.Message);
            }
            catch (PeerFailureException e)
            {
                throw new ExpectedFailureException(ExitCode.Measurement, _target.Explained(e.Message), e);
            }
            catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
            {
                _result.Cancelled = true;
            }
            finally
            {
                connections.ForEach(Abandon);
            }

            if (!_result.Complete)
            {
                break;
            }
        }

        if (_result is { EndedBecause: { } failure, Received: 0, Cancelled: false })
        {
            // Without any measured value, the failure is the only result.
            throw new ExpectedFailureException(ExitCode.Measurement, failure);
        }

        FlushSeries();
        return _result;
    }

    private void OpenAll(List<MeasuredConnection> connections, CancellationToken cancellation)
    {
        int? peerPin = _target.IsLoopback && _plan.Pin.Count > 1 ? _plan.Pin[1] : null;
        for (int i = 0; i < _plan.Connections; i++)
        {
            PeerConnection peer = PeerConnection.Open(_target, _plan, peerPin, _context, cancellation);
            try
            {
                _context.Platform.SetTimeouts(peer.Socket, (int)_plan.ReplyTimeout.TotalMilliseconds);
                bool oneWay = _plan.Workload.Pattern == WritePattern.Stream;
                _context.Platform.SetBlocking(peer.Socket, oneWay || (_plan.RatePerSecond is null && !_plan.Workload.Spin));
                connections.Add(new MeasuredConnection(peer, _plan.Workload, _context.Platform)
                {
                    Log = _plan.Watch && !oneWay
                        ? new RequestLog(
                            Math.Max(MostRows / _plan.Runs / _plan.Connections, LeastRows), _plan.Seed + i, _context.Time, _context.Platform) : null,
                });
            }
            catch (SocketException e)
            {
                peer.Dispose();
                throw new PeerFailureException($"The connection to {_target.Name} failed before the first request: {e.Message}.", e);
            }
            catch
            {
                peer.Dispose();
                throw;
            }

            TimeSpan connect = TimeSpan.FromMicroseconds(peer.ConnectNs / 1e3);
            _result.ConnectTime = _result.ConnectTime is { } before && before < connect ? before : connect;
        }

        _result.LocalState = connections[0].Peer.Local;
        _result.PeerState = connections[0].Peer.Peer;
        _result.ResponderSoftware = connections[0].Peer.Ready?.Software;
        _result.ResponderOs = connections[0].Peer.Ready?.Os;
    }

    private void Measure(int run, List<MeasuredConnection> connections, CancellationToken cancellation)
    {
        RunControl control = new();
        using IDisposable timers = _context.Platform.RaiseTimerResolution();
        _result.Timer ??= _context.Platform.ReadTimer();
        List<LatencyRecorder> recorders = [];
        List<Action> bodies = Bodies(run, connections, control, recorders);
        int gcBefore = GC.CollectionCount(0);
        TimeSpan pauseBefore = GC.GetTotalPauseDuration();
        long start = _context.Time.GetTimestamp();
        _firstStart = run == 0 ? start : _firstStart;
        MeasuringThreads threads = new("measure", 0, bug => control.Fail(bug.Message));
        bodies.ForEach(body => threads.Start(() =>
        {
            Pin();
            using IDisposable slack = _context.Platform.RaiseTimerResolution();
            body();
        }));
        LatencyHistogram runTotal = new();
        CollectWhileRunning(run, connections, control, recorders, runTotal, threads, start, cancellation);
        threads.Join();
        Collect(recorders, runTotal, start, rest: true);
        TimeSpan measured = _context.Time.GetElapsedTime(start) - _plan.Warmup;
        _result.Elapsed += measured > TimeSpan.Zero ? measured : TimeSpan.Zero;
        _result.GcCount += GC.CollectionCount(0) - gcBefore;
        _result.GcPause += GC.GetTotalPauseDuration() - pauseBefore;
        _result.RunHistograms.Add(runTotal);
        _result.EndedBecause ??= control.Failure is { } failure ? _target.Explained(failure) : null;
        _result.Cancelled |= control.Cancelled;
        Finish(connections, start, recorders, cancellation);
    }

    /// <summary>The work of each measuring thread.</summary>
    private List<Action> Bodies(int run, List<MeasuredConnection> connections, RunControl control, List<LatencyRecorder> recorders)
    {
        double nsPerTick = 1e9 / _context.Time.TimestampFrequency;
        bool oneWay = _plan.Workload.Pattern == WritePattern.Stream;
        double? perConnection = _plan.RatePerSecond is { } rate ? (oneWay ? rate / connections.Count : rate) : null;
        SendSchedule? ScheduleFor(int index) =>
            perConnection is { } r ? new SendSchedule(r, _plan.Arrivals, PlannedCount(r), _plan.Seed + (run * 1009) + index) : null;

        if (perConnection is not null && !oneWay)
        {
            SendSchedule schedule = ScheduleFor(0)!;
            _result.Planned = (_result.Planned ?? 0) + PlannedCount(_plan.RatePerSecond!.Value, withoutWarmup: true);
            LatencyRecorder recorder = new(openLoop: true, nsPerTick, LatencyRecorder.FirstSamples);
            recorders.Add(recorder);
            OpenLoop loop = new(connections, _plan, schedule, _target.Name, control, recorder, _context.Time, _context.Platform);
            return [loop.Run];
        }

        long count = _plan.Count is { } all ? all / connections.Count : long.MaxValue;
        if (_plan.Count is { } planned && _plan.Duration is null)
        {
            _result.Planned = (_result.Planned ?? 0) + planned;
        }

        return [.. connections.Select<MeasuredConnection, Action>((connection, i) =>
        {
            LatencyRecorder recorder = new(_plan.RatePerSecond is not null, nsPerTick, LatencyRecorder.FirstSamples / connections.Count);
            recorders.Add(recorder);
            long own = count == long.MaxValue ? count : count + (i < _plan.Count % connections.Count ? 1 : 0);
            return oneWay
                ? () => new StreamLoop(connection, _plan, _target.Name, control, recorder, _context.Time, _context.Platform).Run(own, ScheduleFor(i))
                : () => new ClosedLoop(connection, _plan, _target.Name, control, recorder, _context.Time, _context.Platform).Run(own, _plan.AtLeast);
        })];
    }

    private long PlannedCount(double rate, bool withoutWarmup = false)
    {
        long byTime = _plan.Duration is { } duration ? MeasurementPlan.Requests(duration, rate) : MeasurementPlan.MostRequests;
        long counted = Math.Min(byTime, _plan.Count ?? MeasurementPlan.MostRequests);
        return withoutWarmup ? counted : counted + MeasurementPlan.Requests(_plan.Warmup, rate);
    }

    private void Pin()
    {
        if (_plan.Pin.Count > 0 && !_context.Platform.TryPinThread(_plan.Pin[0]))
        {
            lock (_result.NoteList)
            {
                string note = $"The measuring thread could not be bound to processor {_plan.Pin[0]}.";
                if (!_result.NoteList.Contains(note))
                {
                    _result.NoteList.Add(note);
                }
            }
        }
    }

    private void CollectWhileRunning(
        int run, List<MeasuredConnection> connections, RunControl control, List<LatencyRecorder> recorders, LatencyHistogram runTotal,
        MeasuringThreads threads, long start, CancellationToken cancellation)
    {
        bool interrupted = false;
        while (!threads.WaitAll(CollectEvery))
        {
            if (cancellation.IsCancellationRequested && !control.Cancelled)
            {
                control.Cancel();
            }
            else if (control.Stopped && !interrupted)
            {
                // A thread that still waits for its peer after one more interval is interrupted.
                interrupted = true;
                connections.ForEach(c => _context.Platform.Interrupt(c.Socket));
            }

            Collect(recorders, runTotal, start, rest: false);
            Report(run, recorders, start);
        }
    }

    private void Collect(List<LatencyRecorder> recorders, LatencyHistogram runTotal, long start, bool rest)
    {
        long before = _result.Blocks.Count > 0 ? _result.Blocks[^1].EndNs : 0;
        IntervalHistograms interval = _collected ??= new IntervalHistograms(_result.IsOpenLoop);
        interval.Reset();
        foreach (LatencyRecorder recorder in recorders)
        {
            if (rest)
            {
                recorder.CollectRest(interval);
            }
            else
            {
                recorder.Collect(interval);
            }
        }

        if (interval.Response.Count == 0)
        {
            return;
        }

        long now = Math.Max(before, (long)_context.Time.GetElapsedTime(_firstStart).TotalNanoseconds);
        interval.AddTo(_result.Totals);
        runTotal.Add(interval.Response);
        _result.Blocks.Append(interval.Response, before, now);
        AddToSeries(interval.Response, start, now);
    }

    private IntervalHistograms? _collected;

    private void AddToSeries(LatencyHistogram response, long start, long now)
    {
        if (_series is null)
        {
            return;
        }

        _ = start;
        _seriesInterval.Add(response);
        if (now - _seriesStart >= _plan.SeriesInterval.TotalNanoseconds)
        {
            EmitSeries(now);
        }
    }

    private void FlushSeries()
    {
        if (_series is not null && _seriesInterval.Count > 0)
        {
            EmitSeries(Math.Max(_seriesStart, _result.Blocks[^1].EndNs));
        }
    }

    private void EmitSeries(long now)
    {
        TimeSpan from = TimeSpan.FromMicroseconds(_seriesStart / 1e3);
        _series!(new SeriesInterval(_result.StartedUtc + from, TimeSpan.FromMicroseconds((now - _seriesStart) / 1e3), _seriesInterval));
        _seriesInterval.Reset();
        _seriesStart = now;
    }

    private void Report(int run, List<LatencyRecorder> recorders, long start)
    {
        if (_progress is null)
        {
            return;
        }

        double elapsed = _context.Time.GetElapsedTime(start).TotalSeconds;
        double byTime = _plan.Duration is { } d ? elapsed / (d + _plan.Warmup).TotalSeconds : 0;
        double byCount = _plan.Count is { } count ? recorders.Sum(r => r.Sent) / (double)count : 0;
        double share = Math.Clamp(Math.Max(byTime, byCount), 0, 1);
        _progress.Report(new MeasurementProgress((run + share) / _plan.Runs, $"measuring {_target.Name}"));
    }
}
