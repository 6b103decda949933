using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Tuning;

/// <summary>
/// The journal's lines: eight hexadecimal digits with the length of the JSON in bytes, a space, the SHA-256 of the hash before it and the
/// JSON, a space, the JSON, LF. The chain shows a record that is missing, moved or altered. It is not a signature: everyone who may write the file
/// can make a new chain. A rollback therefore asks the catalogue.
/// </summary>
internal static class JournalFormat
{
    internal const int Version = 1;
    internal const int HashBytes = SHA256.HashSizeInBytes;
    internal const int MaxRecordBytes = 8 * 1024 * 1024;

    private const int PrefixBytes = 8 + 1 + (2 * HashBytes) + 1;

    /// <summary>The line of a record, and the hash that the next one continues.</summary>
    internal static byte[] Line(JournalRecord record, byte[] lastHash, out byte[] hash)
    {
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(record, TuningJsonContext.Default.JournalRecord);
        hash = Hash(lastHash, json);
        string prefix = $"{json.Length:x8} {Convert.ToHexString(hash).ToLowerInvariant()} ";
        return [.. Encoding.ASCII.GetBytes(prefix), .. json, (byte)'\n'];
    }

    /// <summary>Reads records up to the first line that is not a record.</summary>
    /// <exception cref="ExpectedFailureException">A newer version wrote it (<see cref="ExitCode.Input"/>).</exception>
    internal static JournalContents Read(ReadOnlySpan<byte> bytes, string path)
    {
        JournalContents contents = new();
        while (contents.GoodLength < bytes.Length)
        {
            ReadOnlySpan<byte> rest = bytes[contents.GoodLength..];
            if (Next(rest, contents, path, out int length) is not { } problem)
            {
                contents.GoodLength += length;
                continue;
            }

            contents.Tail = IsCut(rest) ? JournalTail.Cut : JournalTail.Damaged;
            contents.TailText = contents.Tail == JournalTail.Cut
                ? $"{path} is cut at byte {contents.GoodLength}: its last record was not completely written and does not count."
                : $"{path} is damaged at byte {contents.GoodLength}: {problem}. The records before it (batches: {contents.BatchList.Count}) are usable.";
            break;
        }

        return contents;
    }

    private static string? Next(ReadOnlySpan<byte> rest, JournalContents contents, string path, out int length)
    {
        length = 0;
        if (rest.StartsWith(Encoding.UTF8.Preamble))
        {
            return "expected a length, found the byte order mark of an editor that saved it";
        }

        if (rest.Length < PrefixBytes || rest[8] != ' ' || rest[PrefixBytes - 1] != ' '
            || !int.TryParse(Ascii(rest[..8]), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out int size) || Ascii(rest[..8]) != $"{size:x8}")
        {
            return $"expected a length and a hash, found {Quote(rest)}";
        }

        if (size is < 2 or > MaxRecordBytes || rest.Length - PrefixBytes <= size || rest[PrefixBytes + size] != '\n')
        {
            bool edited = size > 0 && rest.Length - PrefixBytes > size && rest[PrefixBytes + size] == '\r';
            return $"expected a record of {size} bytes and the end of the line, found {(edited ? "the CR of an editor that saved it" : "none")}";
        }

        ReadOnlySpan<byte> json = rest.Slice(PrefixBytes, size);
        byte[] hash = Hash(contents.LastHash, json);
        if (!rest[9..(PrefixBytes - 1)].SequenceEqual(Encoding.ASCII.GetBytes(Convert.ToHexString(hash).ToLowerInvariant())))
        {
            return "the hash of the record is not that of its contents and of the record before it";
        }

        if (Parse(json) is not { } record)
        {
            return $"expected a record in JSON, found {Quote(json)}";
        }

        if (record.Kind == JournalRecord.Header && record.Version > Version)
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"{path} was written by a newer version of latencytuner (journal version {record.Version}); this one reads version {Version}.");
        }

        if (contents.Accept(record) is { } impossible)
        {
            return $"found {impossible}";
        }

        contents.LastHash = hash;
        length = PrefixBytes + size + 1;
        return null;
    }

    private static JournalRecord? Parse(ReadOnlySpan<byte> json)
    {
        try
        {
            return JsonSerializer.Deserialize(json, TuningJsonContext.Default.JournalRecord);
        }
        catch (Exception failure) when (failure is JsonException or InvalidOperationException)
        {
            // InvalidOperationException: an escaped lone surrogate.
            return null;
        }
    }

    // A record that was being written has no end of line yet; some file systems show what was not written as zeros. One with all its bytes was written, and its
    // end was changed since.
    private static bool IsCut(ReadOnlySpan<byte> rest) => rest.IndexOf((byte)'\n') < 0
        && !(rest.Length > PrefixBytes && int.TryParse(Ascii(rest[..8]), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out int size)
            && size is >= 2 and <= MaxRecordBytes && rest.Length > PrefixBytes + size && rest[PrefixBytes + size] != 0);

    private static byte[] Hash(byte[] lastHash, ReadOnlySpan<byte> json)
    {
        Span<byte> hash = stackalloc byte[HashBytes];
        using IncrementalHash sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        sha.AppendData(lastHash);
        sha.AppendData(json);
        sha.GetHashAndReset(hash);
        return hash.ToArray();
    }

    private static string Ascii(ReadOnlySpan<byte> bytes) => Encoding.ASCII.GetString(bytes);

    private static string Quote(ReadOnlySpan<byte> bytes) => PlannedChange.Quote(Encoding.ASCII.GetString(bytes[..Math.Min(bytes.Length, 40)]));
}

/// <summary>Source-generated serialisation of the journal: one line, nothing for null.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(JournalRecord))]
internal sealed partial class TuningJsonContext : JsonSerializerContext;
