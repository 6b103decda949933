using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Hosting;

/// <summary>
/// Makes the loss of the terminal (SIGHUP) end the work as Ctrl-C does, with what was measured so far; unless it was ignored when the process began, which is
/// what <c>nohup</c> asks for. The command line library handles Ctrl-C and the request to end.
/// </summary>
[UnsupportedOSPlatform("windows")]
internal sealed class HangUpSignal : IDisposable
{
    private readonly CancellationTokenSource _cancel = new();
    private readonly PosixSignalRegistration? _registration;

    public HangUpSignal() => _registration = WasIgnored() ? null : PosixSignalRegistration.Create(PosixSignal.SIGHUP, context =>
    {
        context.Cancel = true;
        _cancel.Cancel();
    });

    public CancellationToken Cancellation => _cancel.Token;

    // The source is not disposed: the handler may still run.
    public void Dispose() => _registration?.Dispose();

    // Linux tells which signals a process ignores; elsewhere none is taken to be ignored.
    private static bool WasIgnored()
    {
        const ulong HangUp = 1;
        return ulong.TryParse(ProcSelf.Line("status", "SigIgn:"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong mask)
            && (mask & HangUp) != 0;
    }
}
