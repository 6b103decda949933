using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;
using Microsoft.AspNetCore.Http;

namespace LatencyTuner.Http;

/// <summary>Sends one stream and measures the times of its parts, which it sends in the trailer.</summary>
internal sealed class StreamSender(HttpResponse response, StreamRequest asked, Socket? socket, TimeProvider time)
{
    private long _fetch;
    private long _send;
    private long _wait;
    private long _overlap;
    private long _longest;
    private long _flushes;
    private long _flushStart;
    private long _flushEnd;

    internal async Task SendAsync(CancellationToken cancellation)
    {
        PipeWriter body = response.BodyWriter;
        response.ContentType = "application/octet-stream";
        bool trailers = response.SupportsTrailers();
        if (trailers)
        {
            response.DeclareTrailer(StreamRequest.TimesTrailer);
        }

        await response.StartAsync(cancellation).ConfigureAwait(false);
        KernelCounters before = Counters();
        long start = time.GetTimestamp();
        int each = asked.PerWrite * asked.MessageBytes;
        byte[][] buffers = asked.Ahead ? [ArrayPool<byte>.Shared.Rent(each), ArrayPool<byte>.Shared.Rent(each)] : [ArrayPool<byte>.Shared.Rent(each)];
        try
        {
            Task? under = null;
            for (int next = 0; next < asked.Messages;)
            {
                int count = Math.Min(asked.PerWrite, asked.Messages - next);
                byte[] buffer = buffers[_flushes % buffers.Length];
                Fetch(buffer, next, count, under);
                next += count;
                if (under is not null)
                {
                    await WaitAsync(under).ConfigureAwait(false);
                }

                under = Flush(body, buffer.AsMemory(0, count * asked.MessageBytes), cancellation);
                if (!asked.Ahead)
                {
                    await WaitAsync(under).ConfigureAwait(false);
                    under = null;
                }
            }

            if (under is not null)
            {
                await WaitAsync(under).ConfigureAwait(false);
            }
        }
        finally
        {
            Array.ForEach(buffers, b => ArrayPool<byte>.Shared.Return(b));
        }

        long elapsed = time.GetTimestamp() - start;
        if (trailers)
        {
            response.AppendTrailer(StreamRequest.TimesTrailer, Times(before, elapsed).Write());
        }
    }

    private void Fetch(byte[] buffer, int first, int count, Task? under)
    {
        long from = time.GetTimestamp();
        for (int i = 0; i < count; i++)
        {
            StreamMessages.Write(buffer.AsSpan(i * asked.MessageBytes, asked.MessageBytes), first + i);
        }

        long to = time.GetTimestamp();
        _fetch += to - from;
        if (under is not null)
        {
            long end = under.IsCompleted ? Interlocked.Read(ref _flushEnd) : to;
            _overlap += Math.Clamp(end - from, 0, to - from);
        }
    }

    private Task Flush(PipeWriter body, ReadOnlyMemory<byte> bytes, CancellationToken cancellation)
    {
        _flushStart = time.GetTimestamp();
        _flushes++;
        Task flush = FlushedAsync(body, bytes, cancellation);
        _send += time.GetTimestamp() - _flushStart;
        return flush;
    }

    private async Task FlushedAsync(PipeWriter body, ReadOnlyMemory<byte> bytes, CancellationToken cancellation)
    {
        FlushResult result = await body.WriteAsync(bytes, cancellation).ConfigureAwait(false);
        Interlocked.Exchange(ref _flushEnd, time.GetTimestamp());
        // The reader of the pipe has ended: the connection or the stream was reset.
        if (result.IsCompleted || result.IsCanceled)
        {
            throw new IOException("The client ended the stream.");
        }
    }

    private async ValueTask WaitAsync(Task under)
    {
        long from = time.GetTimestamp();
        await under.ConfigureAwait(false);
        _wait += time.GetTimestamp() - from;
        _longest = Math.Max(_longest, Interlocked.Read(ref _flushEnd) - _flushStart);
    }

    private KernelCounters Counters()
    {
        try
        {
            return socket is null ? KernelCounters.Unsupported : SocketPlatform.Current.ReadCounters(socket);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return KernelCounters.Unsupported;
        }
    }

    private StreamTimes Times(KernelCounters before, long elapsed)
    {
        double ns = 1e9 / time.TimestampFrequency;
        EndState state = new(null, AckEffect.Default, null, null, false, null, false);
        try
        {
            state = socket is null ? state
                : SocketOptionsApplied.Apply(socket, SocketPlatform.Current, null, immediateAck: false, spin: false, null, buffersBeforeListen: false);
        }
        catch (ObjectDisposedException)
        {
            // The connection has ended; the trailer will not arrive either.
        }

        return new StreamTimes
        {
            FetchNs = (long)(_fetch * ns),
            SendNs = (long)(_send * ns),
            WaitNs = (long)(_wait * ns),
            OverlapNs = (long)(_overlap * ns),
            LongestNs = (long)(_longest * ns),
            ElapsedNs = (long)(elapsed * ns),
            Flushes = _flushes,
            State = state,
            Start = before,
            End = Counters(),
        };
    }
}
