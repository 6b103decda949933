using System.Buffers.Binary;
using System.Text;

namespace LatencyTuner.Core.Etw;

/// <summary>
/// The names in the descriptions that TraceLogging events contain (extended items 11, schema, and 12, provider traits). These events have no
/// id; their descriptions distinguish them.
/// </summary>
internal sealed class EtlInlineSchemas
{
    /// <summary>Largest number of descriptions; a hostile trace could make every event different.</summary>
    private const int Most = 10_000;
    private const int LongestName = 256;
    private const ushort ItemSchema = 11;
    private const ushort ItemTraits = 12;

    private readonly Dictionary<(Guid Provider, ulong Hash), int> _numbers = [];
    private readonly List<(string Provider, string Event)> _names = [("", "")];

    /// <summary>Names of provider and event; both empty for number 0, which stands for events without a description or above the limit.</summary>
    internal (string Provider, string Event) this[int number] => _names[number];

    /// <summary>The number of a description.</summary>
    /// <param name="provider">The event's provider.</param>
    /// <param name="items">Its extended items, already validated.</param>
    internal int NumberOf(Guid provider, ReadOnlySpan<byte> items)
    {
        ReadOnlySpan<byte> schema = default, traits = default;
        for (ReadOnlySpan<byte> rest = items; rest.Length >= 8;)
        {
            ReadOnlySpan<byte> data = rest.Slice(8, Math.Min(U16(rest[6..]), rest.Length - 8));
            schema = U16(rest[2..]) == ItemSchema ? data : schema;
            traits = U16(rest[2..]) == ItemTraits ? data : traits;
            rest = rest[Math.Min((U16(rest) + 7) & ~7, rest.Length)..];
        }

        (Guid provider, ulong) key = (provider, HashOf(schema));
        if (_numbers.TryGetValue(key, out int number) || _names.Count >= Most)
        {
            return number;
        }

        _numbers.Add(key, _names.Count);
        _names.Add((NameIn(traits), EventIn(schema)));
        return _names.Count - 1;
    }

    /// <summary>FNV-1a hash; descriptions with the same hash are counted together.</summary>
    private static ulong HashOf(ReadOnlySpan<byte> bytes)
    {
        ulong hash = 14_695_981_039_346_656_037;
        foreach (byte one in bytes)
        {
            hash = (hash ^ one) * 1_099_511_628_211;
        }

        return hash;
    }

    /// <summary>A schema starts with its size. Tag bytes follow; all but the last have their highest bit set.</summary>
    private static string EventIn(ReadOnlySpan<byte> schema)
    {
        int at = 2;
        while (at < schema.Length && (schema[at] & 0x80) != 0)
        {
            at++;
        }

        return at < schema.Length ? Text(schema[(at + 1)..]) : "";
    }

    private static string NameIn(ReadOnlySpan<byte> traits) => traits.Length > 2 ? Text(traits[2..]) : "";

    private static string Text(ReadOnlySpan<byte> bytes)
    {
        int end = bytes.IndexOf((byte)0);
        if (end is <= 0 or > LongestName)
        {
            return "";
        }

        string text = Encoding.UTF8.GetString(bytes[..end]);
        return text.Any(char.IsControl) ? "" : text;
    }

    private static int U16(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt16LittleEndian(bytes);
}
