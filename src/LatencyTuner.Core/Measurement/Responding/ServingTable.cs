using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>The connections being measured, with the budget they share.</summary>
internal sealed class ServingTable(ResponderOptions options, TimeProvider time, ISocketPlatform platform)
{
    // Room for the thread's stack and the kernel's own buffers where the client asks for none.
    private const long FixedBytes = 512 * 1024;
    private const int StopWaits = 30;
    private const int StopWaitMs = 100;
    private readonly object _gate = new();
    private readonly Dictionary<ServedConnection, Thread> _active = [];
    private readonly HostWatch _watch = new(time, platform);
    private readonly ClientBudget _budget = options.Budget ?? new ClientBudget(options.Limits);
    private int _spinning;
    private long _served;
    private long _messages;

    internal int Active
    {
        get
        {
            lock (_gate)
            {
                return _active.Count;
            }
        }
    }

    internal long Served => Interlocked.Read(ref _served);

    internal long Messages => Interlocked.Read(ref _messages);

    /// <summary>Serves a connection on a thread of its own.</summary>
    /// <exception cref="ProtocolException">There is no room for it.</exception>
    internal void Start(PendingHandshake pending, SetupRequest setup, bool buffersBeforeListen)
    {
        ServedConnection connection;
        Thread thread;
        lock (_gate)
        {
            string? full = _active.Count >= options.Limits.Connections
                ? $"all {Counted.Of(options.Limits.Connections, "connection")} of this responder are in use (--max-connections)"
                : _budget.Take(pending.Client, Cost(setup));
            if (full is not null)
            {
                throw new ProtocolException(RefusalReason.Busy, full);
            }

            bool spin = setup.Spin && _spinning < options.Limits.SpinningConnections;
            connection = new ServedConnection(pending, setup, buffersBeforeListen, spin, options, time, platform, _watch);
            thread = new Thread(() => Serve(connection, setup, pending.Client), maxStackSize: 256 * 1024)
            {
                IsBackground = true,
                Name = $"serve {pending.Peer}",
            };
            _spinning += spin ? 1 : 0;
            _active.Add(connection, thread);
        }

        try
        {
            thread.Start();
        }
        catch (Exception e) when (e is OutOfMemoryException or ThreadStartException)
        {
            Remove(connection, setup, pending.Client);
            throw new ProtocolException(RefusalReason.Busy, "the responder's system refused to start another thread");
        }
    }

    internal void StopAll()
    {
        KeyValuePair<ServedConnection, Thread>[] active;
        lock (_gate)
        {
            active = [.. _active];
        }

        foreach ((ServedConnection connection, _) in active)
        {
            connection.Stop();
        }

        // Does not use the clock of the run, which may be stopped in a simulation.
        int waits = StopWaits;
        foreach ((_, Thread thread) in active)
        {
            while (!thread.Join(StopWaitMs) && waits > 0)
            {
                waits--;
            }
        }
    }

    private void Remove(ServedConnection connection, SetupRequest setup, IPAddress client)
    {
        lock (_gate)
        {
            _active.Remove(connection);
            _budget.Give(client, Cost(setup));
            _spinning -= connection.Spins ? 1 : 0;
        }
    }

    private static long Cost(SetupRequest setup) => FixedBytes
        + Math.Min(setup.RequestSize, ServedConnection.ChunkBytes) + Math.Min(setup.ReplySize, ServedConnection.ChunkBytes)
        + (setup.SendBuffer ?? 0) + (long)(setup.ReceiveBuffer ?? 0);

    private void Serve(ServedConnection connection, SetupRequest setup, IPAddress client)
    {
        string ended;
        try
        {
            ended = connection.Run();
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            ended = e.Message;
        }
        finally
        {
            connection.Dispose();
            // Counted before it stops being active, so that the sum never misses one.
            Interlocked.Increment(ref _served);
            Interlocked.Add(ref _messages, connection.Messages);
            Remove(connection, setup, client);
        }

        options.Log?.Invoke(new(client, connection.Messages, ended));
    }
}
