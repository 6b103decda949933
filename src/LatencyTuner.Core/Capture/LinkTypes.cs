namespace LatencyTuner.Core.Capture;

/// <summary>Link-layer header types of captures (the registry of pcap's LINKTYPE values).</summary>
internal static class LinkTypes
{
    public const int Ethernet = 1;

    /// <summary>The name of a link type for the reader of a report.</summary>
    public static string NameOf(int linkType) => linkType switch
    {
        Ethernet => "Ethernet",
        _ => $"link type {linkType}",
    };
}
