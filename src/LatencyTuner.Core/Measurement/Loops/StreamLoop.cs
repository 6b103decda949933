using System.Net.Sockets;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>Messages one way on one connection; each message's time runs from its planned send time until the last send call returned.</summary>
internal sealed unsafe class StreamLoop(
    MeasuredConnection connection, MeasurementPlan plan, string target, RunControl control, LatencyRecorder recorder, TimeProvider time,
    ISocketPlatform platform)
{
    private readonly int[] _writes = [.. plan.Workload.Writes];

    /// <summary>Runs until the time, the count or the schedule ends, or the run is stopped.</summary>
    /// <param name="count">Messages after the warm-up; <see cref="long.MaxValue"/> for no limit.</param>
    /// <param name="schedule">The planned times; null sends as fast as the connection accepts data.</param>
    internal void Run(long count, SendSchedule? schedule)
    {
        long start = time.GetTimestamp();
        long counted = start + (long)(plan.Warmup.TotalSeconds * time.TimestampFrequency);
        long end = plan.Duration is { } duration ? counted + (long)(duration.TotalSeconds * time.TimestampFrequency) : long.MaxValue;
        double ticksPerNs = time.TimestampFrequency / 1e9;
        fixed (byte* send = connection.SendBuffer)
        {
            while (!control.Stopped)
            {
                long planned = time.GetTimestamp();
                if (schedule is not null)
                {
                    if (schedule.Left == 0)
                    {
                        return;
                    }

                    planned = start + (long)(schedule.NextNs * ticksPerNs);
                    schedule.Advance();
                    Pacing.WaitUntil(planned, time, platform, control);
                    if (control.Stopped)
                    {
                        // The wait ended early; the latency would be negative.
                        return;
                    }
                }

                if (planned >= end || recorder.Sent >= count)
                {
                    return;
                }

                bool counts = planned >= counted;
                long sent = time.GetTimestamp();
                if (!Send(send, schedule is null ? sent : planned, sent, counts))
                {
                    return;
                }
            }
        }
    }

    // A separate method, called once per message: the runtime recompiles often-called methods during the warm-up, but never the loop.
    private bool Send(byte* buffer, long planned, long sent, bool counts)
    {
        recorder.Exchanges++;
        recorder.Sent += counts ? 1 : 0;
        if (!SendMessage(buffer))
        {
            return false;
        }

        if (counts)
        {
            long done = time.GetTimestamp();
            long sending = Math.Max(done - sent, 0);
            recorder.SendTicks += sending;
            recorder.LongestSendTicks = Math.Max(recorder.LongestSendTicks, sending);
            recorder.Record(planned, sent, done, 0);
        }

        return true;
    }

    private bool SendMessage(byte* buffer)
    {
        foreach (int size in _writes)
        {
            for (int left = size; left > 0;)
            {
                int count = platform.Send(connection.Handle, buffer, Math.Min(left, connection.SendBuffer.Length), out SocketError failure);
                if (count < 0)
                {
                    control.Fail(FailureText.Send(target, failure, recorder.Exchanges, plan.ReplyTimeout));
                    return false;
                }

                left -= count;
            }
        }

        return true;
    }
}
