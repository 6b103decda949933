using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Inputs;

namespace LatencyTuner.Core.Recordings;

/// <summary>
/// Computes the SHA-256 of an input while it is read: its bytes are in the processor's cache then, and the reading thread has less to do than the
/// thread that follows the connections. A file that is not read from beginning to end is hashed in a thread of its own. An input that need not be
/// hashed is not.
/// </summary>
internal sealed class FileHash(RecordingInput input) : IDisposable
{
    private const int BufferSize = 1 << 17;

    private Task<string?>? _beside;
    private HashingStream? _along;
    private bool _isFile;

    /// <summary>Opens the input for reading.</summary>
    public Stream Open()
    {
        Stream stream = input.Open();
        _isFile = stream.CanSeek;
        return _isFile || !input.IsHashed ? stream : _along = new HashingStream(stream);
    }

    /// <summary>Hashes the input while it is read from its current position, which is its beginning.</summary>
    /// <param name="stream">The input.</param>
    /// <returns>The stream to read: another stream, or the same one.</returns>
    public Stream HashWhileReading(Stream stream)
    {
        if (!_isFile || !input.IsHashed)
        {
            return stream;
        }

        if (!CaptureContainer.IsZip(stream))
        {
            return _along = new HashingStream(stream);
        }

        HashSeparately();
        return stream;
    }

    /// <summary>Hashes the input in a thread of its own, because it will be read out of order or by other means.</summary>
    public void HashSeparately()
    {
        if (_isFile && input.IsHashed)
        {
            _beside = Task.Factory.StartNew(Again, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        }
    }

    /// <summary>The hash in hexadecimal, once the whole input has been read; null when the file was not hashed or could not be read to its end.</summary>
    public Task<string?> Value() => _beside ?? Task.FromResult(_along is { } along ? Rest(along) : null);

    public void Dispose() => _along?.Dispose();

    private string? Again()
    {
        try
        {
            using HashingStream again = new(input.Open());
            return ToEnd(again);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ExpectedFailureException)
        {
            return null;
        }
    }

    /// <summary>Data after the last gzip member is part of a file's hash, but a pipe is not read any further for it.</summary>
    private string? Rest(HashingStream along)
    {
        try
        {
            return _isFile ? ToEnd(along) : along.Value();
        }
        catch (IOException)
        {
            return null;
        }
    }

    private static string ToEnd(HashingStream stream)
    {
        byte[] buffer = new byte[BufferSize];
        while (stream.Read(buffer) > 0)
        {
        }

        return stream.Value();
    }
}
