using System.Net;
using Microsoft.AspNetCore.Connections;

namespace LatencyTuner.Http;

/// <summary>Kestrel's sockets, and a listener without one for <see cref="UnboundEndPoint"/>.</summary>
/// <param name="sockets">Opens the real listeners.</param>
/// <param name="bound">Receives the actual endpoints.</param>
/// <param name="visitors">Decides how many connections may be open.</param>
internal sealed class ListenerFactory(IConnectionListenerFactory sockets, List<IPEndPoint> bound, Visitors visitors) : IConnectionListenerFactory
{
    public async ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        if (endpoint is UnboundEndPoint)
        {
            return new SilentListener();
        }

        IPEndPoint wanted = (IPEndPoint)endpoint;
        if (wanted.Port == 0 && bound.Count > 0)
        {
            // All addresses share the port that the system chose for the first.
            wanted = new IPEndPoint(wanted.Address, bound[0].Port);
        }

        IConnectionListener listener = await sockets.BindAsync(wanted, cancellationToken).ConfigureAwait(false);
        bound.Add((IPEndPoint)listener.EndPoint);
        return new CountedListener(listener, visitors);
    }

    /// <summary>Accepts no more than may be open: Kestrel's own limit lets sockets pile up that it is about to close.</summary>
    private sealed class CountedListener(IConnectionListener sockets, Visitors visitors) : IConnectionListener
    {
        private readonly CancellationTokenSource _closed = new();

        public EndPoint EndPoint => sockets.EndPoint;

        public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
        {
            try
            {
                await visitors.RoomAsync(_closed.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                return null;
            }

            ConnectionContext? connection = null;
            try
            {
                return connection = await sockets.AcceptAsync(cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                if (connection is null)
                {
                    visitors.Leave();
                }
            }
        }

        public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
        {
            _closed.Cancel();
            return sockets.UnbindAsync(cancellationToken);
        }

        public async ValueTask DisposeAsync()
        {
            await sockets.DisposeAsync().ConfigureAwait(false);
            _closed.Dispose();
        }
    }

    private sealed class SilentListener : IConnectionListener
    {
        private readonly TaskCompletionSource<ConnectionContext?> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public EndPoint EndPoint => UnboundEndPoint.Instance;

        public ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default) => new(_closed.Task.WaitAsync(cancellationToken));

        public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
        {
            _closed.TrySetResult(null);
            return ValueTask.CompletedTask;
        }

        public ValueTask DisposeAsync() => UnbindAsync();
    }
}
