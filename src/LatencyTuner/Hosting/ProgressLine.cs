using System.Diagnostics;
using LatencyTuner.Core;
using Spectre.Console;

namespace LatencyTuner.Hosting;

/// <summary>Progress with the time left on stderr, for work of more than two seconds on a terminal; silent otherwise.</summary>
internal sealed class ProgressLine : IProgress<MeasurementProgress>
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);
    private MeasurementProgress _latest;
    private readonly object _gate = new();

    public void Report(MeasurementProgress value)
    {
        lock (_gate)
        {
            _latest = value;
        }
    }

    /// <summary>Runs the work and shows its progress.</summary>
    public static T Run<T>(CliHost host, CommonValues common, Func<IProgress<MeasurementProgress>?, T> work)
    {
        if (host.Lines is null && (!host.ErrorIsTerminal || common.Quiet))
        {
            return work(null);
        }

        ProgressLine line = new();
        Task<T> running = Task.Factory.StartNew(() => work(line), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        // The handle, not Wait, which would wrap a failure of the work: it is thrown unwrapped below.
        if (host.Lines is { } lines)
        {
            line.Write(lines, running);
        }
        else if (!((IAsyncResult)running).AsyncWaitHandle.WaitOne(Patience))
        {
            line.Show(host, running);
        }

        return running.GetAwaiter().GetResult();
    }

    /// <summary>On this thread, not on those that report: a reader of the lines that falls behind must not stop a measurement.</summary>
    private void Write(JsonProgress lines, Task running)
    {
        while (!((IAsyncResult)running).AsyncWaitHandle.WaitOne(JsonProgress.Pause))
        {
            MeasurementProgress latest;
            lock (_gate)
            {
                latest = _latest;
            }

            lines.Progress(latest);
        }
    }

    private void Show(CliHost host, Task running)
    {
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(host.Error) });
        Progress progress = console.Progress().AutoClear(true).HideCompleted(true)
            .Columns(new TaskDescriptionColumn(), new ProgressBarColumn(), new PercentageColumn(), new RemainingTimeColumn());
        // Twice a second: drawing takes processor time that the measurement needs.
        progress.RefreshRate = TimeSpan.FromMilliseconds(500);
        progress.Start(context =>
        {
            ProgressTask task = context.AddTask("working", maxValue: 1);
            Stopwatch since = Stopwatch.StartNew();
            while (!((IAsyncResult)running).AsyncWaitHandle.WaitOne(TimeSpan.FromMilliseconds(400)))
            {
                MeasurementProgress latest;
                lock (_gate)
                {
                    latest = _latest;
                }

                task.Description = Markup.Escape(latest.What ?? "working");
                task.IsIndeterminate = latest.Share is null;
                task.Value = Math.Min(latest.Share ?? 0, 0.999);
            }
        });
    }
}
