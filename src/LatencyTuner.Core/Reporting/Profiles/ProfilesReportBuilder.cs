using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Profiles;

/// <summary>Builds the document of the ETW profiles.</summary>
public static class ProfilesReportBuilder
{
    /// <summary>Builds the document.</summary>
    /// <param name="profiles">The profiles.</param>
    /// <param name="ratePerSecond">Requests per second for which the estimates are made.</param>
    /// <param name="build">The build of this Windows, for which the lines are printed; null elsewhere.</param>
    /// <returns>The document.</returns>
    public static ProfilesReport From(IReadOnlyList<EtwProfile> profiles, double ratePerSecond, int? build)
    {
        ArgumentNullException.ThrowIfNull(profiles);
        return Judge(new ProfilesReport
        {
            Complete = true,
            RatePerSecond = ratePerSecond,
            Profiles = [.. profiles.Select(p => From(p, ratePerSecond, build))],
            Notes =
            [
                "Events per second are an estimate, not a measurement: one request and one reply of one segment each, on open connections, without "
                + "loss, at one end.",
                "The event layouts of Microsoft-Windows-TCPIP and Winsock-AFD come from Microsoft's manifests. No real trace has confirmed them yet.",
                "wpr of Server 2016 and Windows 10 1607 refuses profiles that filter by event id: there, make the file with --no-filters. The trace is "
                + "larger then; 'latencytuner trace' filters on every Windows.",
                "pktmon of Server 2019 before its updates of 2021 has neither --capture nor --trace. There, 'pktmon start --etw -p 128 -f C:\\trace.etl -s "
                + "512' captures packets alone, and logman records the events beside it.",
            ],
        });
    }

    /// <summary>Adds the verdict to a document.</summary>
    internal static ProfilesReport Judge(ProfilesReport report) => report with
    {
        Judgement = new()
        {
            Word = report.Profiles is [var only] ? only.Name.ToUpperInvariant() : "PROFILES",
            Text = report.Profiles is [var single] ? single.Description
                : $"{report.Profiles.Count} profiles; `latencytuner profiles NAME` shows one and how to capture it.",
            Result = VerdictKind.Done,
            Tone = Tone.Neutral,
        },
    };

    private static ReportedProfile From(EtwProfile profile, double rate, int? build)
    {
        (EtwProfileCost? filtered, EtwProfileCost? unfiltered) = (EtwProfileCost.Of(profile, filtered: true), EtwProfileCost.Of(profile, filtered: false));
        return new ReportedProfile
        {
            Name = profile.Name,
            Description = profile.Description,
            Providers = [.. profile.Providers.Select(p => new ReportedProvider
            {
                Id = p.Provider.ToString(),
                Name = p.Name,
                Level = p.Level,
                Keywords = Hex(p.Keywords),
                CaptureKeywords = p.CaptureKeywords == 0 ? null : Hex(p.CaptureKeywords),
                EventIds = p.EventIds,
            })],
            EventsPerRequest = filtered.EventsPerRequest,
            EventsPerSecond = filtered.EventsPerRequest * rate,
            BytesPerSecond = filtered.BytesPerRequest * rate,
            UnfilteredEventsPerSecond = unfiltered.EventsPerRequest * rate,
            Commands = new Dictionary<string, IReadOnlyList<string>>
            {
                ["wpr"] = EtwProfileCommands.Wpr(profile, build),
                ["logman"] = EtwProfileCommands.Logman(profile),
                ["netsh"] = EtwProfileCommands.Netsh(profile),
                ["pktmon"] = EtwProfileCommands.Pktmon(profile),
            },
        };
    }

    private static string Hex(ulong mask) => $"0x{mask:x}";
}
