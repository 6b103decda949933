using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Windows;

/// <summary>
/// Makes Ctrl-Break and the closing of the console window end the work as Ctrl-C does: with what was measured so far. The command line
/// library handles Ctrl-C and the shutdown of the system.
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

    // Not disposed: a handler may still run until the process ends, and needs the registrations and the source.
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
