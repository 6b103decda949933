using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Etw;

/// <summary>What a session is to write: the one source for Windows Performance Recorder, for a live session and for the documentation.</summary>
public sealed record EtwProfile
{
    private static readonly Lazy<IReadOnlyList<EtwProfile>> Embedded = new(() => [.. new[] { "Latency", "Detail", "Packets" }.Select(ReadEmbedded)]);

    /// <summary>The profiles of this program, the one with the fewest events first.</summary>
    public static IReadOnlyList<EtwProfile> All => Embedded.Value;

    /// <summary>Its name, such as <c>Latency</c>.</summary>
    public required string Name { get; init; }

    /// <summary>What it shows, a sentence.</summary>
    public required string Description { get; init; }

    /// <summary>Size of a buffer, KiB.</summary>
    public required int BufferKiB { get; init; }

    /// <summary>Number of buffers.</summary>
    public required int Buffers { get; init; }

    /// <summary>Its providers.</summary>
    public required IReadOnlyList<EtwProfileProvider> Providers { get; init; }

    /// <summary>The profile as Windows Performance Recorder takes it.</summary>
    public required string Text { get; init; }

    /// <summary>The profile of a name, whatever its case.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="ExpectedFailureException">There is none (<see cref="ExitCode.Usage"/>).</exception>
    public static EtwProfile Find(string name) =>
        All.FirstOrDefault(p => string.Equals(p.Name, name, StringComparison.OrdinalIgnoreCase))
        ?? throw new ExpectedFailureException(ExitCode.Usage, $"{Quoting.Quote(name)} is no profile; valid are {string.Join(", ", All.Select(p => p.Name))}.");

    private static EtwProfile ReadEmbedded(string name)
    {
        using Stream stream = typeof(EtwProfile).Assembly.GetManifestResourceStream($"etw-profiles/{name}.wprp")
            ?? throw new InvalidOperationException($"The profile {name} is not embedded.");
        using StreamReader reader = new(stream);
        return EtwProfileReader.Read(reader.ReadToEnd(), name);
    }
}

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
