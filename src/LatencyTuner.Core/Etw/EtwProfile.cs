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
