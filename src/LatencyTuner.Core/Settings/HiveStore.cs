namespace LatencyTuner.Core.Settings;

/// <summary>
/// The hives of an offline Windows, read-only: <c>SYSTEM</c> and <c>SOFTWARE</c> of its folder <c>System32\config</c>. The control
/// set that <c>Select</c> names stands for <c>CurrentControlSet</c>.
/// </summary>
public sealed class HiveStore : OfflineRegistry
{
    /// <summary>The largest hive that is read, in bytes: 1 GiB.</summary>
    public const int MaxBytes = 1 << 30;

    private const string System = @"HKLM\SYSTEM";
    private const string Software = @"HKLM\SOFTWARE";
    private const string Current = @"HKLM\SYSTEM\CurrentControlSet";

    private readonly Dictionary<string, HiveFile> _hives = new(StringComparer.OrdinalIgnoreCase);
    private readonly string? _controlSet;

    private HiveStore(string source)
        : base(source, "an offline registry")
    {
    }

    private HiveStore(string source, HiveStore mounted)
        : this(source)
    {
        _hives = mounted._hives;
        List<string> notes = new() { "The hives are those of an offline Windows: they lack values that a policy or a service writes while Windows runs." };
        if (_hives.ContainsKey(System))
        {
            _controlSet = mounted.ValueOrAbsent($@"{System}\Select", "Current").Number is { } number and > 0 and < 1000
                ? $@"{System}\ControlSet{number:000}"
                : throw new ExpectedFailureException(ExitCode.Input, $@"{source}: the hive SYSTEM names no current control set (Select\Current).");
        }
        else
        {
            notes.Add("The hive SYSTEM, which holds the TCP settings, is missing.");
        }

        if (!_hives.ContainsKey(Software))
        {
            notes.Add("The hive SOFTWARE, which holds the Windows build, is missing.");
        }

        foreach ((string? root, HiveFile _) in _hives.Where(h => h.Value.IsDirty))
        {
            notes.Add($"{root} was in use when it was copied: changes that are only in its log files are missing. 'reg save' makes a complete copy.");
        }

        Notes = notes;
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Notes { get; } = [];

    /// <summary>True for a file that begins like a hive.</summary>
    /// <param name="bytes">The beginning of the file.</param>
    public static bool IsHive(ReadOnlySpan<byte> bytes) => HiveFile.IsHive(bytes);

    /// <summary>Opens hives; their keys show which hive each file is.</summary>
    /// <param name="files">Name, for failures, and contents of each, 1 GiB at most.</param>
    /// <param name="source">The name of the files together, for reports.</param>
    /// <exception cref="ExpectedFailureException">One is no hive, damaged, or neither SYSTEM nor SOFTWARE (<see cref="ExitCode.Input"/>).</exception>
    public static HiveStore Open(IReadOnlyList<(string Path, byte[] Bytes)> files, string source)
    {
        ArgumentNullException.ThrowIfNull(files);
        HiveStore mounted = new(source);
        foreach ((string? path, byte[]? bytes) in files)
        {
            if (bytes.Length > MaxBytes)
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{path}: {bytes.Length} bytes are too many for a hive; at most {MaxBytes} bytes are read.");
            }

            HiveFile hive = new(bytes, path);
            string root = hive.FindSubKey(hive.Root, "Select") is not null ? System
                : hive.FindSubKey(hive.Root, "Microsoft") is not null ? Software
                : throw new ExpectedFailureException(
                    ExitCode.Input,
                    $"{path}: expected the hive SYSTEM (with the key Select) or SOFTWARE (with the key Microsoft). This is another hive or a part of one.");
            if (!mounted._hives.TryAdd(root, hive))
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{path}: this is a second hive {root}; one of each is expected.");
            }
        }

        return new HiveStore(source, mounted);
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> SubKeys(string key) =>
        Find(key) is var (hive, cell) ? [.. hive.SubKeys(cell).Order(StringComparer.OrdinalIgnoreCase)] : [];

    /// <inheritdoc/>
    public override bool Covers(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return Mounted(key) is not null;
    }

    /// <inheritdoc/>
    public override SettingValue ValueOrAbsent(string key, string name) => Find(key) is var (hive, cell) ? hive.Value(cell, name) : SettingValue.Absent;

    /// <inheritdoc/>
    public override bool ContainerExists(string container) => Find(container) is not null;

    private (HiveFile Hive, int Cell)? Find(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (Mounted(key) is not var (hive, rest))
        {
            return null;
        }

        int cell = hive.Root;
        foreach (string name in rest.Split('\\', StringSplitOptions.RemoveEmptyEntries))
        {
            if (hive.FindSubKey(cell, name) is not { } next)
            {
                return null;
            }

            cell = next;
        }

        return (hive, cell);
    }

    /// <summary>The hive that holds a key, and the path of the key in it.</summary>
    private (HiveFile Hive, string Path)? Mounted(string key)
    {
        string path = _controlSet is not null && IsBelow(key, Current) ? _controlSet + key[Current.Length..] : key;
        foreach ((string? root, HiveFile? hive) in _hives)
        {
            if (IsBelow(path, root))
            {
                return (hive, path[root.Length..]);
            }
        }

        return null;
    }

    private static bool IsBelow(string key, string root) =>
        key.StartsWith(root, StringComparison.OrdinalIgnoreCase) && (key.Length == root.Length || key[root.Length] == '\\');
}
