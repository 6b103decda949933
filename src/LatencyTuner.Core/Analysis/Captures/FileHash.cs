using System.Security.Cryptography;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>The SHA-256 of an input: of a file beside its analysis, in a thread of its own; of a stream that can be read only once, while it is read.</summary>
internal sealed class FileHash(CaptureInput input) : IDisposable
{
    // The framework's own way of hashing a stream reads 4 KiB at a time.
    private const int BufferSize = 1 << 17;

    private Task<string?>? _beside;
    private HashingStream? _along;

    /// <summary>Opens the input for reading.</summary>
    public Stream Open()
    {
        Stream stream = input.Open();
        if (stream.CanSeek)
        {
            _beside = Task.Run(Hash);
            return stream;
        }

        _along = new HashingStream(stream);
        return _along;
    }

    /// <summary>The hash in hexadecimal; null when the file could not be read again.</summary>
    public string? Value() => _along is not null ? _along.Value() : _beside?.GetAwaiter().GetResult();

    public void Dispose() => _along?.Dispose();

    private string? Hash()
    {
        try
        {
            using Stream again = input.Open();
            using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            byte[] buffer = new byte[BufferSize];
            for (int read; (read = again.Read(buffer)) > 0;)
            {
                hash.AppendData(buffer, 0, read);
            }

            return Convert.ToHexString(hash.GetHashAndReset()).ToLowerInvariant();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
