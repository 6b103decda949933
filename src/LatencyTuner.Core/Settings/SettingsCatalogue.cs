namespace LatencyTuner.Core.Settings;

/// <summary>All known settings, from the embedded data. Immutable.</summary>
public sealed class SettingsCatalogue
{
    private static readonly Lazy<SettingsCatalogue> Loaded = new(() =>
    {
        using Stream stream = typeof(SettingsCatalogue).Assembly.GetManifestResourceStream("catalogue/settings.json")
            ?? throw new InvalidOperationException("The settings catalogue is not embedded.");
        using MemoryStream memory = new();
        stream.CopyTo(memory);
        return Parse(memory.ToArray(), "settings catalogue");
    });

    private readonly Dictionary<string, SettingDefinition> _byId;

    internal SettingsCatalogue(IReadOnlyList<SettingDefinition> all, IReadOnlyList<string> osColumns)
    {
        All = all;
        OsColumns = osColumns;
        _byId = all.ToDictionary(d => d.Id, StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>The catalogue of this program.</summary>
    public static SettingsCatalogue Current => Loaded.Value;

    /// <summary>Every setting, in the order in which it is listed.</summary>
    public IReadOnlyList<SettingDefinition> All { get; }

    /// <summary>The Windows versions whose defaults are known.</summary>
    public IReadOnlyList<string> OsColumns { get; }

    /// <summary>Reads a catalogue from JSON.</summary>
    /// <param name="json">UTF-8 JSON.</param>
    /// <param name="path">Its name, for failures.</param>
    /// <exception cref="ExpectedFailureException">It is not a catalogue (<see cref="ExitCode.Input"/>); the sentence names the entry and the field.</exception>
    public static SettingsCatalogue Parse(ReadOnlyMemory<byte> json, string path) => new CatalogueReader(path).Read(json);

    /// <summary>Finds the setting of an id.</summary>
    /// <param name="id">The id, without regard to case.</param>
    /// <exception cref="ExpectedFailureException">There is none (<see cref="ExitCode.Usage"/>); the sentence offers near matches.</exception>
    public SettingDefinition Find(string id)
    {
        ArgumentNullException.ThrowIfNull(id);
        if (_byId.TryGetValue(id, out SettingDefinition? found))
        {
            return found;
        }

        // Administrators know the name in Windows: it is enough when only one setting has it.
        List<SettingDefinition> named = All.Where(d => NamesOf(d).Contains(id, StringComparer.OrdinalIgnoreCase)).ToList();
        if (named.Count == 1)
        {
            return named[0];
        }

        string hint = named.Count > 1
            ? $"; several settings have that name: {string.Join(", ", named.Select(d => d.Id))}."
            : NearMatches.Hint(id, All.SelectMany(d => NamesOf(d).Prepend(d.Id)));
        throw new ExpectedFailureException(ExitCode.Usage, $"There is no setting '{id}'{hint}");
    }

    /// <summary>The setting of an id; null when there is none.</summary>
    /// <param name="id">The id, without regard to case.</param>
    public SettingDefinition? TryFind(string id) => _byId.GetValueOrDefault(id);

    private static IReadOnlyList<string> NamesOf(SettingDefinition definition) => definition.Store switch
    {
        SettingStore.Registry registry => registry.Values,
        SettingStore.Template template => [template.Property],
        SettingStore.Adapter adapter => adapter.Keywords,
        SettingStore.Cim cim => cim.Properties,
        SettingStore.Elsewhere { Owner: "socket-option" or "ioctl" } option => [option.Name],
        _ => [],
    };
}
