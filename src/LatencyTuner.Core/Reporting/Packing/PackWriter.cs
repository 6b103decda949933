using System.IO.Compression;
using System.Security.Cryptography;
using LatencyTuner.Core.Reporting.Packs;

namespace LatencyTuner.Core.Reporting.Packing;

/// <summary>Writes the zip of a pack: the same content gives the same bytes, because entries are sorted by the caller and have one time.</summary>
internal sealed class PackWriter : IDisposable
{
    private static readonly DateTimeOffset Earliest = new(1980, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly DateTimeOffset Latest = new(2107, 12, 31, 23, 59, 58, TimeSpan.Zero);

    private readonly ZipArchive _zip;
    private readonly DateTimeOffset _time;

    /// <summary>Begins a zip.</summary>
    /// <param name="output">Receives it; stays open.</param>
    /// <param name="time">The time of all entries; what a zip cannot say becomes the nearest that it can.</param>
    public PackWriter(Stream output, DateTimeOffset time)
    {
        _zip = new ZipArchive(output, ZipArchiveMode.Create, leaveOpen: true);
        _time = time < Earliest ? Earliest : time > Latest ? Latest : time.ToUniversalTime();
    }

    /// <summary>Writes an entry.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="kind">Its kind.</param>
    /// <param name="write">Writes its bytes.</param>
    public PackedFile Add(string name, string kind, Action<Stream> write)
    {
        ZipArchiveEntry entry = _zip.CreateEntry(name, CompressionLevel.Optimal);
        entry.LastWriteTime = _time;
        using Stream stream = entry.Open();
        using HashedOutput hashed = new(stream);
        write(hashed);
        return new() { Name = name, Kind = kind, Bytes = hashed.Count, Sha256 = hashed.Sha256() };
    }

    /// <inheritdoc/>
    public void Dispose() => _zip.Dispose();

    /// <summary>Hashes and counts what is written through it.</summary>
    private sealed class HashedOutput(Stream inner) : Stream
    {
        private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);

        public long Count { get; private set; }

        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => Count;

        public override long Position { get => Count; set => throw new NotSupportedException(); }

        public string Sha256() => Convert.ToHexString(_hash.GetCurrentHash()).ToLowerInvariant();

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            inner.Write(buffer);
            _hash.AppendData(buffer);
            Count += buffer.Length;
        }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Flush() => inner.Flush();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            _hash.Dispose();
            base.Dispose(disposing);
        }
    }
}
