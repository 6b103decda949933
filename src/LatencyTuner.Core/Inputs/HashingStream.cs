using System.Security.Cryptography;

namespace LatencyTuner.Core.Inputs;

/// <summary>Hashes the bytes that are read through it.</summary>
/// <param name="inner">The stream to read; disposed with this one.</param>
internal sealed class HashingStream(Stream inner) : ReadOnlyStream
{
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);

    /// <summary>The SHA-256 of all bytes read, in hexadecimal.</summary>
    public string Value() => Convert.ToHexString(_hash.GetCurrentHash()).ToLowerInvariant();

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        int read = inner.Read(buffer);
        _hash.AppendData(buffer[..read]);
        return read;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _hash.Dispose();
            inner.Dispose();
        }

        base.Dispose(disposing);
    }
}
