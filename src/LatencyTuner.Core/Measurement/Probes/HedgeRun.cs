using LatencyTuner.Core.Measurement.Loops;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>
/// Measures best-of-two: each round asks, in random order, the first target alone, the second alone, and the first with the second as its
/// hedge after the delay. The times of the targets alone predict the times with the hedge if both were independent. Each kind of turn uses
/// the same two threads, so that the cost of waking them is in the prediction and in the measured times.
/// </summary>
public sealed class HedgeRun : IDisposable
{
    private const int Calibrating = 20;
    private const double SpinSeconds = 0.002;

    // Longer than the resolution of any timer: a turn that asks the second target alone waits no longer than this.
    private static readonly TimeSpan LongestLead = TimeSpan.FromMilliseconds(20);
    private readonly HedgePlan _plan;
    private readonly TimeProvider _time;
    private readonly CancellationToken _stop;
    private readonly HedgeEnd _first;
    private readonly HedgeEnd _second;
    private readonly RunningDelay _delay;
    private readonly List<long> _hedgedNs = [];
    private readonly List<long> _delaysNs = [];
    private readonly ManualResetEventSlim _answered = new(false);
    private readonly SemaphoreSlim _go = new(0);
    private readonly SemaphoreSlim _done = new(0);
    private readonly MeasuringThreads _threads;
    private volatile bool _over;
    private HedgeTurn _turn;
    private long _secondAt;
    private long? _secondAnswer;
    private bool _secondWasAsked;
    private long _hedged;
    private long _secondAsked;
    private long _unanswered;

    private HedgeRun(ProbeTarget first, ProbeTarget second, HedgePlan plan, TimeProvider time, CancellationToken stop)
    {
        _plan = plan;
        _time = time;
        _stop = stop;
        _first = new HedgeEnd(first, time, stop);
        _second = new HedgeEnd(second, time, stop);
        _delay = new RunningDelay(plan.AfterPercentile);
        _threads = new MeasuringThreads("hedge", 0, _ =>
        {
            _over = true;
            _done.Release();
        });
    }

    /// <summary>Runs all rounds.</summary>
    /// <param name="first">The target that is asked first.</param>
    /// <param name="second">The target that is asked when the first takes too long.</param>
    /// <param name="plan">Rate, rounds and delay.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancellation">Ends the run early; the result then says so.</param>
    /// <param name="progress">Receives the progress; null for none.</param>
    public static HedgeResult Run(
        ProbeTarget first, ProbeTarget second, HedgePlan plan, TimeProvider time, CancellationToken cancellation,
        IProgress<MeasurementProgress>? progress = null)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(time);
        using HedgeRun run = new(first, second, plan, time, cancellation);
        using CancellationTokenRegistration interrupt = cancellation.Register(() =>
        {
            run._first.Interrupt();
            run._second.Interrupt();
        });
        return run.Measure(progress);
    }

    /// <summary>Closes both targets.</summary>
    public void Dispose()
    {
        _first.Dispose();
        _second.Dispose();
        _answered.Dispose();
        _go.Dispose();
        _done.Dispose();
    }

    private HedgeResult Measure(IProgress<MeasurementProgress>? progress)
    {
        DateTimeOffset started = _time.GetUtcNow();
        long start = _time.GetTimestamp();
        _threads.Start(Hedge);
        try
        {
            AskAll(start, progress);
        }
        finally
        {
            _over = true;
            _go.Release();
            _threads.Join();
        }
        return new HedgeResult(
            started, _time.GetElapsedTime(start), _plan, _first.Series, _second.Series, _first.AloneNs, _second.AloneNs, _hedgedNs,
            _delaysNs.Count > 0 ? _delaysNs : [DelayNs], _hedged, _secondAsked, _unanswered, _stop.IsCancellationRequested);
    }

    private long DelayNs => _plan.After is { } after ? (long)after.TotalNanoseconds : _delay.Ns;

    private void AskAll(long start, IProgress<MeasurementProgress>? progress)
    {
        long period = (long)(_time.TimestampFrequency / _plan.RatePerSecond);
        if (!_stop.IsCancellationRequested)
        {
            _first.Warm();
            _second.Warm();
        }
        long next = Math.Max(start, _time.GetTimestamp());
        if (_plan.After is null)
        {
            Calibrate(ref next, period);
        }

        Random order = new(_plan.Seed);
        HedgeTurn[] turns = Enum.GetValues<HedgeTurn>();
        for (long round = 0; round < _plan.Rounds && !_stop.IsCancellationRequested && !_over; round++)
        {
            order.Shuffle(turns);
            for (int i = 0; i < turns.Length && !_over && Wait(ref next, period); i++)
            {
                Ask(turns[i]);
            }

            progress?.Report(new MeasurementProgress(round / (double)_plan.Rounds, "asking each target alone, then both"));
        }
    }

    private void Calibrate(ref long next, long period)
    {
        for (int i = 0; i < Calibrating && Wait(ref next, period); i++)
        {
            Learn(_time.GetTimestamp(), _first.Ask(alone: true));
        }
    }

    /// <summary>Takes the time of the first target into the delay, from the moment from which the delay counts.</summary>
    private void Learn(long start, long? answer)
    {
        if (answer is { } received)
        {
            _delay.Add((long)_time.GetElapsedTime(start, received).TotalNanoseconds);
        }
    }

    private void Ask(HedgeTurn turn)
    {
        bool open = _first.Prepare() & _second.Prepare();
        if (turn == HedgeTurn.Both && !open)
        {
            _unanswered += _stop.IsCancellationRequested ? 0 : 1;
            return;
        }
        long delayNs = DelayNs;
        long leadNs = turn == HedgeTurn.SecondAlone ? Math.Min(delayNs, (long)LongestLead.TotalNanoseconds) : delayNs;
        _turn = turn;
        _answered.Reset();
        long start = _time.GetTimestamp();
        _secondAt = start + (long)(leadNs / 1e9 * _time.TimestampFrequency);
        _go.Release();
        long? answer = turn == HedgeTurn.SecondAlone ? null : _first.Ask(alone: turn == HedgeTurn.FirstAlone);
        if (answer is not null || turn == HedgeTurn.FirstAlone)
        {
            _answered.Set();
        }

        _done.Wait(CancellationToken.None);
        Learn(start, answer);
        if (turn == HedgeTurn.Both && !_stop.IsCancellationRequested)
        {
            _delaysNs.Add(delayNs);
            Count(start, answer);
        }
    }

    private void Count(long start, long? answer)
    {
        _hedged++;
        _secondAsked += _secondWasAsked ? 1 : 0;
        if (answer is null && _secondAnswer is null)
        {
            _unanswered++;
        }
        else
        {
            _hedgedNs.Add((long)_time.GetElapsedTime(start, Math.Min(answer ?? long.MaxValue, _secondAnswer ?? long.MaxValue)).TotalNanoseconds);
        }
    }

    /// <summary>The thread of the second target.</summary>
    private void Hedge()
    {
        while (true)
        {
            _go.Wait(CancellationToken.None);
            if (_over)
            {
                return;
            }

            _secondAnswer = null;
            _secondWasAsked = !AnsweredBefore(_secondAt) && _turn != HedgeTurn.FirstAlone;
            bool alone = _turn == HedgeTurn.SecondAlone;
            _secondAnswer = _secondWasAsked ? _second.Ask(alone, alone ? _secondAt : null) : null;
            _done.Release();
        }
    }

    private bool AnsweredBefore(long deadline)
    {
        while (true)
        {
            double left = (deadline - _time.GetTimestamp()) / (double)_time.TimestampFrequency;
            if (_answered.IsSet)
            {
                return true;
            }

            if (left <= 0)
            {
                return false;
            }
            // The timer of the system is coarse: sleep for most of the time, then spin.
            if (left > SpinSeconds)
            {
                _answered.Wait(TimeSpan.FromSeconds(left - SpinSeconds), CancellationToken.None);
            }
            else
            {
                Thread.SpinWait(50);
            }
        }
    }

    /// <summary>Waits for the next slot. A slot that has passed begins at once, and missed slots are not made up for.</summary>
    private bool Wait(ref long next, long period)
    {
        bool waited = SteadyWait.Until(next, _time, _stop);
        next = Math.Max(next, _time.GetTimestamp()) + period;
        return waited;
    }
}

/// <summary>What one turn of a hedged run asks.</summary>
internal enum HedgeTurn
{
    /// <summary>The first target alone; the second is ready but is not asked.</summary>
    FirstAlone,

    /// <summary>The second target alone.</summary>
    SecondAlone,

    /// <summary>The first target, and the second after the delay if the first has not answered.</summary>
    Both,
}
