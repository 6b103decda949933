namespace LatencyTuner.Core.Tuning;

/// <summary>The settings of delayed ACKs, whose effect only the peer can measure.</summary>
internal static class AckSettings
{
    private static readonly string[] Ids = ["tcp.ackfrequency", "tcp.delackticks", "template.delayedacktimeout", "template.delayedackfrequency"];

    /// <summary>True for the settings that decide when this host acknowledges.</summary>
    /// <param name="settingId">Id in the catalogue.</param>
    public static bool IsOfAcks(string settingId) => Ids.Contains(settingId, StringComparer.OrdinalIgnoreCase);

    /// <summary>Why only the peer can measure the effect, a sentence without its full stop.</summary>
    /// <param name="settingIds">Ids in the catalogue, at least one.</param>
    public static string OnlyThePeerFeelsIt(IReadOnlyCollection<string> settingIds)
    {
        ArgumentNullException.ThrowIfNull(settingIds);
        return $"{string.Join(" and ", settingIds)} {(settingIds.Count == 1 ? "changes" : "change")} the ACKs that this host sends, so only its peer "
            + "notices it";
    }
}
