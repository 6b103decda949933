using System.ComponentModel;
using System.Runtime.Versioning;
using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using Microsoft.Win32.SafeHandles;

namespace LatencyTuner.Windows;

/// <summary>The registry of this machine in the 64-bit view, below HKEY_LOCAL_MACHINE. Values come as they are stored, byte for byte; nothing is written.</summary>
[SupportedOSPlatform("windows")]
internal sealed class RegistrySettingsStore : ISettingsStore
{
    private const string Root = @"HKLM\";

    /// <summary>The longest name of a key is 255 characters (registry element size limits); one more for the final zero.</summary>
    private const int NameCapacity = 256;

    /// <summary>Largest value that is read, in bytes; no setting comes near it.</summary>
    private const uint MaxBytes = 16 * 1024 * 1024;

    public string Source => "this machine";

    public bool IsReadOnly => true;

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
                // The value can grow between two calls, and then the length asked for is too small again.
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

    public IReadOnlyList<string> Write(SettingLocation location, SettingValue value) =>
        throw new ExpectedFailureException(ExitCode.Platform, $"{location} is not written: this version reads the registry only.");

    public bool ContainerExists(string container)
    {
        using SafeRegistryHandle? key = Open(container, WindowsRegistryNative.KeyQueryValue);
        return key is not null;
    }

    public bool RemoveEmptyContainer(string container) =>
        throw new ExpectedFailureException(ExitCode.Platform, $"{container} is not removed: this version reads the registry only.");

    /// <summary>The names of the keys directly below a key, in the registry's order; none when it is not there.</summary>
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

    /// <summary>The key; null when it is not there.</summary>
    private static SafeRegistryHandle? Open(string path, uint access)
    {
        if (!path.StartsWith(Root, StringComparison.OrdinalIgnoreCase))
        {
            throw new ExpectedFailureException(ExitCode.Platform, $@"{path} cannot be read: only keys below {Root} are.");
        }

        int result = WindowsRegistryNative.OpenKey(
            WindowsRegistryNative.LocalMachine, path[Root.Length..], 0, access | WindowsRegistryNative.KeyWow6464Key, out SafeRegistryHandle key);
        if (result == 0)
        {
            return key;
        }

        key.Dispose();
        return IsMissing(result) ? null : throw Failure(path, result);
    }

    private static bool IsMissing(int result) =>
        result is WindowsRegistryNative.ErrorFileNotFound or WindowsRegistryNative.ErrorPathNotFound or WindowsRegistryNative.ErrorKeyDeleted;

    private static ExpectedFailureException Failure(string path, int result) => new(
        ExitCode.Platform,
        result == WindowsRegistryNative.ErrorAccessDenied ? $"{path} cannot be read: access is denied." : $"{path} cannot be read: {new Win32Exception(result).Message.TrimEnd('.')} (error {result}).");
}
