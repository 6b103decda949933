using System.Text;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Tests.Tuning;

/// <summary>Keys as folders and values as files, so that a process can really be killed in the middle.</summary>
public sealed class FileStore(string root) : ISettingsStore
{
    public string Source => root;

    public bool IsReadOnly => false;

    public SettingValue Read(SettingLocation location)
    {
        string path = PathOf(location);
        if (!File.Exists(path))
        {
            return SettingValue.Absent;
        }

        string text = File.ReadAllText(path, Encoding.UTF8);
        return text[0] switch
        {
            'd' => SettingValue.Dword(uint.Parse(text.AsSpan(1), System.Globalization.CultureInfo.InvariantCulture)),
            's' => SettingValue.Of(text[1..]),
            'm' => SettingValue.Multi(text[1..].Split('\n')),
            _ => SettingValue.Binary(Convert.FromHexString(text.AsSpan(1))),
        };
    }

    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value)
    {
        string path = PathOf(location);
        if (value.IsAbsent)
        {
            File.Delete(path);
            return [];
        }

        List<string> created = new();
        foreach (string key in MemoryStore.Ancestors(((SettingLocation.Registry)location).Key))
        {
            if (Directory.Exists(FolderOf(key)))
            {
                continue;
            }

            Directory.CreateDirectory(FolderOf(key));
            created.Add(key);
        }

        // Whole or not at all, as the registry does it.
        string text = value.Kind switch
        {
            SettingValueKind.Dword => "d" + value.Number,
            SettingValueKind.Text => "s" + value.Text,
            SettingValueKind.MultiText => "m" + string.Join('\n', value.Texts!),
            _ => "b" + Convert.ToHexString(value.Bytes),
        };
        string temporary = Path.Combine(root, "next");
        File.WriteAllText(temporary, text);
        File.Move(temporary, path, overwrite: true);
        return created;
    }

    public bool ContainerExists(string container) => Directory.Exists(FolderOf(container));

    public bool RemoveEmptyContainer(string container)
    {
        if (!Directory.Exists(FolderOf(container)))
        {
            return true;
        }

        if (Directory.EnumerateFileSystemEntries(FolderOf(container)).Any())
        {
            return false;
        }

        Directory.Delete(FolderOf(container));
        return true;
    }

    /// <summary>Everything that is there.</summary>
    public string Dump()
    {
        string keys = Path.Combine(root, "HKLM");
        return string.Join('\n', Directory.EnumerateFileSystemEntries(keys, "*", SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal).Select(p => File.Exists(p) ? $"{p} = {File.ReadAllText(p)}" : p));
    }

    private string FolderOf(string key) => Path.Combine([root, .. key.Split('\\')]);

    private string PathOf(SettingLocation location) =>
        Path.Combine(FolderOf(((SettingLocation.Registry)location).Key), ((SettingLocation.Registry)location).Value + ".value");
}
