using System.Security.Cryptography;

namespace LatencyTuner.Core.Capture;

/// <summary>SHA-256 of a file, computed beside the analysis on a thread of its own: it would take as long as the analysis itself.</summary>
internal sealed class FileHash : IDisposable
{
    private const int Chunk = 1 << 18;

    private readonly Thread _thread;
    private volatile bool _stop;
    private string? _hash;

    /// <summary>Begins.</summary>
    /// <param name="open">Opens the file.</param>
    public FileHash(Func<Stream> open)
    {
        _thread = new Thread(() => Run(open)) { IsBackground = true, Name = "hash of the capture" };
        _thread.Start();
    }

    /// <summary>Waits for the hash in hexadecimal; null when the file could not be read.</summary>
    public string? Wait()
    {
        _thread.Join();
        return _hash;
    }

    /// <summary>Ends it, finished or not.</summary>
    public void Dispose()
    {
        _stop = true;
        _thread.Join();
    }

    private void Run(Func<Stream> open)
    {
        try
        {
            using Stream stream = open();
            using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            byte[] chunk = new byte[Chunk];
            for (int count; !_stop && (count = stream.Read(chunk)) > 0;)
            {
                hash.AppendData(chunk, 0, count);
            }

            _hash = _stop ? null : Convert.ToHexString(hash.GetHashAndReset()).ToLowerInvariant();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            _hash = null;
        }
    }
}
