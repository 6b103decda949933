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
    public static SocketsReport From(HostSockets read, IReadOnlyList<Finding> captured, SeverityLimits limits, Gate gate, TimeSpan? interval = null)
    {
        ArgumentNullException.ThrowIfNull(read);
        ArgumentNullException.ThrowIfNull(gate);
        return Judge(
            new SocketsReport
            {
                Complete = !gate.Cancelled,
                IntervalMs = interval?.TotalMilliseconds,
                Sockets = read.Sockets,
                Unreadable = read.Unreadable,
                WithoutProcess = read.WithoutProcess,
                Findings = SocketsOutcome.FindingsOf(read.Sockets, captured, limits),
                Notes = read.Notes,
            },
            gate);
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
