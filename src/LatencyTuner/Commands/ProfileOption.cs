using System.CommandLine;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Commands;

/// <summary><c>--profile</c>: what a host is to be good at, which decides what suits it.</summary>
internal static class ProfileOption
{
    public static Option<string> Create() =>
        Symbols.Words("--profile", "What the host is to be good at.", SettingNames.Of(WorkloadProfile.Balanced), [.. SettingNames.All<WorkloadProfile>()]);

    public static WorkloadProfile Value(ParseResult parse, Option<string> option) =>
        Enum.GetValues<WorkloadProfile>().First(p => SettingNames.Of(p) == parse.GetValue(option));
}
