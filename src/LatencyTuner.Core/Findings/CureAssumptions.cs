namespace LatencyTuner.Core.Findings;

/// <summary>What predictions of cures take for granted, a clause each.</summary>
internal static class CureAssumptions
{
    /// <summary>Of LT101 and LT102.</summary>
    public static IReadOnlyList<string> NoHold { get; } = ["each message leaves at once (one send call, or TCP_NODELAY)"];

    /// <summary>Of LT103.</summary>
    public static IReadOnlyList<string> PromptAcks { get; } = ["every segment is acknowledged at once"];

    /// <summary>Of LT111 and LT112.</summary>
    public static IReadOnlyList<string> OpenWindow { get; } =
        ["the window never holds the sender back", "the path carries what was sent in one window as fast again"];

    /// <summary>Of LT114.</summary>
    public static IReadOnlyList<string> LargeSendBuffer { get; } =
        ["the send buffer takes each message whole and never makes the application wait", "the path carries more as fast as it carried one buffer"];
}
