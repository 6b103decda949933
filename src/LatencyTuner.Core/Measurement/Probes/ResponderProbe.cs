using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>A ping-pong with a responder of this program, on one connection.</summary>
internal sealed unsafe class ResponderProbe : MonitorProbe, IPolledProbe
{
    private readonly PeerConnection _peer;
    private readonly MeasurementPlan _plan;
    private readonly string _target;
    private readonly MeasuringContext _context;
    private readonly ISocketPlatform _platform;
    private readonly byte[] _buffer;
    private uint _sequence;
    private int _done;
    private int _got;

    private ResponderProbe(PeerConnection peer, MeasurementPlan plan, string target, MeasuringContext context)
    {
        _peer = peer;
        _plan = plan;
        _target = target;
        _context = context;
        _platform = context.Platform;
        _buffer = GC.AllocateArray<byte>(Math.Max(plan.Workload.RequestSize, plan.Workload.ReplySize), pinned: true);
    }

    /// <summary>Connects to a responder.</summary>
    /// <param name="target">The responder.</param>
    /// <param name="plan">Sizes, socket options and timeouts; a request of one write.</param>
    /// <param name="context">Clock, platform, randomness.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    /// <exception cref="PeerFailureException">The responder is absent, refused the client, or speaks another protocol.</exception>
    public static ResponderProbe Open(MeasurementTarget target, MeasurementPlan plan, MeasuringContext context, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(context);
        PeerConnection peer = PeerConnection.Open(target, plan, null, context, cancellation);
        try
        {
            context.Platform.SetBlocking(peer.Socket, false);
            return new ResponderProbe(peer, plan, target.Name, context);
        }
        catch (SocketException e)
        {
            peer.Dispose();
            throw new PeerFailureException($"The connection to {target.Name} failed before the first request: {e.Message}.", e);
        }
        catch
        {
            peer.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public TimeSpan ReplyTimeout => _plan.ReplyTimeout;

    /// <inheritdoc/>
    public PollEntry Entry => new(_peer.Socket.Handle, true, _done < _plan.Workload.RequestSize);

    /// <inheritdoc/>
    public void Begin()
    {
        (_done, _got) = (0, 0);
        Send();
    }

    /// <inheritdoc/>
    public bool Advance()
    {
        if (_done < _plan.Workload.RequestSize)
        {
            Send();
        }

        fixed (byte* buffer = _buffer)
        {
            while (_got < _plan.Workload.ReplySize)
            {
                int received = _platform.Receive(_peer.Socket.Handle, buffer + _got, _plan.Workload.ReplySize - _got, out SocketError failure);
                if (received < 0 && failure == SocketError.WouldBlock)
                {
                    return false;
                }

                if (received <= 0)
                {
                    throw new PeerFailureException(FailureText.Receive(_target, received, failure, _sequence + 1, _plan.ReplyTimeout));
                }

                _got += received;
            }
            if (!MeasuredConnection.ReadStamp(new ReadOnlySpan<byte>(buffer, Math.Min(_plan.Workload.ReplySize, Wire.ReplyHeaderSize)), _sequence, out _))
            {
                throw new PeerFailureException(FailureText.Stamp(_target, _sequence + 1));
            }

            _sequence++;
            return true;
        }
    }

    PeerFailureException IPolledProbe.Overdue() => new(_done < _plan.Workload.RequestSize
        ? FailureText.Send(_target, SocketError.WouldBlock, _sequence + 1, _plan.ReplyTimeout)
        : FailureText.Receive(_target, -1, SocketError.WouldBlock, _sequence + 1, _plan.ReplyTimeout));

    /// <inheritdoc/>
    public override void Exchange() => PolledExchange.Run(this, _context);

    /// <inheritdoc/>
    public override void Interrupt() => _platform.Interrupt(_peer.Socket);

    /// <inheritdoc/>
    protected override void Close() => _peer.Dispose();

    private void Send()
    {
        fixed (byte* buffer = _buffer)
        {
            while (_done < _plan.Workload.RequestSize)
            {
                int sent = _platform.Send(_peer.Socket.Handle, buffer + _done, _plan.Workload.RequestSize - _done, out SocketError failure);
                if (sent < 0 && failure == SocketError.WouldBlock)
                {
                    return;
                }

                if (sent < 0)
                {
                    throw new PeerFailureException(FailureText.Send(_target, failure, _sequence + 1, _plan.ReplyTimeout));
                }

                _done += sent;
            }
        }
    }
}
