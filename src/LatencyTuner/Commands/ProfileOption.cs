using System.CommandLine;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Commands;

/// <summary><c>--profile</c>: the kind of workload of a host, which decides the values that suit it.</summary>
internal static class ProfileOption
{
    public static Option<string> Create() =>
        Symbols.Words(
            "--profile", "The kind of workload that the settings are judged for.", SettingNames.Of(WorkloadProfile.Balanced),
            [.. SettingNames.All<WorkloadProfile>()]);

    public static WorkloadProfile Value(ParseResult parse, Option<string> option) =>
        Enum.GetValues<WorkloadProfile>().First(p => SettingNames.Of(p) == parse.GetValue(option));
}
