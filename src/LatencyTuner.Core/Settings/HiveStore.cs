namespace LatencyTuner.Core.Settings;

/// <summary>
/// The hives of a Windows that does not run, read-only: <c>SYSTEM</c> and <c>SOFTWARE</c> of its folder <c>System32\config</c>. The control
/// set that <c>Select</c> names stands for <c>CurrentControlSet</c>.
/// </summary>
public sealed class HiveStore : RegistryAtRest
{
    /// <summary>The largest hive that is read, in bytes: 1 GiB.</summary>
    public const int MaxBytes = 1 << 30;

    private const string System = @"HKLM\SYSTEM";
    private const string Software = @"HKLM\SOFTWARE";
    private const string Current = @"HKLM\SYSTEM\CurrentControlSet";

    private readonly Dictionary<string, HiveFile> _hives = new(StringComparer.OrdinalIgnoreCase);
    private readonly string? _controlSet;

    private HiveStore(string source)
        : base(source, "a registry at rest")
    {
    }

    private HiveStore(string source, HiveStore mounted)
        : this(source)
    {
        _hives = mounted._hives;
        List<string> notes = new() { "The hives are those of a Windows at rest: values that a policy or a service writes when it runs are not in them." };
        if (_hives.ContainsKey(System))
        {
            _controlSet = mounted.ValueOrAbsent($@"{System}\Select", "Current").Number is { } number and > 0 and < 1000
                ? $@"{System}\ControlSet{number:000}"
                : throw new ExpectedFailureException(ExitCode.Input, $@"{source}: the hive SYSTEM names no current control set (Select\Current).");
        }
        else
        {
            notes.Add("The hive SYSTEM, which has the TCP settings, is not among them.");
        }

        if (!_hives.ContainsKey(Software))
        {
            notes.Add("The hive SOFTWARE, which tells the Windows build, is not among them.");
        }

        foreach ((string? root, HiveFile _) in _hives.Where(h => h.Value.IsDirty))
        {
            notes.Add($"{root} was in use when it was copied: changes that are only in its log files are not seen; reg save makes a complete copy.");
        }

        Notes = notes;
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Notes { get; } = [];

    /// <summary>True for a file that begins as hives do.</summary>
    /// <param name="bytes">The beginning of the file.</param>
    public static bool IsHive(ReadOnlySpan<byte> bytes) => HiveFile.IsHive(bytes);

    /// <summary>Opens hives; which is which is told by what is in them.</summary>
    /// <param name="files">Name, for failures, and contents of each, 1 GiB at most.</param>
    /// <param name="source">What they are called together.</param>
    /// <exception cref="ExpectedFailureException">One is no hive, damaged, or neither SYSTEM nor SOFTWARE (<see cref="ExitCode.Input"/>).</exception>
    public static HiveStore Open(IReadOnlyList<(string Path, byte[] Bytes)> files, string source)
    {
        ArgumentNullException.ThrowIfNull(files);
        HiveStore mounted = new(source);
        foreach ((string? path, byte[]? bytes) in files)
        {
            if (bytes.Length > MaxBytes)
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{path}: {bytes.Length} bytes are too many for a hive; at most {MaxBytes} are read.");
            }

            HiveFile hive = new(bytes, path);
            string root = hive.FindSubKey(hive.Root, "Select") is not null ? System
                : hive.FindSubKey(hive.Root, "Microsoft") is not null ? Software
                : throw new ExpectedFailureException(
                    ExitCode.Input,
                    $"{path}: expected the hive SYSTEM (with the key Select) or SOFTWARE (with the key Microsoft), this is another or a part of one.");
            if (!mounted._hives.TryAdd(root, hive))
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{path}: a second hive {root}; one of each is expected.");
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

    /// <summary>The hive that has a key, and the key's path in it.</summary>
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
