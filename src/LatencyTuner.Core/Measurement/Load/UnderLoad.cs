using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Scheduling;

namespace LatencyTuner.Core.Measurement.Load;

/// <summary>
/// Times requests while the path is idle and while it is full, in turns, so that a drift of the path is not mistaken for the load.
/// One connection carries the timed requests from the first phase to the last; each loaded phase opens other connections for the load.
/// </summary>
public sealed class UnderLoad : IDisposable
{
    private static readonly TimeSpan Bin = TimeSpan.FromMilliseconds(100);
    private readonly MeasurementTarget _target;
    private readonly LoadPlan _plan;
    private readonly MeasuringContext _context;
    private readonly IProgress<MeasurementProgress>? _progress;
    private readonly HostWatch _watch;
    private readonly List<(long Start, long End, HostUse Client, IReadOnlyList<LoadSide> Load)> _phases = [];
    private readonly RunControl _control = new();
    private readonly ManualResetEventSlim _probeEnded = new();
    private readonly ByteBudget _budget;
    private StallClock? _clock;
    private long _began;

    private UnderLoad(MeasurementTarget target, LoadPlan plan, MeasuringContext context, IProgress<MeasurementProgress>? progress)
    {
        _target = target;
        _plan = plan;
        _context = context;
        _progress = progress;
        _watch = new HostWatch(context.Time, context.Platform);
        _budget = new ByteBudget(plan.MostBytes);
    }

    /// <summary>Runs the measurement. A failure after the first phase gives a partial result.</summary>
    /// <param name="target">The responder.</param>
    /// <param name="plan">The settings of the run.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    /// <param name="cancellation">Ends the run early; the result then says so.</param>
    /// <param name="progress">Receives the progress a few times a second; null for none.</param>
    /// <exception cref="ExpectedFailureException">The responder could not be reached, refused the client, or is not a latencytuner responder.</exception>
    public static UnderLoadResult Run(
        MeasurementTarget target, LoadPlan plan, MeasuringContext context, CancellationToken cancellation, IProgress<MeasurementProgress>? progress = null)
    {
        using UnderLoad run = new(target, plan, context, progress);
        return run.Run(cancellation);
    }

    /// <summary>Releases the wait handle.</summary>
    public void Dispose() => _probeEnded.Dispose();

    private UnderLoadResult Run(CancellationToken cancellation)
    {
        MeasurementPlan probe = _plan.Probe;
        DateTimeOffset started = _context.Time.GetUtcNow();
        _began = _context.Time.GetTimestamp();
        string? ended = null;
        bool cancelled = false;
        PeerConnection peer;
        try
        {
            peer = PeerConnection.Open(_target, probe with { Watch = true }, null, _context, cancellation);
        }
        catch (PeerFailureException e)
        {
            throw new ExpectedFailureException(ExitCode.Measurement, e.Message, e);
        }

        bool sameMachine = _target.IsLoopback || IsSameMachine(peer);
        _context.Platform.SetTimeouts(peer.Socket, (int)probe.ReplyTimeout.TotalMilliseconds);
        _context.Platform.SetBlocking(peer.Socket, false);
        double seconds = MostSeconds();
        RequestLog log = new(
            (int)Math.Min(MeasurementPlan.Requests(TimeSpan.FromSeconds(seconds), probe.RatePerSecond!.Value) + 1, 4_000_000), probe.Seed, _context.Time,
            _context.Platform);
        using MeasuredConnection connection = new(peer, probe.Workload, _context.Platform) { Log = log };
        MeasuringThreads probeThread = StartProbe(connection, MeasurementPlan.Requests(TimeSpan.FromSeconds(seconds), probe.RatePerSecond!.Value));
        _clock = _watch.Join();
        try
        {
            Phases(cancellation);
        }
        catch (PeerFailureException e)
        {
            ended = e.Message;
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            cancelled = true;
        }
        finally
        {
            _watch.Leave();
            ended ??= _control.Failure;
            ended = ended is null ? null : _target.Explained(ended);
            _control.Cancel();
            _context.Platform.Interrupt(peer.Socket);
            probeThread.Join();
        }

        if (ended is not null && _phases.Count == 0)
        {
            throw new ExpectedFailureException(ExitCode.Measurement, ended);
        }

        return new UnderLoadResult
        {
            Target = _target,
            Plan = _plan,
            StartedUtc = started,
            Elapsed = _context.Time.GetElapsedTime(_began),
            Phases = Assign(log.Rows()),
            SameMachine = sameMachine,
            BytesSpent = _budget.Exhausted,
            Cancelled = cancelled,
            EndedBecause = ended,
            ResponderSoftware = peer.Ready?.Software,
            ResponderOs = peer.Ready?.Os,
        };
    }

    /// <summary>More than all phases can take, so that the schedule of the timed requests never ends first.</summary>
    private double MostSeconds() =>
        60 + (2 * _plan.Loaded.TotalSeconds)
            + (_plan.Rounds * ((3 * _plan.Settle.TotalSeconds) + 10 + (2 * _plan.Connections * _plan.Probe.HandshakeTimeout.TotalSeconds)));

    private MeasuringThreads StartProbe(MeasuredConnection connection, long requests)
    {
        MeasurementPlan plan = _plan.Probe with { Warmup = TimeSpan.Zero };
        double nsPerTick = 1e9 / _context.Time.TimestampFrequency;
        SendSchedule schedule = new(plan.RatePerSecond!.Value, plan.Arrivals, requests, plan.Seed);
        LatencyRecorder recorder = new(openLoop: true, nsPerTick, 0);
        OpenLoop loop = new([connection], plan, schedule, _target.Name, _control, recorder, _context.Time, _context.Platform);
        MeasuringThreads thread = new("measure", 0, bug => _control.Fail(bug.Message));
        thread.Start(() =>
        {
            using IDisposable slack = _context.Platform.RaiseTimerResolution();
            try
            {
                loop.Run();
            }
            finally
            {
                _probeEnded.Set();
            }
        });
        return thread;
    }

    private void Phases(CancellationToken cancellation)
    {
        // The first requests warm up both programs.
        Wait(_plan.Settle, cancellation);
        for (int round = 0; round < _plan.Rounds && !_budget.Exhausted; round++)
        {
            Idle(round, cancellation);
            Loaded(round, cancellation);
        }

        Idle(_plan.Rounds, cancellation);
        // The last requests of the last phase are answered too.
        Wait(TimeSpan.FromMilliseconds(200), cancellation);
    }

    private void Idle(int round, CancellationToken cancellation)
    {
        Report(round, "idle");
        HostSample start = _watch.Look(_clock!);
        try
        {
            Wait(_plan.IdleEach, cancellation);
        }
        finally
        {
            // Also when the run ends early: it reports what was measured.
            HostSample end = _watch.Look(_clock!);
            _phases.Add((start.Timestamp, end.Timestamp, _watch.Between(start, end), []));
        }
    }

    private void Loaded(int round, CancellationToken cancellation)
    {
        using LoadGenerator load = LoadGenerator.Open(_target, _plan, _budget, _context, cancellation);
        Report(round + 0.5, "loaded");
        load.Start();
        for (long since = _context.Time.GetTimestamp(); _context.Time.GetElapsedTime(since) < _plan.Settle && !load.Idle;)
        {
            Wait(Bin, cancellation);
        }

        HostSample start = _watch.Look(_clock!);
        load.BeginCounting();
        try
        {
            while (_context.Time.GetElapsedTime(start.Timestamp) < _plan.LoadedEach && !load.Idle)
            {
                Wait(Bin, cancellation);
                load.Look();
            }
        }
        finally
        {
            load.EndCounting();
            HostSample end = _watch.Look(_clock!);
            _phases.Add((start.Timestamp, end.Timestamp, _watch.Between(start, end), load.Stop(cancellation)));
        }

        // Data of the load that is still queued on the path must not delay the next phase.
        Wait(_plan.Settle, cancellation);
    }

    /// <summary>Waits, and fails when the timed requests end meanwhile.</summary>
    private void Wait(TimeSpan time, CancellationToken cancellation)
    {
        if (_probeEnded.Wait(time, cancellation))
        {
            throw new PeerFailureException(_control.Failure ?? "The timed requests ended early.");
        }
    }

    private List<LoadPhase> Assign(RequestRow[] rows)
    {
        double nsPerTick = 1e9 / _context.Time.TimestampFrequency;
        return _phases.ConvertAll(p => new LoadPhase
        {
            Start = _context.Time.GetElapsedTime(_began, p.Start),
            Elapsed = _context.Time.GetElapsedTime(p.Start, p.End),
            ResponsesNs =
                [.. rows.Where(r => r.Planned >= p.Start && r.Planned < p.End).Select(r => Math.Max((long)((r.Received - r.Planned) * nsPerTick), 0))],
            Client = p.Client,
            Load = p.Load,
        });
    }

    private static bool IsSameMachine(PeerConnection peer)
    {
        try
        {
            return peer.Socket is { LocalEndPoint: IPEndPoint local, RemoteEndPoint: IPEndPoint remote } && local.Address.Equals(remote.Address);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    private void Report(double round, string what) =>
        _progress?.Report(new MeasurementProgress(round / (_plan.Rounds + 0.5), $"{what}, {_target.Name}"));
}
