using System.Xml.Linq;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Etw;

/// <summary>A recording profile: the events that a session writes. Windows Performance Recorder, live sessions and the documentation use it.</summary>
public sealed record EtwProfile
{
    private static readonly Lazy<IReadOnlyList<EtwProfile>> Embedded = new(() => [.. new[] { "Latency", "Detail", "Packets" }.Select(ReadEmbedded)]);

    /// <summary>The profiles of this program, the one with the fewest events first.</summary>
    public static IReadOnlyList<EtwProfile> All => Embedded.Value;

    /// <summary>The name of the profile, for example <c>Latency</c>.</summary>
    public required string Name { get; init; }

    /// <summary>One sentence that says what the profile shows.</summary>
    public required string Description { get; init; }

    /// <summary>Size of a buffer in KiB.</summary>
    public required int BufferKiB { get; init; }

    /// <summary>Number of buffers.</summary>
    public required int Buffers { get; init; }

    /// <summary>The providers that the profile enables.</summary>
    public required IReadOnlyList<EtwProfileProvider> Providers { get; init; }

    /// <summary>The profile as a .wprp file (XML) for Windows Performance Recorder.</summary>
    public required string Text { get; init; }

    /// <summary>The same without its filters by event id, which the recorder of Windows before build 15002 does not know.</summary>
    public string TextWithoutFilters
    {
        get
        {
            XDocument profile = XDocument.Parse(Text, LoadOptions.PreserveWhitespace);
            foreach (XElement filter in profile.Descendants("EventFilters").ToList())
            {
                // The indent before it goes with it.
                (filter.PreviousNode as XText)?.Remove();
                filter.Remove();
            }

            return $"{profile.Declaration}\n{profile}\n";
        }
    }

    /// <summary>Finds a profile by name, ignoring case.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="ExpectedFailureException">There is no profile with this name (<see cref="ExitCode.Usage"/>).</exception>
    public static EtwProfile Find(string name) =>
        All.FirstOrDefault(p => string.Equals(p.Name, name, StringComparison.OrdinalIgnoreCase))
        ?? throw new ExpectedFailureException(
            ExitCode.Usage, $"{Quoting.Quote(name)} is not a profile; valid are {string.Join(", ", All.Select(p => p.Name))}.");

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
    /// <summary>Largest number of event ids in one filter (MAX_EVENT_FILTER_EVENT_ID_COUNT of evntprov.h).</summary>
    public const int MaxEventIds = 64;

    /// <summary>The GUID of the provider.</summary>
    public required Guid Provider { get; init; }

    /// <summary>The name of the provider, for example <c>Microsoft-Windows-TCPIP</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Highest level that is written, 1 to 5.</summary>
    public required byte Level { get; init; }

    /// <summary>Events with any of these keywords are written.</summary>
    public required ulong Keywords { get; init; }

    /// <summary>Keywords for which the provider writes its state (rundown) when the session starts and ends; 0 for none.</summary>
    public ulong CaptureKeywords { get; init; }

    /// <summary>Event ids that are written; empty for all. Not every tool can filter by event id.</summary>
    public IReadOnlyList<int> EventIds { get; init; } = [];

    /// <summary>True when the session writes events of a layout.</summary>
    /// <param name="layout">The layout of the event.</param>
    /// <param name="filtered">False for tools that filter only by keywords and level.</param>
    public bool Writes(EtwEventLayout layout, bool filtered)
    {
        ArgumentNullException.ThrowIfNull(layout);
        return layout.Provider == Provider && layout.Level <= Level && (layout.Keywords == 0 || (layout.Keywords & Keywords) != 0)
            && (!filtered || EventIds.Count == 0 || EventIds.Contains(layout.Number));
    }
}
