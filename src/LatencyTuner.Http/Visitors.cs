using System.Net;
using LatencyTuner.Core.Measurement.Responding;
using Microsoft.AspNetCore.Connections;

namespace LatencyTuner.Http;

/// <summary>
/// The open connections of the port. One that has not shown the token, or asked for a stream where none is needed, is a stranger: strangers have a time limit,
/// and the oldest gives way to a new connection, so that they never use up the places of clients that are measured.
/// </summary>
internal sealed class Visitors(ResponderLimits limits, TimeProvider time, Action<ClientEvent>? log) : IDisposable
{
    // Each listener takes a place before it waits for a connection.
    private const int Listening = 16;

    private static readonly object Key = new();
    private readonly object _gate = new();
    private readonly LinkedList<Visitor> _strangers = [];
    private readonly SemaphoreSlim _places = new(limits.HttpStrangers + limits.Connections + Listening);
    private int _known;
    private long _dropped;

    /// <summary>Strangers whose connection was ended.</summary>
    internal long Dropped => Interlocked.Read(ref _dropped);

    public void Dispose() => _places.Dispose();

    /// <summary>Waits until one more connection may be open, and takes its place: until its <see cref="Receive"/> has ended.</summary>
    internal async Task RoomAsync(CancellationToken cancellation)
    {
        while (!await _places.WaitAsync(TimeSpan.Zero, cancellation).ConfigureAwait(false))
        {
            DropOldest();
            if (await _places.WaitAsync(TimeSpan.FromMilliseconds(100), cancellation).ConfigureAwait(false))
            {
                return;
            }
        }
    }

    /// <summary>Gives back the place that <see cref="RoomAsync"/> took, where no connection came.</summary>
    internal void Leave() => _places.Release();

    /// <summary>Middleware: the connection is a stranger at first, and is forgotten when it ends.</summary>
    internal ConnectionDelegate Receive(ConnectionDelegate next) => async connection =>
    {
        Visitor visitor = new(connection);
        connection.Items[Key] = visitor;
        bool tooMany;
        lock (_gate)
        {
            visitor.Place = _strangers.AddLast(visitor);
            tooMany = _strangers.Count > limits.HttpStrangers;
        }

        if (tooMany)
        {
            DropOldest();
        }

        using ITimer limit = time.CreateTimer(_ => Expire(visitor), null, limits.Handshake, Timeout.InfiniteTimeSpan);
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            lock (_gate)
            {
                Forget(visitor);
                _known -= visitor.IsKnown ? 1 : 0;
            }

            _places.Release();
        }
    };

    /// <summary>Makes a stranger a client that may be measured; true when it is one already.</summary>
    /// <returns>False when all places are taken.</returns>
    internal bool Admit(IDictionary<object, object?> items)
    {
        Visitor visitor = (Visitor)items[Key]!;
        lock (_gate)
        {
            if (!visitor.IsKnown)
            {
                if (_known >= limits.Connections)
                {
                    return false;
                }

                Forget(visitor);
                visitor.IsKnown = true;
                _known++;
            }

            return true;
        }
    }

    private void Expire(Visitor visitor)
    {
        bool stranger;
        lock (_gate)
        {
            stranger = Forget(visitor);
        }

        if (stranger)
        {
            Abort(visitor, $"it asked for nothing that it may have within {limits.Handshake.TotalSeconds:0.###} s");
        }
    }

    private void DropOldest()
    {
        Visitor? oldest;
        lock (_gate)
        {
            oldest = _strangers.First?.Value;
            if (oldest is not null)
            {
                Forget(oldest);
            }
        }

        if (oldest is not null)
        {
            Abort(oldest, "it was the oldest of too many connections without the token");
        }
    }

    // A stranger no longer, whichever way it ended.
    private bool Forget(Visitor visitor)
    {
        if (visitor.Place is not { } place)
        {
            return false;
        }

        _strangers.Remove(place);
        visitor.Place = null;
        return true;
    }

    private void Abort(Visitor visitor, string why)
    {
        Interlocked.Increment(ref _dropped);
        IPAddress? client = (visitor.Connection.RemoteEndPoint as IPEndPoint)?.Address;
        visitor.Connection.Abort(new ConnectionAbortedException(why));
        log?.Invoke(new(client, null, why));
    }

    private sealed class Visitor(ConnectionContext connection)
    {
        internal ConnectionContext Connection { get; } = connection;

        internal LinkedListNode<Visitor>? Place { get; set; }

        internal bool IsKnown { get; set; }
    }
}
