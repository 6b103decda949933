using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Probes of clock, timers and processors. Each runs on a thread of its own: settings of that thread end with it.</summary>
internal sealed class TimeProbes(SelftestEvidence evidence, ISocketPlatform platform, TimeProvider time)
{
    private const int Waits = 60;
    private const long WaitNs = 2_000_000;

    /// <summary>A tick of a microsecond is well below everything that is judged.</summary>
    private const long LeastTicksPerSecond = 1_000_000;
    private const int HighResolutionBuild = 17134;

    internal IEnumerable<(string Id, Func<ProbeFinding> Probe)> All() =>
    [
        ("timer-resolution",
            () => evidence.Snapshot.Os.Build < HighResolutionBuild
                ? ProbeFinding.Unknown("This Windows is older than the high-resolution timer.", OnThread(Overshoot).Text) : Resolution()),
        ("timer-fallback",
            () => evidence.Snapshot.Os.Build < HighResolutionBuild ? Fallback() : ProbeFinding.Unknown("This Windows has the high-resolution timer.")),
        ("timer-background", () => ProbeFinding.Unknown("A selftest is run in a window.", OnThread(Overshoot).Text)),
        ("clock-rate", () => OnThread(Clock)),
        ("processor-times", () => OnThread(Times)),
        ("processor-groups", () => OnThread(Groups)),
    ];

    private ProbeFinding Resolution()
    {
        (double p90Ms, string? text) = OnThread(Overshoot);
        return ProbeFinding.Of(p90Ms < 1, "Waits of 2 ms were timed.", text);
    }

    private ProbeFinding Fallback()
    {
        (double p90Ms, string? text) = OnThread(Overshoot);
        return ProbeFinding.Of(p90Ms < 2.5, "Waits of 2 ms were timed under the raised resolution.", text);
    }

    private Late Overshoot()
    {
        using IDisposable raised = platform.RaiseTimerResolution();
        TimerInForce timer = platform.ReadTimer();
        double[] late = new double[Waits];
        for (int i = 0; i < late.Length; i++)
        {
            long start = time.GetTimestamp();
            _ = platform.Wait([], [], WaitNs);
            late[i] = time.GetElapsedTime(start).TotalMilliseconds - (WaitNs / 1e6);
        }

        Array.Sort(late);
        return new(
            late[late.Length * 9 / 10],
            $"{(timer.IsHighResolution ? "high-resolution timer" : "tick")}{(timer.StepNs is { } step ? $", in steps of {step / 1e6:0.######} ms" : "")}; "
            + $"n={late.Length}: late by {late[late.Length / 2]:0.000} ms (median), {late[late.Length * 9 / 10]:0.000} ms (90th percentile), "
            + $"{late[^1]:0.000} ms (maximum)");
    }

    private ProbeFinding Clock()
    {
        int back = 0;
        long last = time.GetTimestamp();
        int pinned = 0;
        for (int processor = 0; processor < evidence.Processors * 3; processor++)
        {
            pinned += platform.TryPinThread(processor % evidence.Processors) ? 1 : 0;
            for (int i = 0; i < 1000; i++)
            {
                long now = time.GetTimestamp();
                back += now < last ? 1 : 0;
                last = now;
            }
        }

        return ProbeFinding.Of(
            back == 0 && time.TimestampFrequency >= LeastTicksPerSecond,
            "The clock was read on each processor in turn.",
            $"{time.TimestampFrequency} ticks per second: {1e9 / time.TimestampFrequency:0.#} ns a tick",
            $"{Counted.Of(back, "step")} back in {evidence.Processors * 3000} readings on {Counted.Of(evidence.Processors, "processor")} ({pinned} of "
                + $"{evidence.Processors * 3} "
            + "bindings accepted)");
    }

    private ProbeFinding Times()
    {
        const double SpinMs = 100;
        long start = time.GetTimestamp();
        ProcessorTimes before = platform.ReadProcessorTimes();
        while (time.GetElapsedTime(start).TotalMilliseconds < SpinMs)
        {
        }

        ProcessorTimes after = platform.ReadProcessorTimes();
        double elapsedNs = time.GetElapsedTime(start).TotalNanoseconds;
        if (after.ProcessNs - before.ProcessNs is not { } own || after.MachineTotalNs - before.MachineTotalNs is not { } machine)
        {
            return ProbeFinding.Unknown(
                "This system reports no processor times of the whole machine; on Windows with several groups of processors there is no call for them.");
        }

        (double used, double all) = (own / elapsedNs, machine / elapsedNs);
        return ProbeFinding.Of(
            used > 0.5 && all > 0.7 * evidence.Processors && all < 1.3 * evidence.Processors,
            "One thread was kept busy for a tenth of a second.",
            $"this program used {used:0.00} of the processors; the times of the machine are those of {all:0.00} of "
                + $"{Counted.Of(evidence.Processors, "processor")}");
    }

    private ProbeFinding Groups()
    {
        int refused = Enumerable.Range(0, evidence.Processors).Count(p => !platform.TryPinThread(p));
        string seen = $"{Counted.Of(evidence.Processors, "processor")}, {refused} bindings refused";
        return evidence.Processors <= 64 ? ProbeFinding.Unknown("This machine has one group of processors, as far as this process can see.", seen)
            : refused > 0 ? ProbeFinding.Of(false, "A binding to a processor was refused.", seen)
            : ProbeFinding.Unknown("Each binding was accepted. Only Task Manager shows whether it was the processor of that number.", seen);
    }

    private static T OnThread<T>(Func<T> work)
        where T : class
    {
        T? result = null;
        Exception? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                result = work();
            }
            catch (Exception e)
            {
                failure = e;
            }
        });
        thread.Start();
        thread.Join();
        return result ?? throw new InvalidOperationException(failure?.Message ?? "The probe returned no result.", failure);
    }

    /// <param name="P90Ms">The 90th percentile of how late waits ended, ms.</param>
    /// <param name="Text">The spread in words.</param>
    private sealed record Late(double P90Ms, string Text);
}
