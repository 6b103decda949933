using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>One request after the other on one connection, by blocking (or spinning) calls on the thread that runs it.</summary>
internal sealed unsafe class ClosedLoop(
    MeasuredConnection connection, MeasurementPlan plan, string target, RunControl control, LatencyRecorder recorder, TimeProvider time,
    ISocketPlatform platform)
{
    private const int SpinsPerClockCheck = 4096;
    private readonly int[] _writes = [.. plan.Workload.Writes];
    private readonly int _replySize = plan.Workload.ReplySize;
    private readonly bool _spin = plan.Workload.Spin;
    private readonly nint _handle = connection.Handle;
    private readonly long _gapTicks = (long)(plan.Workload.Gap.TotalSeconds * time.TimestampFrequency);
    private readonly Random? _pauses = plan.Workload.PauseUpTo > TimeSpan.Zero ? new Random(plan.Seed) : null;
    private long _gapTicksSpent;

    /// <summary>Runs until the time or the count is reached, or the run is stopped.</summary>
    /// <param name="count">Requests after the warm-up; <see cref="long.MaxValue"/> for no limit.</param>
    /// <param name="atLeast">Requests to send even after the time has passed.</param>
    internal void Run(long count, long atLeast)
    {
        long start = time.GetTimestamp();
        long counted = start + (long)(plan.Warmup.TotalSeconds * time.TimestampFrequency);
        long end = plan.Duration is { } duration ? counted + (long)(duration.TotalSeconds * time.TimestampFrequency) : long.MaxValue;
        fixed (byte* send = connection.SendBuffer)
        fixed (byte* receive = connection.ReceiveBuffer)
        {
            for (uint sequence = 0; !control.Stopped; sequence++)
            {
                Pause();
                long now = time.GetTimestamp();
                if ((now >= end && recorder.Sent >= atLeast) || recorder.Sent >= count || !Exchange(send, receive, sequence, now, now >= counted))
                {
                    return;
                }
            }
        }
    }

    // A separate method, called once per request: the runtime recompiles often-called methods during the warm-up, but never this loop.
    private bool Exchange(byte* send, byte* receive, uint sequence, long started, bool counts)
    {
        recorder.Exchanges++;
        recorder.Sent += counts ? 1 : 0;
        _gapTicksSpent = 0;
        if (!SendRequest(send))
        {
            return false;
        }

        long sent = time.GetTimestamp();
        if (!ReceiveReply(receive))
        {
            return false;
        }

        long received = time.GetTimestamp();
        if (!MeasuredConnection.ReadStamp(new ReadOnlySpan<byte>(receive, Math.Min(_replySize, Wire.ReplyHeaderSize)), sequence, out long residence))
        {
            control.Fail(FailureText.Stamp(target, recorder.Exchanges));
            return false;
        }

        if (counts)
        {
            long sending = Math.Max(sent - started - _gapTicksSpent, 0);
            recorder.SendTicks += sending;
            recorder.LongestSendTicks = Math.Max(recorder.LongestSendTicks, sending);
            residence = recorder.Record(started, started, received, residence);
            connection.Log?.Add(started, started, received, residence, new ReadOnlySpan<byte>(receive, Math.Min(_replySize, Wire.WaitsHeaderSize)));
        }

        return true;
    }

    private bool SendRequest(byte* buffer)
    {
        for (int i = 0; i < _writes.Length; i++)
        {
            if (i > 0 && _gapTicks > 0)
            {
                WaitGap();
                if (control.Stopped)
                {
                    // The rest would leave too early, and the reply would be counted.
                    return false;
                }
            }

            long blockedSince = 0;
            for (int left = _writes[i]; left > 0;)
            {
                int sent = platform.Send(_handle, buffer, Math.Min(left, connection.SendBuffer.Length), out SocketError failure);
                if (sent < 0)
                {
                    if (failure == SocketError.WouldBlock && _spin && !control.Stopped && !IsOverdue(ref blockedSince))
                    {
                        continue;
                    }

                    control.Fail(FailureText.Send(target, failure, recorder.Exchanges, plan.ReplyTimeout));
                    return false;
                }

                left -= sent;
                blockedSince = 0;
            }
        }

        return true;
    }

    /// <summary>The reply timeout applies to a whole reply, however slowly its bytes arrive.</summary>
    private bool IsOverdue(ref long since)
    {
        long now = time.GetTimestamp();
        since = since == 0 ? now : since;
        return time.GetElapsedTime(since, now) >= plan.ReplyTimeout;
    }

    private bool ReceiveReply(byte* buffer)
    {
        int got = 0;
        long waitedSince = 0;
        for (int spins = 1; got < _replySize; spins++)
        {
            // Only the start of a long reply must be kept, for its stamp.
            int offset = Math.Min(got, Wire.WaitsHeaderSize);
            int count = platform.Receive(_handle, buffer + offset, Math.Min(_replySize - got, MeasuredConnection.ChunkBytes - offset), out SocketError failure);
            if (count > 0)
            {
                got += count;
                if (connection.Rearm)
                {
                    platform.RearmImmediateAck(_handle);
                }

                if (got >= _replySize || !IsOverdue(ref waitedSince))
                {
                    continue;
                }

                failure = SocketError.WouldBlock;
                count = -1;
            }

            else if (count < 0 && failure == SocketError.WouldBlock && _spin)
            {
                if (control.Stopped)
                {
                    return false;
                }

                if (spins % SpinsPerClockCheck != 0 || !IsOverdue(ref waitedSince))
                {
                    continue;
                }
            }

            control.Fail(FailureText.Receive(target, count, failure, recorder.Exchanges, plan.ReplyTimeout));
            return false;
        }

        return true;
    }

    private void Pause()
    {
        if (_pauses is not null)
        {
            long ticks = (long)(_pauses.NextDouble() * plan.Workload.PauseUpTo.TotalSeconds * time.TimestampFrequency);
            Pacing.WaitUntil(time.GetTimestamp() + ticks, time, platform, control);
        }
    }

    private void WaitGap()
    {
        long start = time.GetTimestamp();
        Pacing.WaitUntil(start + _gapTicks, time, platform, control);
        _gapTicksSpent += time.GetTimestamp() - start;
    }
}
