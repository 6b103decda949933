using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Sockets;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>One run of <c>sockets</c>: one reading, or one after another with what changed between them.</summary>
internal sealed record SocketsRun
{
    public required CliHost Host { get; init; }

    public required Func<SocketSelection, SocketSnapshot> Read { get; init; }

    public required SocketSelection Selection { get; init; }

    public required SeverityLimits Limits { get; init; }

    public required Gate Gate { get; init; }

    /// <summary>Findings of a capture; empty without one.</summary>
    public IReadOnlyList<Finding> Captured { get; init; } = [];

    /// <summary>The reader of this machine's sockets.</summary>
    public static Func<SocketSelection, SocketSnapshot> Require(CliHost host) => host.LiveSockets ?? throw new ExpectedFailureException(
        ExitCode.Platform, $"Sockets can be read on Windows and Linux only, and this is {CliHost.Tool.Os}.");

    /// <summary>Addresses of hosts, as the connections name them.</summary>
    public static IReadOnlyList<IPAddress> Resolve(CliHost host, IReadOnlyList<string> names, CancellationToken cancellation)
    {
        List<IPAddress> addresses = [];
        foreach (string name in names)
        {
            try
            {
                addresses.AddRange(
                    IPAddress.TryParse(name.Trim('[', ']'), out IPAddress? address) ? [address]
                        : host.Resolve(name, AddressFamily.Unspecified, cancellation).GetAwaiter().GetResult());
            }
            catch (Exception e) when (e is SocketException or ArgumentException)
            {
                throw new ExpectedFailureException(
                    ExitCode.Usage, $"--remote '{name}' is not valid: it is not an address, and no host of this name was found.", e);
            }
        }

        return [.. addresses.Select(SocketSelection.Unmapped)];
    }

    /// <summary>Addresses of targets as the connections name them; a target whose name is unknown has none.</summary>
    public static IEnumerable<string> Addresses(CliHost host, IEnumerable<string> targets, CancellationToken cancellation)
    {
        foreach (string target in targets.Select(FollowUp.HostOf).OfType<string>())
        {
            IReadOnlyList<IPAddress> found;
            try
            {
                found = Resolve(host, [target], cancellation);
            }
            catch (ExpectedFailureException)
            {
                // The measurement says what is wrong with its target.
                continue;
            }

            foreach (IPAddress address in found)
            {
                yield return address.ToString();
            }
        }
    }

    public SocketsReport Once(ReportOutput output)
    {
        SocketsReport report = SocketsReportBuilder.From(
            ProgressLine.Run(Host, output.Common, _ => Read(Selection)), Captured, Limits, Gate);
        output.Write(report);
        return report;
    }

    public SocketsReport Watch(ReportOutput output, TimeSpan interval, TimeSpan? duration, CancellationToken cancellation)
    {
        bool lines = output.Common.Format == ReportFormat.Json;
        // Nothing is held between two readings. Listeners are never duplicated: a port must stay free for the service that starts again.
        SocketSelection repeated = Selection with { DuplicatesListeners = false };
        SocketsView view = new(Host, output.Common.Quiet || lines);
        long began = Host.Time.GetTimestamp();
        SocketSnapshot first = Read(repeated);
        SocketSnapshot last = first;
        long at = began;
        while (Wait(began, at, interval, duration, cancellation))
        {
            SocketSnapshot now = Read(repeated);
            long read = Host.Time.GetTimestamp();
            TimeSpan passed = Host.Time.GetElapsedTime(at, read);
            SocketSnapshot changes = SocketChanges.Between(last, now);
            if (lines)
            {
                output.WriteLine(SocketsReportBuilder.From(changes, [], Limits, Gate, passed));
            }

            view.Draw(changes, passed);
            Host.Lines?.Progress(new(duration is { } whole ? Host.Time.GetElapsedTime(began, read) / whole : null, "watching sockets"));
            (last, at) = (now, read);
        }

        view.End();
        SocketsReport report = SocketsReportBuilder.From(
            SocketChanges.Between(first, last), Captured, Limits, Gate, Host.Time.GetElapsedTime(began, at));
        if (lines)
        {
            output.EndLines();
        }
        else
        {
            output.Write(report);
        }

        return report;
    }

    /// <summary>Waits for the next reading.</summary>
    /// <returns>False when the time is over, or the user ended it.</returns>
    private bool Wait(long began, long last, TimeSpan interval, TimeSpan? duration, CancellationToken cancellation)
    {
        TimeSpan left = interval - Host.Time.GetElapsedTime(last);
        if (duration is { } most)
        {
            TimeSpan end = most - Host.Time.GetElapsedTime(began);
            if (end <= TimeSpan.Zero)
            {
                return false;
            }

            left = left < end ? left : end;
        }

        if (left > TimeSpan.Zero)
        {
            using ManualResetEventSlim due = new();
            using ITimer timer = Host.Time.CreateTimer(_ => due.Set(), null, left, Timeout.InfiniteTimeSpan);
            return WaitHandle.WaitAny([due.WaitHandle, cancellation.WaitHandle]) == 0;
        }

        return !cancellation.IsCancellationRequested;
    }
}
