using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting.Profiles;

/// <summary>The CSV table of a <c>profiles</c> document.</summary>
internal static class ProfilesCsv
{
    /// <summary>Profiles: one row per provider.</summary>
    internal static string Write(ProfilesReport report)
    {
        CsvTable table = new(
            "profile", "provider", "id", "level", "keywords", "captureKeywords", "eventIds", "profileEventsPerSecond", "profileBytesPerSecond");
        foreach (ReportedProfile profile in report.Profiles)
        {
            foreach (ReportedProvider p in profile.Providers)
            {
                table.Row(
                    profile.Name, p.Name, p.Id, p.Level, p.Keywords, p.CaptureKeywords, string.Join(' ', p.EventIds), profile.EventsPerSecond,
                    profile.BytesPerSecond);
            }
        }

        return table.ToString();
    }
}
