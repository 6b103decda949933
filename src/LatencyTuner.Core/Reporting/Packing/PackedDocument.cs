using System.IO.Compression;

namespace LatencyTuner.Core.Reporting.Packing;

/// <summary>A document on its way into a pack, compressed: thousands of them may wait.</summary>
/// <param name="name">Name of its file.</param>
/// <param name="kind">What it is.</param>
/// <param name="isSnapshot">True for a snapshot of settings.</param>
/// <param name="ofSha256">SHA-256 of the file in hexadecimal.</param>
/// <param name="bytes">Its bytes.</param>
internal sealed class PackedDocument(string name, string kind, bool isSnapshot, string ofSha256, byte[] bytes)
{
    private readonly byte[] _compressed = Compressed(bytes);

    /// <summary>Name of its file.</summary>
    public string Name => name;

    /// <summary>What it is.</summary>
    public string Kind => kind;

    /// <summary>True for a snapshot of settings.</summary>
    public bool IsSnapshot => isSnapshot;

    /// <summary>SHA-256 of the file in hexadecimal.</summary>
    public string OfSha256 { get; } = ofSha256;

    /// <summary>Its name in the pack; empty until it has one.</summary>
    public string Entry { get; private init; } = "";

    /// <summary>SHA-256 of its bytes as they are in the pack, in hexadecimal.</summary>
    public string Sha256 { get; private init; } = ofSha256;

    /// <summary>The document as it goes into the pack.</summary>
    /// <param name="entry">Its name there.</param>
    /// <param name="changed">Its bytes there.</param>
    /// <param name="sha256">Their SHA-256 in hexadecimal.</param>
    public PackedDocument As(string entry, byte[] changed, string sha256) => new(name, kind, isSnapshot, OfSha256, changed) { Entry = entry, Sha256 = sha256 };

    /// <summary>Its bytes.</summary>
    public byte[] Unpacked()
    {
        using DeflateStream inflate = new(new MemoryStream(_compressed, writable: false), CompressionMode.Decompress);
        using MemoryStream whole = new();
        inflate.CopyTo(whole);
        return whole.ToArray();
    }

    private static byte[] Compressed(byte[] bytes)
    {
        using MemoryStream packed = new();
        using (DeflateStream deflate = new(packed, CompressionLevel.Fastest))
        {
            deflate.Write(bytes);
        }

        return packed.ToArray();
    }
}
