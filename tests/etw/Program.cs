using System.Diagnostics.CodeAnalysis;
using LatencyTuner.Commands;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Hosting;
using LatencyTuner.Windows;

return await Cli.RunAsync(args, Stand.Host()).ConfigureAwait(false);

/// <summary>The program as it is on Windows, as far as traces go.</summary>
internal static class Stand
{
    public static CliHost Host() => new()
    {
        Out = Console.Out,
        Error = Console.Error,
        ErrorIsTerminal = Environment.GetEnvironmentVariable("LATENCYTUNER_ETW_TERMINAL") == "1",
        Unicode = true,
        LiveTrace = Trace,
    };

    [SuppressMessage("Interoperability", "CA1416:Validate platform compatibility", Justification = "The stand-in is beneath it.")]
    private static RecordingResult Trace(LiveTraceRequest request, CancellationToken cancellation) => LiveTraceRun.Run(request, cancellation);
}
