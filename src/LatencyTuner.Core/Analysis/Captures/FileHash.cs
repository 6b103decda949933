using System.Security.Cryptography;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>
/// The SHA-256 of an input: of a file beside its analysis, in a thread of its own; of a stream that can be read only once, while it is read.
/// The file's stays behind the reader, so that it takes the processor where the analysis waits for itself, and what it reads is still in memory.
/// </summary>
internal sealed class FileHash(CaptureInput input) : IDisposable
{
    // The framework's own way of hashing a stream reads 4 KiB at a time.
    private const int BufferSize = 1 << 17;
    private const long Behind = 192L << 20;

    private readonly object _gate = new();
    private Task<string?>? _beside;
    private HashingStream? _along;
    private long _allowed;

    /// <summary>Opens the input for reading.</summary>
    public Stream Open()
    {
        Stream stream = input.Open();
        if (stream.CanSeek)
        {
            _beside = Task.Factory.StartNew(Hash, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            return stream;
        }

        _along = new HashingStream(stream);
        return _along;
    }

    /// <summary>Lets it follow a reader that has come so far.</summary>
    /// <param name="bytes">Bytes of the file; the largest value once all is read.</param>
    public void Follow(long bytes)
    {
        lock (_gate)
        {
            _allowed = Math.Max(_allowed, bytes - Behind);
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>The hash in hexadecimal, which may still be under way; of null when the file could not be read again.</summary>
    public Task<string?> Value()
    {
        Follow(long.MaxValue);
        return _beside ?? Task.FromResult(_along?.Value());
    }

    public void Dispose()
    {
        Follow(long.MaxValue);
        _along?.Dispose();
    }

    private string? Hash()
    {
        try
        {
            using Stream again = input.Open();
            using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            byte[] buffer = new byte[BufferSize];
            long done = 0;
            do
            {
                WaitFor(done);
                int read = again.Read(buffer);
                if (read == 0)
                {
                    return Convert.ToHexString(hash.GetHashAndReset()).ToLowerInvariant();
                }

                hash.AppendData(buffer, 0, read);
                done += read;
            }
            while (true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private void WaitFor(long bytes)
    {
        lock (_gate)
        {
            while (bytes >= _allowed)
            {
                Monitor.Wait(_gate);
            }
        }
    }
}
