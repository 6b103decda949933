using System.Net;
using System.Net.Sockets;
using System.Text;

namespace LatencyTuner.Tests.Measurement.Probes;

/// <summary>A server on a loopback port that does with each connection what the test says.</summary>
internal sealed class TestServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private int _connections;

    public TestServer(Func<Stream, CancellationToken, Task> serve)
    {
        _listener.Start();
        _ = AcceptAsync(serve);
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public int Connections => Volatile.Read(ref _connections);

    /// <summary>A server that answers every request on a connection with the same bytes.</summary>
    public static TestServer Answering(string answer) => new(async (stream, stop) =>
    {
        while (await ReadRequest(stream, stop) is not null)
        {
            await stream.WriteAsync(Encoding.ASCII.GetBytes(answer), stop);
        }
    });

    /// <summary>The headers of a request; null at the end of the connection.</summary>
    public static async Task<string?> ReadRequest(Stream stream, CancellationToken stop)
    {
        StringBuilder text = new();
        byte[] one = new byte[1];
        while (await stream.ReadAsync(one, stop) == 1)
        {
            text.Append((char)one[0]);
            if (text.Length >= 4 && text.ToString(text.Length - 4, 4) == "\r\n\r\n")
            {
                return text.ToString();
            }
        }

        return null;
    }

    public void Dispose()
    {
        _stop.Cancel();
        _listener.Stop();
    }

    private async Task AcceptAsync(Func<Stream, CancellationToken, Task> serve)
    {
        try
        {
            while (true)
            {
                TcpClient client = await _listener.AcceptTcpClientAsync(_stop.Token);
                Interlocked.Increment(ref _connections);
                _ = ServeAsync(client, serve);
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private async Task ServeAsync(TcpClient client, Func<Stream, CancellationToken, Task> serve)
    {
        using (client)
        {
            try
            {
                client.NoDelay = true;
                await serve(client.GetStream(), _stop.Token);
            }
            catch (Exception e) when (e is IOException or OperationCanceledException or System.Security.Authentication.AuthenticationException)
            {
                // The other end went away, as many of these tests want.
            }
        }
    }
}
