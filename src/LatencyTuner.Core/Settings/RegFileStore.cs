namespace LatencyTuner.Core.Settings;

/// <summary>
/// The values of a .reg file, read-only. The file is taken as an export: a value that is missing in a key that it holds, or below that key, is absent.
/// Other keys are unknown.
/// </summary>
public sealed class RegFileStore : OfflineRegistry
{
    /// <summary>The largest file that is read unless the caller says otherwise, in bytes: 64 MiB.</summary>
    public const int DefaultMaxBytes = 64 * 1024 * 1024;

    private readonly Dictionary<string, Dictionary<string, SettingValue>> _keys;
    private readonly HashSet<string> _deleted;

    private RegFileStore(string source, Dictionary<string, Dictionary<string, SettingValue>> keys, HashSet<string> deleted)
        : base(source, "a registry export") => (_keys, _deleted) = (keys, deleted);

    /// <inheritdoc/>
    public override IReadOnlyList<string> Notes { get; } = [
        "A registry export is taken as complete for the keys it holds: a value that is not in them counts as absent."];

    /// <summary>The keys it holds, in order.</summary>
    public IReadOnlyList<string> Keys => [.. _keys.Keys.Order(StringComparer.OrdinalIgnoreCase)];

    /// <summary>Reads a .reg file: version 5.00 or REGEDIT4, in UTF-16, UTF-8 or, for REGEDIT4, an 8-bit code page.</summary>
    /// <param name="bytes">The contents of the whole file.</param>
    /// <param name="path">Its name, for failures.</param>
    /// <param name="maxBytes">The largest size accepted, in bytes.</param>
    /// <exception cref="ExpectedFailureException">It is too large or malformed (<see cref="ExitCode.Input"/>); the sentence begins with
    /// <c>path:line:</c>.</exception>
    public static RegFileStore Parse(ReadOnlySpan<byte> bytes, string path, int maxBytes = DefaultMaxBytes)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (bytes.Length > maxBytes)
        {
            throw new ExpectedFailureException(
                ExitCode.Input,
                $@"{path}:1: {bytes.Length} bytes are too many; at most {maxBytes} bytes are read. Export HKLM\SYSTEM\CurrentControlSet\Services alone.");
        }

        RegFileParser parser = new(path);
        parser.Read(RegFileParser.Decode(bytes, path));
        return new RegFileStore(path, parser.Keys, parser.Deleted);
    }

    /// <summary>True for a file that begins like a .reg file.</summary>
    /// <param name="bytes">The beginning of the file.</param>
    public static bool IsRegFile(ReadOnlySpan<byte> bytes)
    {
        Span<char> start = stackalloc char[64];
        int length = 0;
        foreach (byte b in bytes[..Math.Min(bytes.Length, 128)])
        {
            // Drops the zero bytes and the byte order mark of UTF-16 and UTF-8: enough to recognise ASCII.
            if (b is > 0 and < 0x80 && length < start.Length)
            {
                start[length++] = (char)b;
            }
        }

        ReadOnlySpan<char> text = start[..length].TrimStart();
        return text.StartsWith("Windows Registry Editor", StringComparison.Ordinal) || text.StartsWith("REGEDIT", StringComparison.Ordinal);
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> SubKeys(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        string inside = key + '\\';
        return
        [
            .. _keys.Keys.Where(k => k.StartsWith(inside, StringComparison.OrdinalIgnoreCase)).Select(k => k[inside.Length..].Split('\\')[0])
                .Distinct(StringComparer.OrdinalIgnoreCase).Order(StringComparer.OrdinalIgnoreCase),
        ];
    }

    /// <inheritdoc/>
    public override bool Covers(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        for (string path = key; ; path = path[..path.LastIndexOf('\\')])
        {
            if (_keys.ContainsKey(path) || _deleted.Contains(path))
            {
                return true;
            }

            if (!path.Contains('\\', StringComparison.Ordinal))
            {
                return false;
            }
        }
    }

    /// <inheritdoc/>
    public override SettingValue ValueOrAbsent(string key, string name) =>
        _keys.TryGetValue(key, out Dictionary<string, SettingValue>? values) && values.TryGetValue(name, out SettingValue? value) ? value : SettingValue.Absent;

    /// <inheritdoc/>
    public override bool ContainerExists(string container) => _keys.ContainsKey(container);
}
