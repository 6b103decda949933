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
    private readonly PosixSignalRegistration[] _registrations;

    public ConsoleEvents()
    {
        _registrations =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGQUIT, Cancel),
            PosixSignalRegistration.Create(PosixSignal.SIGHUP, context =>
            {
                Cancel(context);
                _done.Wait(Grace);
            }),
        ];
    }

    public CancellationToken Cancellation => _cancel.Token;

    // The registrations stay for the moments until the process ends, and so does what a handler may still hold.
    public void Dispose()
    {
        _done.Set();
        GC.KeepAlive(_registrations);
    }

    private void Cancel(PosixSignalContext context)
    {
        context.Cancel = true;
        _cancel.Cancel();
    }
}
