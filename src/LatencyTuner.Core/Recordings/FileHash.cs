using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Inputs;

namespace LatencyTuner.Core.Recordings;

/// <summary>
/// The SHA-256 of an input: while it is read, because its bytes are near the processor then and the thread that follows the connections has more to do
/// than the one that reads; of a file that is not read from begin to end, in a thread of its own.
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
        return _isFile ? stream : _along = new HashingStream(stream);
    }

    /// <summary>Says that the input will now be read from where it is, which is its begin.</summary>
    /// <param name="stream">The input.</param>
    /// <returns>Another stream that is to be read instead, or the same.</returns>
    public Stream Along(Stream stream)
    {
        if (!_isFile)
        {
            return stream;
        }

        if (!CaptureContainer.IsZip(stream))
        {
            return _along = new HashingStream(stream);
        }

        Beside();
        return stream;
    }

    /// <summary>Says that the input will be read in no order, or by other means.</summary>
    public void Beside()
    {
        if (_isFile)
        {
            _beside = Task.Factory.StartNew(Again, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        }
    }

    /// <summary>The hash in hexadecimal once all has been read, which may still be under way; of null when the file could not be read to its end.</summary>
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

    /// <summary>What follows the last gzip member belongs to a file, but a pipe is not read on for it.</summary>
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
