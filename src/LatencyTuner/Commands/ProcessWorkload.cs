using LatencyTuner.Core.Analysis.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>--process NAME</c> of commands that measure: the workload is set as the sockets of a running application are.</summary>
internal static class ProcessWorkload
{
    public const string Description = "Measure as this running process or service has set its sockets: TCP_NODELAY, fixed buffers.";

    /// <summary>How the application has set its sockets; null when none was named.</summary>
    public static ApplicationSockets? Read(CliHost host, string? name, IEnumerable<string> targets, CancellationToken cancellation)
    {
        if (name is null)
        {
            return null;
        }

        SocketSelection selection = new() { Names = [name] };
        string[] remotes = [.. SocketsRun.Addresses(host, targets, cancellation)];
        return ApplicationSockets.From(SocketsRun.Require(host)(selection), name, remotes);
    }

    /// <summary>The workload as the application is set; what the user gave on the command line stays.</summary>
    public static Workload Of(Workload given, ApplicationSockets? application) => application is null ? given : given with
    {
        NoDelay = given.NoDelay ?? application.NoDelay,
        SendBuffer = given.SendBuffer ?? application.SendBuffer,
        ReceiveBuffer = given.ReceiveBuffer ?? application.ReceiveBuffer,
    };
}
