namespace LatencyTuner.Core.Etw;

/// <summary>How the events about TCP could be decoded.</summary>
public sealed record TcpEventCounts
{
    /// <summary>Events decoded and delivered.</summary>
    public long Decoded { get; init; }

    /// <summary>Of these, events whose layout rests on a manifest alone.</summary>
    public long Unverified { get; init; }

    /// <summary>Events too short for their layout, which were not delivered.</summary>
    public long Undecoded { get; init; }

    /// <summary>Events of the TCP providers that no layout is known for, or that say nothing an analysis uses.</summary>
    public long Unused { get; init; }

    /// <summary>Of the unused events, those that no layout is known for.</summary>
    public long Unknown { get; init; }

    /// <summary>The events that no layout is known for, most frequent first: name, or provider where it has none, and number; at most 1,000.</summary>
    public IReadOnlyList<KeyValuePair<string, long>> UnknownByName { get; init; } = [];

    /// <summary>The events that did not fit their layout, most frequent first: name and number.</summary>
    public required IReadOnlyList<KeyValuePair<string, long>> UndecodedByName { get; init; }

    /// <summary>How often each event was decoded, most frequent first.</summary>
    public required IReadOnlyList<KeyValuePair<EtwEventLayout, long>> ByLayout { get; init; }
}
