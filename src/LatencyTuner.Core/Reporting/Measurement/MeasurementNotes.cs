using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>What the reader must know about the numbers of one measurement.</summary>
internal static class MeasurementNotes
{
    private const double LateP99Ns = 100_000;

    internal static IEnumerable<string> Of(MeasurementResult result)
    {
        foreach (string note in result.Notes)
        {
            yield return note;
        }

        if (result.Plan.Workload.Pattern == WritePattern.Stream)
        {
            yield return "One-way messages: each time is that of a send call, not of a reply. The peer confirmed the whole stream at the end.";
        }

        if (result.IsOpenLoop && result.Lateness is { Count: > 0 } lateness)
        {
            long p99 = lateness.ValueAtPercentile(99);
            double achieved = result.Elapsed.TotalSeconds > 0 ? result.Received / result.Elapsed.TotalSeconds : 0;
            if (p99 > LateP99Ns || achieved < 0.99 * result.Plan.RatePerSecond)
            {
                yield return $"The planned rate was not held cleanly: {achieved:N0}/s of {result.Plan.RatePerSecond:N0}/s were answered and the p99 of "
                    + $"the send lateness is {p99 / 1e3:N0} us. Response times count from the planned send time, so they include it.";
            }
        }

        if (result is { IsOpenLoop: true, LocalState.NoDelay: false } or { IsOpenLoop: true, PeerState.NoDelay: false }
            && result.Plan.Workload is { Pattern: WritePattern.Single, PeerWrites: 1 })
        {
            yield return "Requests overlap on a connection and Nagle is on at an end: a small message may wait for the ACK of the one before. To "
                + "compare, run the same command with --no-delay --peer-no-delay.";
        }

        if (!result.IsOpenLoop && result.Plan.Workload.Pattern != WritePattern.Stream)
        {
            yield return "Closed loop: the next request waits for the last reply, so one stall hides the requests it would have delayed. For an open "
                + "loop, run the same command with --rate.";
        }

        if (result.Plan.Workload.ReplySize < Wire.ReplyHeaderSize && result.Plan.Workload.Pattern != WritePattern.Stream)
        {
            yield return $"Replies under {Wire.ReplyHeaderSize} bytes do not carry the server's time stamp: the server's share counts as network.";
        }

        if (result.LocalState is { } local && local.Ack == AckEffect.Unsupported)
        {
            yield return "Immediate ACKs were requested at this end, but this system has no call for them. The numbers are those of its default behaviour.";
        }

        if (result.PeerState is { } peer && peer.Ack == AckEffect.Unsupported)
        {
            yield return "Immediate ACKs were requested at the responder, but its system has no call for them. The numbers are those of its default behaviour.";
        }

        if (result.PeerState is { BuffersBeforeListen: false } && (result.Plan.Workload.PeerReceiveBuffer ?? result.Plan.Workload.PeerSendBuffer) is not null)
        {
            yield return "The responder's buffers were set only after the connection was accepted, because its second port could not be reached. The "
                + "window scale is that of its default.";
        }

        if (result.Plan.Workload.Spin && result.PeerState is { Spin: false })
        {
            yield return "The responder did not spin: its limit (serve --max-spinning) allows fewer spinning connections than this measurement has.";
        }

        if (result.ClockStepsBack > 0)
        {
            yield return $"The clock went backwards {Counted.Of(result.ClockStepsBack, "time")}; those latencies count as 0.";
        }

        if (result.Target.IsLoopback)
        {
            yield return "Loopback is this machine alone: both ends share its processors, and no network path was tested.";
        }
    }
}
