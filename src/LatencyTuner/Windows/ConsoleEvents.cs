using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>
/// Ctrl-Break, and a console window that is closed, end the work as Ctrl-C does: with what was measured so far. Ctrl-C and the shutdown of
/// the system are the command line library's.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class ConsoleEvents : IDisposable
{
    // Windows ends the process when the handler returns, and in any case five seconds after the window was closed (HandlerRoutine, CTRL_CLOSE_EVENT).
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(4.5);
    private readonly CancellationTokenSource _cancel = new();
    private readonly ManualResetEventSlim _done = new();
    private readonly PosixSignalRegistration _break;
    private readonly PosixSignalRegistration _close;

    public ConsoleEvents()
    {
        _break = PosixSignalRegistration.Create(PosixSignal.SIGQUIT, Cancel);
        _close = PosixSignalRegistration.Create(PosixSignal.SIGHUP, context =>
        {
            Cancel(context);
            _done.Wait(Grace);
        });
    }

    public CancellationToken Cancellation => _cancel.Token;

    public void Dispose()
    {
        // The event and the source stay: a handler may still hold them, and the process ends now.
        _done.Set();
        _break.Dispose();
        _close.Dispose();
    }

    private void Cancel(PosixSignalContext context)
    {
        context.Cancel = true;
        _cancel.Cancel();
    }
}
