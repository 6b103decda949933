using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;

namespace LatencyTuner.Core.Measurement.FarEnds;

/// <summary>
/// The client's side of a lease: finds the address at which the far end answers, keeps the far end alive while this process measures, and ends it. A connection
/// that breaks is opened again.
/// </summary>
public sealed class FarEndLease : IDisposable
{
    private static readonly TimeSpan ConnectPatience = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);
    private readonly object _gate = new();
    private readonly MeasuringContext _context;
    private readonly ManualResetEvent _stop = new(false);
    private readonly Thread _thread;
    private PeerConnection? _connection;
    private long _renewed;

    private FarEndLease(MeasurementTarget target, PeerConnection connection, MeasuringContext context)
    {
        Target = target;
        _connection = connection;
        _context = context;
        _renewed = context.Time.GetTimestamp();
        _thread = new Thread(Keep) { IsBackground = true, Name = "lease" };
        _thread.Start();
    }

    /// <summary>The target at the address that answered.</summary>
    public MeasurementTarget Target { get; }

    /// <summary>True as soon as the far end has not been heard for longer than its lease.</summary>
    public bool HasExpired => _context.Time.GetElapsedTime(Interlocked.Read(ref _renewed)) > ServingLease.AfterRenewal;

    /// <summary>Opens the lease at the first address that answers with the token.</summary>
    /// <param name="name">The target as the user gave it.</param>
    /// <param name="endpoints">Where it may listen, the likeliest first.</param>
    /// <param name="token">The token of this run.</param>
    /// <param name="via">How it was started.</param>
    /// <param name="context">The external services.</param>
    /// <param name="failures">Receives why each address failed.</param>
    /// <param name="cancellation">Ends the attempts.</param>
    /// <returns>Null when none answered.</returns>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static FarEndLease? Open(
        string name, IReadOnlyList<IPEndPoint> endpoints, SharedToken token, FarEndStart via, MeasuringContext context, ICollection<DialFailure> failures,
        CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(failures);
        foreach (IPEndPoint endpoint in endpoints)
        {
            MeasurementTarget target = new(name, endpoint, token, IsLoopback: false) { Via = via };
            try
            {
                return new FarEndLease(target, PeerConnection.OpenLease(target, ConnectPatience, context, cancellation), context);
            }
            catch (PeerFailureException e)
            {
                failures.Add(new DialFailure(endpoint, KindOf(e), e.Message));
            }
        }

        return null;
    }

    /// <summary>Asks the far end now whether it still runs.</summary>
    public bool IsAlive()
    {
        lock (_gate)
        {
            return TryRenew(last: false);
        }
    }

    /// <summary>Ends the far end, when it can be reached, and stops renewing.</summary>
    public void Dispose()
    {
        if (!_stop.Set())
        {
            return;
        }

        _thread.Join();
        lock (_gate)
        {
            _ = TryRenew(last: true);
            _connection?.Dispose();
            _connection = null;
        }
    }

    private static DialFailureKind KindOf(PeerFailureException e) =>
        e.Reason == ProbeFailure.Timeout ? DialFailureKind.Silent
        : e.InnerException is SocketException ? DialFailureKind.Refused
        : DialFailureKind.Another;

    private void Keep()
    {
        while (!_stop.WaitOne(ServingLease.RenewEvery))
        {
            lock (_gate)
            {
                _ = TryRenew(last: false);
            }
        }
    }

    private bool TryRenew(bool last)
    {
        for (int attempt = 0; attempt < 2; attempt++)
        {
            try
            {
                _connection ??= PeerConnection.OpenLease(Target, Patience, _context, CancellationToken.None);
            }
            catch (PeerFailureException)
            {
                return false;
            }

            if (_connection.TryRenew(last, Patience))
            {
                _ = Interlocked.Exchange(ref _renewed, _context.Time.GetTimestamp());
                return true;
            }

            _connection.Dispose();
            _connection = null;
        }

        return false;
    }
}

/// <summary>An address at which the far end did not answer.</summary>
/// <param name="Endpoint">The address and port.</param>
/// <param name="Kind">What happened.</param>
/// <param name="Sentence">The same as a sentence.</param>
public sealed record DialFailure(IPEndPoint Endpoint, DialFailureKind Kind, string Sentence);

/// <summary>How a connection to the far end fails.</summary>
public enum DialFailureKind
{
    /// <summary>Nothing came back: a firewall drops it, or the address is not there.</summary>
    Silent,

    /// <summary>It was refused, or reported unreachable.</summary>
    Refused,

    /// <summary>Something answered that is not the far end.</summary>
    Another,
}
