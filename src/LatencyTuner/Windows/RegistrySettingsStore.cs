using System.ComponentModel;
using System.Runtime.Versioning;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using Microsoft.Win32.SafeHandles;

namespace LatencyTuner.Windows;

/// <summary>The registry of this machine in the 64-bit view, below HKEY_LOCAL_MACHINE. Values are read and written byte for byte.</summary>
[SupportedOSPlatform("windows")]
internal sealed class RegistrySettingsStore : ISettingsStore
{
    private const string Root = @"HKLM\";
    private const string Seen = "cannot be read";
    private const string Written = "cannot be written";
    private const string Removed = "cannot be removed";

    /// <summary>The longest name of a key is 255 characters (registry element size limits); one more for the final zero.</summary>
    private const int NameCapacity = 256;

    /// <summary>Largest value that is read, in bytes; no setting comes near it.</summary>
    private const uint MaxBytes = 16 * 1024 * 1024;

    public string Source => "this machine";

    public bool IsReadOnly => false;

    public SettingValue Read(SettingLocation location)
    {
        ArgumentNullException.ThrowIfNull(location);
        if (location is not SettingLocation.Registry registry)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{location} is not in the registry.");
        }

        using SafeRegistryHandle? key = Open(registry.Key, WindowsRegistryNative.KeyQueryValue);
        if (key is null)
        {
            return SettingValue.Absent;
        }

        byte[] data = new byte[256];
        while (true)
        {
            uint length = (uint)data.Length;
            int result = WindowsRegistryNative.QueryValue(key, registry.Value, 0, out int type, data, ref length);
            if (result == WindowsRegistryNative.ErrorMoreData && length <= MaxBytes)
            {
                // The value can grow between two calls, and then the buffer is too small again.
                data = new byte[Math.Max(length, (uint)data.Length * 2)];
            }
            else if (result == 0)
            {
                return RegistryValueDecoder.Decode(type, data.AsSpan(0, (int)Math.Min(length, (uint)data.Length)));
            }
            else
            {
                return IsMissing(result) ? SettingValue.Absent : throw Failure(registry.ToString(), result);
            }
        }
    }

    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(location);
        ArgumentNullException.ThrowIfNull(value);
        if (location is not SettingLocation.Registry registry)
        {
            throw new ExpectedFailureException(ExitCode.Platform, $"{location} is not in the registry.");
        }

        if (value.IsAbsent)
        {
            DeleteValue(registry);
            return [];
        }

        List<string> created = CreateKeys(registry.Key);
        using SafeRegistryHandle key = Open(registry.Key, WindowsRegistryNative.KeyWrittenAndFlushed, Written)
            ?? throw Failure(registry.Key, WindowsRegistryNative.ErrorFileNotFound, Written);
        (int type, byte[] bytes) = RegistryValueEncoder.Encode(value);
        Check(WindowsRegistryNative.SetValue(key, registry.Value, 0, type, bytes, bytes.Length), registry.ToString(), Written);
        Flush(key, registry.ToString());
        return created;
    }

    public bool ContainerExists(string container) => Exists(container);

    public bool RemoveEmptyContainer(string container)
    {
        using (SafeRegistryHandle? key = Open(container, WindowsRegistryNative.KeyQueryValue, Removed))
        {
            if (key is null)
            {
                return true;
            }

            Check(WindowsRegistryNative.QueryInfo(key, 0, 0, 0, out uint subKeys, 0, 0, out uint values, 0, 0, 0, 0), container, Removed);
            if (subKeys > 0 || values > 0)
            {
                return false;
            }
        }

        // The call removes a key that has values, but no key with keys below it; a value written since the check is lost with the key.
        int result = WindowsRegistryNative.DeleteKey(WindowsRegistryNative.LocalMachine, container[Root.Length..], WindowsRegistryNative.KeyWow6464Key, 0);
        if (!IsMissing(result))
        {
            Check(result, container, Removed);
        }

        string parent = container[..container.LastIndexOf('\\')];
        using SafeRegistryHandle? above = parent.Length > Root.Length ? Open(parent, WindowsRegistryNative.KeyQueryValue, Removed) : null;
        if (above is not null)
        {
            Flush(above, container);
        }

        return true;
    }

    /// <summary>The names of the keys directly below a key, in the registry's order; none when the key does not exist.</summary>
    /// <exception cref="ExpectedFailureException">They cannot be listed (<see cref="ExitCode.Platform"/>).</exception>
    public static IReadOnlyList<string> SubKeys(string path)
    {
        using SafeRegistryHandle? key = Open(path, WindowsRegistryNative.KeyEnumerateSubKeys);
        List<string> names = [];
        char[] name = new char[NameCapacity];
        while (key is not null)
        {
            uint length = (uint)name.Length;
            int result = WindowsRegistryNative.EnumerateKey(key, (uint)names.Count, name, ref length, 0, 0, 0, 0);
            if (result == WindowsRegistryNative.ErrorNoMoreItems)
            {
                break;
            }

            if (result != 0)
            {
                throw Failure(path, result);
            }

            names.Add(new string(name, 0, (int)Math.Min(length, (uint)name.Length)));
        }

        return names;
    }

    private static void DeleteValue(SettingLocation.Registry registry)
    {
        using SafeRegistryHandle? key = Open(registry.Key, WindowsRegistryNative.KeyWrittenAndFlushed, Removed);
        if (key is null)
        {
            return;
        }

        int result = WindowsRegistryNative.DeleteValue(key, registry.Value);
        if (!IsMissing(result))
        {
            Check(result, registry.ToString(), Removed);
        }

        Flush(key, registry.ToString());
    }

    /// <summary>Creates the missing keys of a path one by one, because only then it is known which of them are new.</summary>
    private static List<string> CreateKeys(string path)
    {
        List<string> created = [];
        using (SafeRegistryHandle? existing = Open(path, WindowsRegistryNative.KeyWrittenAndFlushed, Written))
        {
            if (existing is not null)
            {
                return created;
            }
        }

        for (int end = path.IndexOf('\\', Root.Length); ; end = path.IndexOf('\\', end + 1))
        {
            string part = end < 0 ? path : path[..end];
            if (end < 0 || !Exists(part))
            {
                int result = WindowsRegistryNative.CreateKey(
                    WindowsRegistryNative.LocalMachine, part[Root.Length..], 0, null, 0,
                    WindowsRegistryNative.KeyQueryValue | WindowsRegistryNative.KeyWow6464Key, 0, out SafeRegistryHandle key, out int disposition);
                using (key)
                {
                    Check(result, part, "cannot be created");
                    if (disposition == WindowsRegistryNative.CreatedNewKey)
                    {
                        created.Add(part);
                    }
                }
            }

            if (end < 0)
            {
                return created;
            }
        }
    }

    private static bool Exists(string path)
    {
        using SafeRegistryHandle? key = Open(path, WindowsRegistryNative.KeyQueryValue);
        return key is not null;
    }

    /// <summary>Without a flush, Windows writes the hive some seconds later, and a power failure would lose changes that the journal calls done.</summary>
    private static void Flush(SafeRegistryHandle key, string what) => Check(WindowsRegistryNative.FlushKey(key), what, "was written, but not flushed to disk");

    private static void Check(int result, string what, string failed)
    {
        if (result != 0)
        {
            throw Failure(what, result, failed);
        }
    }

    /// <summary>The key; null when it does not exist.</summary>
    private static SafeRegistryHandle? Open(string path, uint access, string failed = Seen)
    {
        if (!path.StartsWith(Root, StringComparison.OrdinalIgnoreCase))
        {
            throw new ExpectedFailureException(ExitCode.Platform, $@"{path} {failed}: only keys below {Root} are supported.");
        }

        int result = WindowsRegistryNative.OpenKey(
            WindowsRegistryNative.LocalMachine, path[Root.Length..], 0, access | WindowsRegistryNative.KeyWow6464Key, out SafeRegistryHandle key);
        if (result == 0)
        {
            return key;
        }

        key.Dispose();
        return IsMissing(result) ? null : throw Failure(path, result, failed);
    }

    private static bool IsMissing(int result) =>
        result is WindowsRegistryNative.ErrorFileNotFound or WindowsRegistryNative.ErrorPathNotFound or WindowsRegistryNative.ErrorKeyDeleted;

    private static ExpectedFailureException Failure(string path, int result, string failed = Seen) => new(
        ExitCode.Platform,
        result == WindowsRegistryNative.ErrorAccessDenied ? $"{path} {failed}: {SnapshotValue.AccessDenied}."
            : $"{path} {failed}: {new Win32Exception(result).Message.TrimEnd('.')} (error {result}).");
}
