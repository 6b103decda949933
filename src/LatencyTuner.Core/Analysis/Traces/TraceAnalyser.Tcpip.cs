using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>The events of Microsoft-Windows-TCPIP.</summary>
internal sealed partial class TraceAnalyser
{
    private const uint TailLossProbeFired = 2;

    private void TakeTcpip(in TcpEvent e, in EtwPayload payload)
    {
        if (e.Kind == TcpEventKind.ConnectFailed)
        {
            if (e.Has(TcpFields.ProcessId) && ProcessOf(e.ProcessId) is { } failed)
            {
                failed.Failures++;
            }

            return;
        }

        if (_connections.Of(in e) is not { } c)
        {
            return;
        }

        long now = e.TimeNs;
        c.Seen(now);
        (c.FromTcpip, c.Verified) = (true, c.Verified && e.IsVerified);
        Own(c, in e);
        switch (e.Kind)
        {
            case TcpEventKind.ConnectRequested:
            case TcpEventKind.ConnectStarted:
                (c.Connected, c.ConnectStartedNs) = (true, c.ConnectStartedNs ?? now);
                break;
            case TcpEventKind.Connected:
                c.Connected = true;
                c.ConnectNs ??= c.ConnectStartedNs is { } begun ? now - begun : null;
                Add(ProcessOfOwner(c), 1, 0, 0);
                break;
            case TcpEventKind.Accepted:
                c.Connected = false;
                Add(ProcessOfOwner(c), 0, 1, 0);
                break;
            case TcpEventKind.Disconnected:
            case TcpEventKind.Aborted:
            case TcpEventKind.ShutDown:
                Close(c);
                break;
            case TcpEventKind.ConnectRetransmitted:
                c.SynRetransmissions++;
                break;
            case TcpEventKind.TcpOptionSet when e.Option == NoDelayOption:
                c.NoDelayTouched = true;
                break;
            case TcpEventKind.TemplateParameters:
                c.DelayedAckTicks = payload.TryGetNumber("DelayedAckTicks", out ulong ticks) ? (uint)ticks : c.DelayedAckTicks;
                c.DelayedAckFrequency = payload.TryGetNumber("DelayedAckFrequency", out ulong frequency) ? (uint)frequency : c.DelayedAckFrequency;
                break;
            case TcpEventKind.Summary:
                c.Totals = TotalsOf(in payload);
                break;
            case TcpEventKind.DeliveryIndicated:
                c.Receiver.Indicated(now);
                break;
            case TcpEventKind.DeliverySatisfied:
                c.Receiver.Satisfied(now);
                break;
            default:
                TakeData(c, in e);
                break;
        }
    }

    private static void TakeData(TraceConnection c, in TcpEvent e)
    {
        long now = e.TimeNs;
        switch (e.Kind)
        {
            case TcpEventKind.SendPosted:
                c.Sender.Posted(now, e.Bytes);
                c.Awaiting = c.IsClient;
                break;
            case TcpEventKind.DataSent when e.Bytes > 0:
                c.SegmentsSent++;
                c.BytesSent += (long)Math.Min(e.Bytes, int.MaxValue);
                uint window = e.Has(TcpFields.SendWindow) ? e.SendWindow : uint.MaxValue;
                c.Sender.Sent(now, e.Sequence, (uint)Math.Min(e.Bytes, int.MaxValue), e.Cwnd, window);
                c.Receiver.Piggybacked();
                c.Awaiting = c.IsClient;
                break;
            case TcpEventKind.CumulativeAck:
                c.Sender.Acknowledged(now, e.Bytes, e.Cwnd, e.Has(TcpFields.SendWindow) ? e.SendWindow : uint.MaxValue);
                break;
            case TcpEventKind.DataReceived when e.Bytes > 0:
                c.SegmentsReceived++;
                c.BytesReceived += (long)Math.Min(e.Bytes, int.MaxValue);
                c.Receiver.Received(now, c.Sender.BaseNs);
                c.Awaiting = !c.IsClient;
                break;
            case TcpEventKind.TimerStarted when e.TimerType == DelayedAckTimer:
                c.Receiver.Armed(now, e.WaitMs);
                break;
            case TcpEventKind.TimerStopped when e.TimerType == DelayedAckTimer:
                c.Receiver.Stopped();
                break;
            case TcpEventKind.TimerExpired when e.TimerType == DelayedAckTimer:
                c.Receiver.Expired(now);
                break;
            case TcpEventKind.RetransmitRound:
                c.RetransmitRounds++;
                c.RetransmitNs += c.Sender.LastSentNs == long.MinValue ? 0 : now - c.Sender.LastSentNs;
                break;
            case TcpEventKind.Retransmitted:
                c.Retransmissions++;
                break;
            case TcpEventKind.TailLossProbe when e.Has(TcpFields.Option) && e.Option == TailLossProbeFired:
                c.TailLossProbes++;
                break;
            case TcpEventKind.SwsAvoidanceStarted:
                c.SwsSinceNs ??= now;
                break;
            case TcpEventKind.SwsAvoidanceEnded when c.SwsSinceNs is { } since:
                (c.SwsHolds, c.SwsNs, c.SwsSinceNs) = (c.SwsHolds + 1, c.SwsNs + now - since, null);
                break;
            case TcpEventKind.ZeroWindowProbingStarted:
                c.ZeroWindowSinceNs ??= now;
                break;
            case TcpEventKind.ZeroWindowProbingEnded when c.ZeroWindowSinceNs is { } closed:
                (c.ZeroWindows, c.ZeroWindowNs, c.ZeroWindowSinceNs) = (c.ZeroWindows + 1, c.ZeroWindowNs + now - closed, null);
                break;
        }
    }

    private TraceProcess? ProcessOfOwner(TraceConnection c) => c.ProcessId is { } id ? ProcessOf(id) : null;

    private void Close(TraceConnection c)
    {
        if (!c.Closed)
        {
            c.Closed = true;
            Add(ProcessOfOwner(c), 0, 0, 1);
        }
    }

    private static TraceTotals TotalsOf(in EtwPayload payload)
    {
        return new TraceTotals
        {
            ReceiverLimitedMs = Number(in payload, "SndLimTimeRwin"),
            CongestionLimitedMs = Number(in payload, "SndLimTimeCwnd"),
            SenderLimitedMs = Number(in payload, "SndLimTimeRSnd"),
            Timeouts = Number(in payload, "Timeouts"),
            FastRetransmissions = Number(in payload, "FastRetran"),
            BytesRetransmitted = Number(in payload, "BytesRetrans"),
            SynRetransmissions = Number(in payload, "SynRetrans"),
            ConnectionMs = payload.TryGetNumber("ConnectionTimeMs", out ulong time) ? (long)Math.Min(time, long.MaxValue) : null,
            RttUs = payload.TryGetNumber("RttUs", out ulong rtt) ? (long)Math.Min(rtt, long.MaxValue) : null,
            MinRttUs = payload.TryGetNumber("MinRttUs", out ulong least) ? (long)Math.Min(least, long.MaxValue) : null,
        };
    }

    private static long Number(in EtwPayload payload, string name) => payload.TryGetNumber(name, out ulong value) ? (long)Math.Min(value, long.MaxValue) : 0;
}
