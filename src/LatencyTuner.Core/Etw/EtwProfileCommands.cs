namespace LatencyTuner.Core.Etw;

/// <summary>Commands that record a profile with the tools of Windows, for an elevated prompt.</summary>
public static class EtwProfileCommands
{
    /// <summary>The option that leaves the filters out of a profile for the recorder of older Windows.</summary>
    public const string NoFilters = "--no-filters";

    private const int FileMB = 512;

    // Other tools ship profiles with filters from this build on; the schema of 2017 does not have them.
    private const int FirstWithFilters = 15002;

    /// <summary>Windows Performance Recorder: part of Windows 10 and Server 2016 and later; the only one of these tools that filters by event id.</summary>
    /// <param name="profile">The profile.</param>
    /// <param name="build">The build of Windows that records; null when it is another machine.</param>
    public static IReadOnlyList<string> Wpr(EtwProfile profile, int? build)
    {
        ArgumentNullException.ThrowIfNull(profile);
        return
        [
            $"latencytuner profiles {profile.Name} --wprp{(build < FirstWithFilters ? $" {NoFilters}" : "")} --output {profile.Name}.wprp",
            $"wpr -start {profile.Name}.wprp!LatencyTuner{profile.Name}.Verbose -filemode",
            "wpr -stop trace.etl",
        ];
    }

    /// <summary>logman: every version of Windows; one session, one circular file of fixed size.</summary>
    /// <param name="profile">The profile.</param>
    public static IReadOnlyList<string> Logman(EtwProfile profile)
    {
        ArgumentNullException.ThrowIfNull(profile);
        EtwProfileProvider first = profile.Providers[0];
        return
        [
            $"logman create trace LatencyTuner -o C:\\trace.etl -ets -mode Circular -max {FileMB} -bs {profile.BufferKiB} -nb 16 {profile.Buffers} -ct "
            + $"perf -p {Logman(first)}",
            .. profile.Providers.Skip(1).Select(p => $"logman update trace LatencyTuner -ets -p {Logman(p)}"),
            "logman stop LatencyTuner -ets",
        ];
    }

    /// <summary>netsh trace: every version of Windows; merges the trace, so that it contains its event descriptions.</summary>
    /// <param name="profile">The profile.</param>
    public static IReadOnlyList<string> Netsh(EtwProfile profile)
    {
        ArgumentNullException.ThrowIfNull(profile);
        string capture = HasPackets(profile) ? " capture=yes packettruncatebytes=128" : "";
        IEnumerable<string> providers = profile.Providers.Where(p => !IsPackets(p)).Select(p => $"provider={p.Name} keywords=0x{p.Keywords:x} level={p.Level}");
        return [$"netsh trace start{capture} report=disabled maxsize={FileMB} tracefile=C:\\trace.etl {string.Join(' ', providers)}", "netsh trace stop"];
    }

    /// <summary>pktmon: Windows 10 2004, Server 2022 and later.</summary>
    /// <param name="profile">The profile.</param>
    public static IReadOnlyList<string> Pktmon(EtwProfile profile)
    {
        ArgumentNullException.ThrowIfNull(profile);
        string capture = HasPackets(profile) ? " --capture --comp nics --pkt-size 128" : "";
        IEnumerable<string> providers = profile.Providers.Where(p => !IsPackets(p))
            .Select(p => $"--provider {p.Name} --keywords 0x{p.Keywords:x} --level {p.Level}");
        return [$"pktmon start{capture} --trace {string.Join(' ', providers)} --file-name C:\\trace.etl --file-size {FileMB}", "pktmon stop"];
    }

    private static string Logman(EtwProfileProvider provider) => $"{provider.Name} 0x{provider.Keywords:x} {provider.Level}";

    private static bool HasPackets(EtwProfile profile) => profile.Providers.Any(IsPackets);

    private static bool IsPackets(EtwProfileProvider provider) => provider.Name is "Microsoft-Windows-PktMon" or "Microsoft-Windows-NDIS-PacketCapture";
}
