using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;

namespace LatencyTuner.Tests.Measurement.Http;

/// <summary>
/// A path to a responder on which every byte takes a while, in both directions: a client's dynamic window grows where bandwidth x delay exceeds it,
/// which loopback shows on a fast machine only.
/// </summary>
internal sealed class DelayedPath : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly IPEndPoint _target;
    private readonly TimeSpan _delay;
    private readonly ConcurrentBag<IDisposable> _open = [];

    internal DelayedPath(IPEndPoint target, TimeSpan delay)
    {
        (_target, _delay) = (target, delay);
        _listener.Start();
        _ = AcceptAsync();
    }

    internal IPEndPoint Endpoint => (IPEndPoint)_listener.LocalEndpoint;

    public void Dispose()
    {
        _listener.Dispose();
        foreach (IDisposable socket in _open)
        {
            socket.Dispose();
        }
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                TcpClient near = await _listener.AcceptTcpClientAsync();
                _open.Add(near);
                TcpClient far = new() { NoDelay = true };
                _open.Add(far);
                near.NoDelay = true;
                await far.ConnectAsync(_target);
                _ = CarryAsync(near.GetStream(), far.GetStream());
                _ = CarryAsync(far.GetStream(), near.GetStream());
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or IOException)
        {
            // The test is over.
        }
    }

    private async Task CarryAsync(NetworkStream from, NetworkStream to)
    {
        Channel<(long Due, byte[] Bytes)> under = Channel.CreateUnbounded<(long, byte[])>();
        Task writing = WriteAsync(under.Reader, to);
        byte[] buffer = new byte[64 * 1024];
        try
        {
            for (int count; (count = await from.ReadAsync(buffer)) > 0;)
            {
                under.Writer.TryWrite((Rig.Context.Time.GetTimestamp() + (long)(_delay.TotalSeconds * Rig.Context.Time.TimestampFrequency), buffer[..count]));
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or IOException)
        {
            // The test is over.
        }

        under.Writer.Complete();
        await writing;
    }

    private static async Task WriteAsync(ChannelReader<(long Due, byte[] Bytes)> under, NetworkStream to)
    {
        try
        {
            await foreach ((long due, byte[] bytes) in under.ReadAllAsync())
            {
                TimeSpan left = Rig.Context.Time.GetElapsedTime(Rig.Context.Time.GetTimestamp(), due);
                if (left > TimeSpan.Zero)
                {
                    await Task.Delay(left);
                }

                await to.WriteAsync(bytes);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or IOException)
        {
            // The test is over.
        }
    }
}
