using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.ExceptionServices;
using System.Runtime.Versioning;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;
using Microsoft.Diagnostics.Tracing.Session;

namespace LatencyTuner.Windows;

/// <summary>One live trace, from the checks before it to the last findings. Its sessions are stopped whatever happens.</summary>
[SupportedOSPlatform("windows")]
internal sealed class LiveTraceRun : IDisposable
{
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(1);

    /// <summary>The longest time for analysing the events that are still in the buffers when the session is stopped.</summary>
    private static readonly TimeSpan Backlog = TimeSpan.FromSeconds(20);

    private readonly LiveTraceRequest _request;
    private readonly LiveEtwSession _live;
    private readonly LiveEtwSession? _file;
    private readonly ManualResetEvent _ended = new(false);
    private volatile bool _stopping;
    private volatile Exception? _failure;
    private Thread? _reader;
    private LiveTrace? _trace;

    private LiveTraceRun(LiveTraceRequest request, SessionName name)
    {
        _request = request;
        _live = new LiveEtwSession(name);
        _file = request.File is { } path ? new LiveEtwSession(name with { ToFile = true }, path, request.FileMB) : null;
    }

    /// <summary>Runs a live trace and returns its findings.</summary>
    public static RecordingResult Run(LiveTraceRequest request, CancellationToken cancellation)
    {
        // Before any session object exists: a leaked one ends the process where there is no ETW.
        if (MissingPrivilege() is { } why)
        {
            throw new ExpectedFailureException(ExitCode.Platform, why);
        }

        RemoveLeftovers(request.Say);
        RefuseFullDisk(request);
        using Process self = Process.GetCurrentProcess();
        using LiveTraceRun run = new(request, new SessionName(self.Id, new DateTimeOffset(self.StartTime.ToUniversalTime())));
        EventHandler atExit = (_, _) => run.StopQuietly();
        AppDomain.CurrentDomain.ProcessExit += atExit;
        try
        {
            return run.Trace(cancellation);
        }
        finally
        {
            run.StopQuietly();
            AppDomain.CurrentDomain.ProcessExit -= atExit;
        }
    }

    public void Dispose()
    {
        _file?.Dispose();
        // Events may still be delivered, and need the objects that are disposed here.
        bool done = _reader?.Join(Backlog) ?? true;
        _live.Dispose();
        if (done || _reader!.Join(Step))
        {
            _ended.Dispose();
            _trace?.Dispose();
        }
    }

    private static string? MissingPrivilege() =>
        WineLayer.IsPresent ? "This is Wine, which has no Event Tracing for Windows: 'latencytuner trace' needs Windows itself."
        : TraceEventSession.IsElevated() != true
        ? "'latencytuner trace' needs an elevated process: start it from a console that was opened with 'Run as administrator'."
        : null;

    private static void RemoveLeftovers(Action<string> say)
    {
        IReadOnlyList<string> sessions;
        try
        {
            sessions = TraceEventSession.GetActiveSessionNames();
        }
        catch (Exception e) when (LiveEtwSession.Win32Of(e) is not null)
        {
            // A session that cannot be listed cannot be removed. It does no harm, except that it uses one of the machine's sessions.
            say($"The list of trace sessions could not be read, so that a session of an earlier trace may still run: {e.Message.TrimEnd('.')}.");
            return;
        }

        foreach (string leftover in LeftoverSessions.Among(sessions, Find))
        {
            say(TraceControl.Stop(leftover, out _) is 0 or SessionFailure.NotFound
                ? $"Removed the trace session {leftover}: its process has ended."
                : $"The process of the trace session {leftover} has ended, but the session could not be stopped. 'logman stop {leftover} -ets' stops it.");
        }
    }

    private static KnownProcess Find(int processId)
    {
        Process process;
        try
        {
            process = Process.GetProcessById(processId);
        }
        catch (ArgumentException)
        {
            return default;
        }

        using (process)
        {
            try
            {
                return new KnownProcess(true, new DateTimeOffset(process.StartTime.ToUniversalTime()));
            }
            catch (Exception e) when (e is Win32Exception or InvalidOperationException)
            {
                return new KnownProcess(true, null);
            }
        }
    }

    private static void RefuseFullDisk(LiveTraceRequest request)
    {
        if (request.File is { } file && FreeBytes(file) is { } free && free < request.Budget.MinFreeBytes + ((long)request.FileMB << 20))
        {
            throw new ExpectedFailureException(
                ExitCode.Platform,
                $"{file} may grow to {request.FileMB} MiB (--max-file-size) and {request.Budget.MinFreeBytes >> 20} MiB must stay free (--min-free), but "
                + $"{free >> 20} MiB are free there.");
        }
    }

    private static long? FreeBytes(string file)
    {
        try
        {
            return new DriveInfo(Path.GetPathRoot(file)!).AvailableFreeSpace;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // A network share has no drive; the session ends by itself when the share is full.
            return null;
        }
    }

    private RecordingResult Trace(CancellationToken cancellation)
    {
        _live.Open();
        LiveTrace trace = _trace = new(_live.StartUtc, _request.Filter, _request.Limits);
        _reader = new Thread(() => Read(trace)) { Name = "events", IsBackground = true };
        _reader.Start();
        foreach (EtwProfileProvider provider in _request.Profile.Providers)
        {
            _live.Enable(provider);
            _file?.Enable(provider);
        }

        _request.Begun(_live.Name);
        AskForState(_live);
        AskForState(_file);
        (string? endedEarly, SessionLosses seen) = Watch(trace, cancellation);
        // A file that wraps around loses its beginning first, and with it the names of older connections and processes.
        AskForState(_file);
        SessionLosses fileLosses = default;
        SessionLosses losses;
        _stopping = true;
        try
        {
            fileLosses = _file?.Stop() ?? default;
        }
        finally
        {
            losses = _live.Stop();
        }

        if (!_reader.Join(Backlog))
        {
            endedEarly ??= $"events that were still in the buffers {Backlog.TotalSeconds:0} s after the end were left out: the analysis did not keep up";
            _live.Dispose();
            _reader.Join(Step);
        }

        if (_failure is { } failure && LiveEtwSession.Win32Of(failure) is null)
        {
            ExceptionDispatchInfo.Throw(failure);
        }

        if (fileLosses.Any)
        {
            _request.Say($"{_request.File}: the session lost {Counted.Of(fileLosses.Events, "event")} and {Counted.Of(fileLosses.Buffers, "buffer")}.");
        }

        if (endedEarly is not null)
        {
            _request.Say($"{char.ToUpperInvariant(endedEarly[0])}{endedEarly[1..]}.");
        }

        return trace.Finish(Worse(losses, seen), endedEarly, cancellation.IsCancellationRequested);
    }

    private void Read(LiveTrace trace)
    {
        try
        {
            _live.Process(trace.Take);
        }
        catch (Exception e)
        {
            // The thread that waits for this one reports it.
            _failure = e;
        }
        finally
        {
            _ended.Set();
        }
    }

    private void AskForState(LiveEtwSession? session)
    {
        foreach (EtwProfileProvider provider in _request.Profile.Providers.Where(p => session is not null && p.CaptureKeywords != 0))
        {
            if (session!.CaptureState(provider) is not 0 and var error && !_stopping)
            {
                _request.Say(
                    $"{provider.Name} did not report its state before the trace (error {error}). Names of older connections and processes may "
                    + "be missing.");
            }
        }
    }

    /// <summary>Waits for the end of the trace and shows the findings so far.</summary>
    /// <returns>Why it ended early (null when it did not), and the losses at the last look.</returns>
    private (string? EndedEarly, SessionLosses Seen) Watch(LiveTrace trace, CancellationToken cancellation)
    {
        TimeProvider time = _request.Time;
        TraceBudgetWatch budget = new(_request.Budget, time);
        long began = time.GetTimestamp();
        TimeSpan nextLook = TimeSpan.Zero;
        SessionLosses seen = default;
        while (true)
        {
            TimeSpan left = _request.Duration - time.GetElapsedTime(began);
            if (left <= TimeSpan.Zero || WaitHandle.WaitAny([cancellation.WaitHandle, _ended], left < Step ? left : Step) == 0)
            {
                return (null, seen);
            }

            TimeSpan elapsed = time.GetElapsedTime(began);
            if (_ended.WaitOne(0) || !_live.TryQuery(out SessionLosses losses))
            {
                string when = $"after {elapsed.TotalSeconds:0.#} of {_request.Duration.TotalSeconds:0.#} s";
                return (_failure is { } failure && LiveEtwSession.Win32Of(failure) is { } error and not SessionFailure.NotFound
                    ? $"no more events could be read {when} (error {error})"
                    : $"the session was stopped from outside {when}, for example by logman, another tool, or security software (EDR)", seen);
            }

            seen = losses;
            if (budget.Check(new TraceProgress(trace.Events, losses, _request.File is { } file ? FreeBytes(file) : null)) is { } why)
            {
                return (why, seen);
            }

            if (elapsed >= nextLook && elapsed < _request.Duration)
            {
                long before = time.GetTimestamp();
                LiveFindings found = trace.Findings(losses);
                // No events are processed while findings are made, so that this takes at most a tenth of the time.
                nextLook = time.GetElapsedTime(began) + (9 * time.GetElapsedTime(before));
                _request.Show(new LiveTraceState(elapsed, found, losses, budget.EventsPerSecond));
            }
        }
    }

    /// <summary>A session that somebody else stopped reports no losses: those seen last are used.</summary>
    private static SessionLosses Worse(SessionLosses last, SessionLosses seen) => last.Events >= seen.Events && last.Buffers >= seen.Buffers ? last : seen;

    private void StopQuietly()
    {
        _stopping = true;
        foreach (LiveEtwSession? session in new[] { _file, _live })
        {
            try
            {
                session?.Stop();
            }
            catch (ExpectedFailureException e)
            {
                _request.Say(e.Message);
            }
        }
    }
}
