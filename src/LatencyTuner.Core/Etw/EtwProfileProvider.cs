namespace LatencyTuner.Core.Etw;

/// <summary>One provider of a profile.</summary>
public sealed record EtwProfileProvider
{
    /// <summary>The most event ids that one filter takes (MAX_EVENT_FILTER_EVENT_ID_COUNT of evntprov.h).</summary>
    public const int MaxEventIds = 64;

    /// <summary>The provider.</summary>
    public required Guid Provider { get; init; }

    /// <summary>Its name, such as <c>Microsoft-Windows-TCPIP</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Events up to this level are written, 1 to 5.</summary>
    public required byte Level { get; init; }

    /// <summary>Events with any of these keywords are written.</summary>
    public required ulong Keywords { get; init; }

    /// <summary>Keywords for which the provider is asked for its state when the session starts and ends; 0 for none.</summary>
    public ulong CaptureKeywords { get; init; }

    /// <summary>Only these ids are written; empty for all. Not every tool can filter so.</summary>
    public IReadOnlyList<int> EventIds { get; init; } = [];

    /// <summary>True when the session writes an event of a layout.</summary>
    /// <param name="layout">The event.</param>
    /// <param name="filtered">False for tools that know keywords and level only.</param>
    public bool Writes(EtwEventLayout layout, bool filtered)
    {
        ArgumentNullException.ThrowIfNull(layout);
        return layout.Provider == Provider && layout.Level <= Level && (layout.Keywords == 0 || (layout.Keywords & Keywords) != 0)
            && (!filtered || EventIds.Count == 0 || EventIds.Contains(layout.Number));
    }
}
