using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Platform;
using LatencyTuner.Core.Measurement.Protocol;

namespace LatencyTuner.Core.Measurement.Monitoring;

/// <summary>A ping-pong with a responder of this program, on one connection.</summary>
public sealed unsafe class ResponderProbe : MonitorProbe
{
    private readonly PeerConnection _peer;
    private readonly MeasurementPlan _plan;
    private readonly string _target;
    private readonly ISocketPlatform _platform;
    private readonly byte[] _buffer;
    private uint _sequence;

    private ResponderProbe(PeerConnection peer, MeasurementPlan plan, string target, ISocketPlatform platform)
    {
        _peer = peer;
        _plan = plan;
        _target = target;
        _platform = platform;
        _buffer = GC.AllocateArray<byte>(Math.Max(plan.Workload.RequestSize, plan.Workload.ReplySize), pinned: true);
    }

    /// <summary>Connects to a responder.</summary>
    /// <param name="target">The responder.</param>
    /// <param name="plan">Sizes, socket options and limits of time; a request of one write.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="PeerFailureException">Absent, refused, or another protocol.</exception>
    public static ResponderProbe Open(MeasurementTarget target, MeasurementPlan plan, MeasuringContext context, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(context);
        PeerConnection peer = PeerConnection.Open(target, plan, null, context, cancellation);
        try
        {
            context.Platform.SetTimeouts(peer.Socket, (int)plan.ReplyTimeout.TotalMilliseconds);
            context.Platform.SetBlocking(peer.Socket, true);
            return new ResponderProbe(peer, plan, target.Name, context.Platform);
        }
        catch (SocketException e)
        {
            peer.Dispose();
            throw new PeerFailureException($"{target.Name} broke the connection before the first request: {e.Message}.", e);
        }
        catch
        {
            peer.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public override void Exchange()
    {
        fixed (byte* buffer = _buffer)
        {
            for (int done = 0; done < _plan.Workload.RequestSize;)
            {
                int sent = _platform.Send(_peer.Socket.Handle, buffer + done, _plan.Workload.RequestSize - done, out SocketError failure);
                if (sent < 0)
                    throw new PeerFailureException(FailureText.Send(_target, failure, _sequence + 1, _plan.ReplyTimeout));
                done += sent;
            }
            for (int got = 0; got < _plan.Workload.ReplySize;)
            {
                int received = _platform.Receive(_peer.Socket.Handle, buffer + got, _plan.Workload.ReplySize - got, out SocketError failure);
                if (received <= 0)
                    throw new PeerFailureException(FailureText.Receive(_target, received, failure, _sequence + 1, _plan.ReplyTimeout));
                got += received;
            }
            if (!MeasuredConnection.ReadStamp(new ReadOnlySpan<byte>(buffer, Math.Min(_plan.Workload.ReplySize, Wire.ReplyHeaderSize)), _sequence, out _))
                throw new PeerFailureException(FailureText.Stamp(_target, _sequence + 1));
            _sequence++;
        }
    }

    /// <inheritdoc/>
    public override void Interrupt() => _platform.Interrupt(_peer.Socket);

    /// <inheritdoc/>
    protected override void Close() => _peer.Dispose();
}
