using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using LatencyTuner.Hosting;

namespace LatencyTuner.Windows;

/// <summary>The source of this program in the Application log: registered by setup, used where it is registered.</summary>
/// <remarks>learn.microsoft.com, Event Sources: a key below the log with EventMessageFile and TypesSupported.</remarks>
[SupportedOSPlatform("windows")]
internal static class EventLogSource
{
    private const string Source = "LatencyTuner";
    private const string Key = @"HKLM\SYSTEM\CurrentControlSet\Services\EventLog\Application\" + Source;

    /// <summary>A file with the message "%1" for every event id; it is part of the .NET Framework, which every Windows with Event Viewer has.</summary>
    private const string Messages = @"%SystemRoot%\Microsoft.NET\Framework64\v4.0.30319\EventLogMessages.dll";

    /// <summary>EVENTLOG_ERROR_TYPE, EVENTLOG_WARNING_TYPE and EVENTLOG_INFORMATION_TYPE together.</summary>
    private const uint Types = 7;

    private static readonly (SettingLocation.Registry Place, SettingValue Value)[] Values =
    [
        (new(Key, "EventMessageFile"), SettingValue.Expand(Messages)), (new(Key, "TypesSupported"), SettingValue.Dword(Types)),
    ];

    /// <summary>True when the source is registered as setup does it.</summary>
    public static bool IsRegistered(ISettingsStore registry) => Values.All(v => registry.Read(v.Place).Equals(v.Value));

    /// <summary>True when the file with the texts of the entries exists.</summary>
    public static bool HasMessages() => File.Exists(Environment.ExpandEnvironmentVariables(Messages));

    /// <summary>Registers the source in the Application log.</summary>
    /// <returns>What was done, a sentence.</returns>
    public static string Register(ISettingsStore registry)
    {
        if (IsRegistered(registry))
        {
            return $"The Event Log source {Source} is already registered.";
        }

        foreach ((SettingLocation.Registry place, SettingValue value) in Values)
        {
            registry.Write(place, value);
        }

        return $"The Event Log source {Source} was registered in the Application log.";
    }

    /// <summary>Removes the registration; entries in the log stay.</summary>
    /// <returns>What was done, a sentence.</returns>
    public static string Remove(ISettingsStore registry)
    {
        if (!registry.ContainerExists(Key))
        {
            return $"The Event Log source {Source} was not registered.";
        }

        foreach ((SettingLocation.Registry place, _) in Values)
        {
            registry.Write(place, SettingValue.Absent);
        }

        return registry.RemoveEmptyContainer(Key)
            ? $"The Event Log source {Source} was removed."
            : $"The Event Log source {Source} was removed, except {Key}, which holds other values or keys.";
    }

    /// <summary>Writes an entry, for callers without a store of settings.</summary>
    /// <returns>Null, or why it was not written, a sentence.</returns>
    public static string? Write(EventEntry entry) => Write(new RegistrySettingsStore(), entry);

    /// <summary>Writes an entry when the source is registered.</summary>
    /// <returns>Null, or why it was not written, a sentence.</returns>
    public static string? Write(ISettingsStore registry, EventEntry entry)
    {
        try
        {
            // Windows would accept an unregistered source and write into the Application log without the texts.
            if (!registry.ContainerExists(Key))
            {
                return "No entry was written into the Event Log: its source is not registered. 'latencytuner setup' registers it.";
            }

            nint log = WindowsEventLogNative.Register(null, Source);
            if (log == 0)
            {
                return Failed();
            }

            bool written = WindowsEventLogNative.Report(
                log, Type(entry.Level), 0, (uint)entry.Id, 0, 1, 0, [entry.Text], 0);
            string? failed = written ? null : Failed();
            WindowsEventLogNative.Deregister(log);
            return failed;
        }
        catch (ExpectedFailureException e)
        {
            return $"No entry was written into the Event Log: {e.Message}";
        }
    }

    private static ushort Type(EventEntryLevel level) => level switch
    {
        EventEntryLevel.Error => WindowsEventLogNative.Error,
        EventEntryLevel.Warning => WindowsEventLogNative.Warning,
        _ => WindowsEventLogNative.Information,
    };

    private static string Failed() => $"No entry was written into the Event Log: {new Win32Exception(Marshal.GetLastPInvokeError()).Message.TrimEnd('.')}.";
}
