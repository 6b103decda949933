using System.Collections.Concurrent;
using System.Diagnostics;

namespace LatencyTuner.Fuzz;

/// <summary>Cases of consecutive seeds on some threads, watched by the one that started them.</summary>
internal sealed class FuzzRun(long firstSeed, long mostCases, Func<long, FuzzOutcome> one, double slowMs = 1000)
{
    private const double HangMs = 60_000;
    private const int EnoughCrashes = 100;

    private readonly ConcurrentQueue<string> _failures = new();
    private long _next;
    private long _cases;
    private long _refused;
    private long _damaged;
    private long _frames;
    private long _segments;
    private int _crashes;
    private int _hangs;
    private double _slowestMs;
    private volatile bool _stop;

    public IEnumerable<string> Failures => _failures;

    public long Cases => Volatile.Read(ref _cases);

    public long Refused => Volatile.Read(ref _refused);

    public long Damaged => Volatile.Read(ref _damaged);

    public long Frames => Volatile.Read(ref _frames);

    public long Segments => Volatile.Read(ref _segments);

    public int Crashes => Volatile.Read(ref _crashes);

    public int Hangs => Volatile.Read(ref _hangs);

    public double SlowestMs => Volatile.Read(ref _slowestMs);

    /// <summary>Runs, prints what failed and a line of figures.</summary>
    /// <returns>0, or 1 when something failed.</returns>
    public int RunAndPrint(TimeSpan time, int threads)
    {
        long begin = Stopwatch.GetTimestamp();
        Run(time, threads);
        TimeSpan took = Stopwatch.GetElapsedTime(begin);
        foreach (string failure in _failures.Take(EnoughCrashes))
        {
            Console.WriteLine(failure);
        }

        using Process self = Process.GetCurrentProcess();
        Console.WriteLine(
            $"cases {_cases}, refused {_refused}, damaged {_damaged}, frames {_frames}, segments {_segments}; crashes {_crashes}, hangs {_hangs}; "
            + $"slowest {_slowestMs:0} ms, peak memory {self.PeakWorkingSet64 >> 20} MB, {_cases / took.TotalSeconds:0} cases/s");
        return _crashes + _hangs == 0 ? 0 : 1;
    }

    /// <summary>Runs until the time or the cases are used up, or a case never ends.</summary>
    public void Run(TimeSpan time, int threads)
    {
        long begin = Stopwatch.GetTimestamp();
        Worker[] workers = [.. Enumerable.Range(0, threads).Select(_ => new Worker())];
        Thread[] running = [.. workers.Select(w => new Thread(() => Work(w)) { IsBackground = true })];
        foreach (Thread thread in running)
        {
            thread.Start();
        }

        while (running.Any(t => t.IsAlive))
        {
            running.First(t => t.IsAlive).Join(100);
            _stop |= Stopwatch.GetElapsedTime(begin) > time;
            if (workers.FirstOrDefault(w => w.Since is > 0 and long since && Stopwatch.GetElapsedTime(since).TotalMilliseconds > HangMs) is { } stuck)
            {
                _failures.Enqueue($"HANG seed {stuck.Seed}: has not ended after {HangMs / 1000:0} s");
                Interlocked.Increment(ref _hangs);
                return;
            }
        }
    }

    private void Work(Worker worker)
    {
        while (!_stop && Interlocked.Increment(ref _next) is long at && at <= mostCases)
        {
            worker.Seed = firstSeed + at - 1;
            double ms = Once(worker);
            if (ms > slowMs)
            {
                // Something else may have had the processor: once more decides.
                ms = Math.Min(ms, Once(worker));
                if (ms > slowMs)
                {
                    _failures.Enqueue($"SLOW seed {worker.Seed}: {ms:0} ms");
                    Interlocked.Increment(ref _hangs);
                }
            }

            Interlocked.Increment(ref _cases);
            if (ms > Volatile.Read(ref _slowestMs))
            {
                Volatile.Write(ref _slowestMs, ms);
            }
        }
    }

    private double Once(Worker worker)
    {
        long begin = worker.Since = Stopwatch.GetTimestamp();
        try
        {
            FuzzOutcome outcome = one(worker.Seed);
            Interlocked.Add(ref _refused, outcome.Refused ? 1 : 0);
            Interlocked.Add(ref _damaged, outcome.Damaged ? 1 : 0);
            Interlocked.Add(ref _frames, outcome.Frames);
            Interlocked.Add(ref _segments, outcome.Segments);
        }
        catch (Exception failure)
        {
            // Whatever it is, it is what this program looks for.
            _failures.Enqueue($"CRASH seed {worker.Seed}: {failure}");
            _stop |= Interlocked.Increment(ref _crashes) == EnoughCrashes;
        }

        worker.Since = 0;
        return Stopwatch.GetElapsedTime(begin).TotalMilliseconds;
    }

    private sealed class Worker
    {
        private long _seed;
        private long _since;

        public long Seed { get => Volatile.Read(ref _seed); set => Volatile.Write(ref _seed, value); }

        /// <summary>When the case began; 0 between two.</summary>
        public long Since { get => Volatile.Read(ref _since); set => Volatile.Write(ref _since, value); }
    }
}
