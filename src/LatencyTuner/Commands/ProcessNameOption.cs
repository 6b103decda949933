using System.CommandLine;

namespace LatencyTuner.Commands;

/// <summary><c>--process</c>: processes by the name of their program or service.</summary>
internal static class ProcessNameOption
{
    public static Option<string[]> Create(string description) => new("--process")
    {
        Description = description,
        HelpName = "name",
        AllowMultipleArgumentsPerToken = false,
    };
}
