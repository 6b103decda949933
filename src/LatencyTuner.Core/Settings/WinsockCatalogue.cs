using System.Buffers.Binary;
using System.Text;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>
/// Reads entries of the Winsock catalogue: the path of the provider's library in 260 bytes, then WSAPROTOCOL_INFOW of winsock2.h. A chain
/// length of 1 is a base provider, 0 is a layered protocol, and a larger one is a chain that contains a layered protocol.
/// </summary>
internal static class WinsockCatalogue
{
    private const int PathBytes = 260;
    private const int ChainLengthAt = PathBytes + 40;
    private const int NameAt = PathBytes + 116;
    private const int NameBytes = 512;

    /// <summary>The size of an entry, in bytes.</summary>
    public const int EntryBytes = NameAt + NameBytes;

    /// <summary>The layered provider of an entry; null when it is a base provider, or the bytes are no entry.</summary>
    /// <param name="entry">The value PackedCatalogItem of the registry.</param>
    public static HostComponent? Layered(ReadOnlySpan<byte> entry)
    {
        if (entry.Length < EntryBytes)
        {
            return null;
        }

        int chain = BinaryPrimitives.ReadInt32LittleEndian(entry[ChainLengthAt..]);
        if (chain is 1 or < 0 or > 7)
        {
            return null;
        }

        string path = Encoding.Latin1.GetString(entry[..PathBytes]);
        string name = Encoding.Unicode.GetString(entry.Slice(NameAt, NameBytes));
        return new HostComponent
        {
            Kind = "layered-service-provider",
            Name = Before(name) is { Length: > 0 } shown ? shown : "a provider without a name",
            Detail = Before(path),
        };
    }

    private static string Before(string text)
    {
        int end = text.IndexOf('\0', StringComparison.Ordinal);
        return string.Concat((end < 0 ? text : text[..end]).Select(c => char.IsControl(c) ? ' ' : c)).Trim();
    }
}
