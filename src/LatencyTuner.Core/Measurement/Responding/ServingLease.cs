using System.Net;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>
/// How long a responder lives that was started for one run, and whom it serves. Nothing else ends it for certain: the remote shell that started it may be
/// killed, cut off, or close its streams at once. Any thread may use it.
/// </summary>
public sealed class ServingLease : IDisposable
{
    /// <summary>How long it waits for its client after the start.</summary>
    public static readonly TimeSpan UntilClient = TimeSpan.FromSeconds(60);

    /// <summary>How long it lives after the last renewal.</summary>
    public static readonly TimeSpan AfterRenewal = TimeSpan.FromSeconds(15);

    /// <summary>How often the client renews it.</summary>
    public static readonly TimeSpan RenewEvery = TimeSpan.FromSeconds(5);

    // A client whose connection broke opens another; the broken ones of an hour must not add up.
    private const int MostConnections = 4;
    private readonly object _gate = new();
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly ManualResetEvent _ended = new(false);
    private readonly long _started;
    private readonly TimeSpan _longest;
    private TimeSpan _until = UntilClient;
    private IPAddress? _client;
    private int _connections;
    private string? _because;

    /// <summary>Starts a lease that waits for its client.</summary>
    /// <param name="time">The clock.</param>
    /// <param name="longest">The time after which it ends however often it is renewed.</param>
    public ServingLease(TimeProvider time, TimeSpan longest)
    {
        ArgumentNullException.ThrowIfNull(time);
        _time = time;
        _longest = longest;
        _started = time.GetTimestamp();
        _timer = time.CreateTimer(_ => Look(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Look();
    }

    /// <summary>Set when the lease has ended.</summary>
    public WaitHandle Ended => _ended;

    /// <summary>Why it ended, a sentence; null before.</summary>
    public string? Because
    {
        get
        {
            lock (_gate)
            {
                return _because;
            }
        }
    }

    /// <summary>True when the address is that of the client that holds the lease.</summary>
    /// <param name="client">The address of a client that knows the token.</param>
    public bool Admits(IPAddress client)
    {
        lock (_gate)
        {
            return _because is null && _client is not null && _client.Equals(client);
        }
    }

    /// <summary>Stops the clock of the lease.</summary>
    public void Dispose() => _timer.Dispose();

    /// <summary>Takes a connection for renewals: the first one makes its client the only one that is served.</summary>
    /// <param name="client">The address of a client that knows the token.</param>
    /// <returns>False when another client holds the lease, or it has ended.</returns>
    internal bool TryEnter(IPAddress client)
    {
        lock (_gate)
        {
            _client ??= client;
            if (_because is not null || !_client.Equals(client) || _connections == MostConnections)
            {
                return false;
            }

            _connections++;
        }

        Renew();
        return true;
    }

    /// <summary>Gives back the connection that <see cref="TryEnter"/> took.</summary>
    internal void Leave()
    {
        lock (_gate)
        {
            _connections--;
        }
    }

    /// <summary>The lease goes on for <see cref="AfterRenewal"/> from now.</summary>
    internal void Renew()
    {
        lock (_gate)
        {
            _until = _time.GetElapsedTime(_started) + AfterRenewal;
        }

        Look();
    }

    /// <summary>The client has finished.</summary>
    internal void End() => End("The client has finished.");

    private void Look()
    {
        TimeSpan left;
        string because;
        lock (_gate)
        {
            if (_because is not null)
            {
                return;
            }

            TimeSpan now = _time.GetElapsedTime(_started);
            left = (_until < _longest ? _until : _longest) - now;
            because = now >= _longest ? $"The time of --for, {_longest.TotalSeconds:0.###} s, has passed."
                : _client is null ? $"No client came within {UntilClient.TotalSeconds:0} s."
                : $"The client did not renew its lease for {AfterRenewal.TotalSeconds:0} s.";
        }

        if (left <= TimeSpan.Zero)
        {
            End(because);
            return;
        }

        try
        {
            _ = _timer.Change(left < TimeSpan.FromMinutes(1) ? left : TimeSpan.FromMinutes(1), Timeout.InfiniteTimeSpan);
        }
        catch (ObjectDisposedException)
        {
            // It ended meanwhile.
        }
    }

    private void End(string because)
    {
        lock (_gate)
        {
            _because ??= because;
        }

        _ = _ended.Set();
    }
}
