using System.CommandLine;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The option <c>--sockets</c> of commands that judge recordings.</summary>
internal static class SocketsOption
{
    /// <summary>Makes the option.</summary>
    /// <param name="what">What the document is, a phrase.</param>
    public static Option<string?> Create(string what) => new("--sockets")
    {
        Description = $"{what}: it names processes and their TCP_NODELAY.",
        HelpName = "file.json",
    };

    /// <summary>The sockets of a document; none without one.</summary>
    /// <param name="host">The streams and the machine.</param>
    /// <param name="path">The document; null without one.</param>
    /// <exception cref="Core.ExpectedFailureException">It cannot be read, or is another document.</exception>
    public static IReadOnlyList<HostSocket> Read(CliHost host, string? path) =>
        path is null ? [] : ReportJson.Read<SocketsReport>(SnapshotFiles.Bytes(host, path), CliHost.NameOf(path)).Sockets;
}
