using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Sockets;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Sockets;

/// <summary>Makes <c>sockets</c> documents.</summary>
public static class SocketsReportBuilder
{
    /// <summary>Makes a document from a reading.</summary>
    /// <param name="read">The sockets.</param>
    /// <param name="captured">Findings of a capture of the same time; empty without one.</param>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    /// <param name="interval">The time over which the counters changed; null when they are since the connection began.</param>
    public static SocketsReport From(SocketSnapshot read, IReadOnlyList<Finding> captured, SeverityLimits limits, Gate gate, TimeSpan? interval = null)
    {
        ArgumentNullException.ThrowIfNull(read);
        ArgumentNullException.ThrowIfNull(gate);
        return Judge(
            new SocketsReport
            {
                Complete = !gate.Cancelled,
                IntervalMs = interval?.TotalMilliseconds,
                Processes = [.. ProcessSockets.Of(read.Sockets).Select(ProcessOf)],
                Sockets = read.Sockets,
                Unreadable = read.Unreadable,
                WithoutProcess = read.WithoutProcess,
                Findings = SocketsOutcome.FindingsOf(read.Sockets, captured, limits),
                Notes = read.Notes,
            },
            gate);
    }

    private static SocketProcess ProcessOf(ProcessSockets process)
    {
        HostSocket any = process.Connections.Concat(process.Listeners).Concat(process.Others).First();
        return new SocketProcess
        {
            Pid = any.Pid,
            Process = any.Process,
            Services = any.Services,
            Connections = process.Connections.Count,
            Listeners = process.Listeners.Count,
            NoDelayConnections = process.NagleOff,
            NagleConnections = process.NagleOn,
            FixedBufferConnections = process.Connections.Count(c => c.SendBufferFixed == true || c.ReceiveBufferFixed == true),
            Retransmitted = process.Connections.Any(c => c.Retransmitted is not null) ? process.Connections.Sum(c => c.Retransmitted ?? 0) : null,
            LongestRttUs = process.Connections.Max(c => c.RttUs),
        };
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    internal static SocketsReport Judge(SocketsReport report, Gate gate) => report with
    {
        Judgement = SocketsOutcome.Judge(report.Sockets, report.Unreadable, report.Findings, gate),
        Failing = SocketsOutcome.Failing(report.Findings, gate),
    };
}
