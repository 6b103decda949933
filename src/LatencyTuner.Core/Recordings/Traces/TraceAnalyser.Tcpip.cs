using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>The events of Microsoft-Windows-TCPIP.</summary>
internal sealed partial class TraceAnalyser
{
    private const uint TailLossProbeFired = 2;
    private const int PlainAck = 1330;
    private const int CubicAck = 1429;

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

        switch (e.Kind)
        {
            case TcpEventKind.EndpointCreated:
                _options.Created(in e);
                return;
            case TcpEventKind.SocketOptionValue:
                _options.Value(in e, in payload);
                return;
            case TcpEventKind.CumulativeAck when e.EventId == CubicAck && Has(PlainAck):
                // Written in addition, for the same ACK.
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
                _sockets.Seen(in e, c);
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
                c.Losses.Syns++;
                break;
            case TcpEventKind.TcpOptionSet when e.Option == NoDelayOption:
                _options.Set(in e, c);
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
            case TcpEventKind.ReceiveRequested:
                c.Receiver.Requested(now, payload.TryGetNumber("Request", out ulong request) ? request : 0);
                break;
            case TcpEventKind.DeliverySatisfied:
                c.Receiver.Satisfied(now, payload.TryGetNumber("Request", out ulong satisfied) ? satisfied : 0);
                break;
            default:
                TakeData(c, in e);
                break;
        }
    }

    private void TakeData(TraceConnection c, in TcpEvent e)
    {
        long now = e.TimeNs;
        switch (e.Kind)
        {
            case TcpEventKind.SendPosted when e.IsInjected:
                c.Sender.Injected(now, e.Bytes);
                break;
            case TcpEventKind.SendPosted:
                _sockets.Seen(in e, c);
                c.FirstSendNs ??= now;
                c.Sender.Posted(now, e.Bytes);
                c.Turns.Sends(now, c.IsClient, c.CountersAt(now));
                c.Awaiting = c.IsClient;
                break;
            case TcpEventKind.DataSent when e.Bytes > 0:
                Sent(c, in e);
                break;
            case TcpEventKind.CumulativeAck:
                c.Sender.Acknowledged(now, e.Bytes, e.Cwnd, e.Has(TcpFields.SendWindow) ? e.SendWindow : uint.MaxValue);
                break;
            case TcpEventKind.DuplicateAck:
                c.Sender.Duplicated();
                break;
            case TcpEventKind.DataReceived when e.Bytes > 0:
                c.SegmentsReceived++;
                c.BytesReceived += (long)Math.Min(e.Bytes, int.MaxValue);
                c.Receiver.Received(now, c.Sender.BaseNs);
                c.Sender.Answered(now);
                c.Turns.Receives(now, c.IsClient, c.CountersAt(now));
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
            case TcpEventKind.RetransmitRound or TcpEventKind.Retransmitted when !c.Windows.IsClosed:
                // Data that is sent into a closed window is a probe (RFC 9293 3.8.6.1), not a loss.
                c.Losses.Round(now, c.Sender.UnackedSinceNs, c.Sender.LossSignalled, c.Sender.UnackedSequence);
                break;
            case TcpEventKind.TailLossProbe when e.Has(TcpFields.Option) && e.Option == TailLossProbeFired:
                c.Losses.Probe(now, c.Sender.UnackedSinceNs);
                break;
            case TcpEventKind.SwsAvoidanceStarted:
                c.Windows.AvoidanceBegins(now, c.Sender.Posts == 0 ? null : c.Sender.HasRoom);
                break;
            case TcpEventKind.SwsAvoidanceEnded:
                c.Windows.AvoidanceEnds(now);
                break;
            case TcpEventKind.ZeroWindowProbingStarted:
                c.Windows.ProbingBegins(now);
                break;
            case TcpEventKind.ZeroWindowProbingEnded:
                c.Windows.ProbingEnds(now);
                break;
        }
    }

    private static void Sent(TraceConnection c, in TcpEvent e)
    {
        uint bytes = (uint)Math.Min(e.Bytes, int.MaxValue);
        c.SegmentsSent++;
        c.BytesSent += bytes;
        c.FirstSendNs ??= e.TimeNs;
        if (e.Has(TcpFields.SendUnacknowledged))
        {
            c.Sender.Resynchronise(e.SendUnacknowledged);
        }

        c.Sender.Sent(e.TimeNs, e.Sequence, bytes, e.Cwnd, e.Has(TcpFields.SendWindow) ? e.SendWindow : uint.MaxValue);
        c.Receiver.Piggybacked();
        if (c.Sender.Posts == 0)
        {
            c.Turns.Sends(e.TimeNs, c.IsClient, c.CountersAt(e.TimeNs));
        }
        else
        {
            c.Turns.Sent(e.TimeNs, c.CountersAt(e.TimeNs));
        }

        c.Awaiting = c.IsClient;
    }

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
