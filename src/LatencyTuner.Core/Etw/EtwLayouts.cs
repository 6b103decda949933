namespace LatencyTuner.Core.Etw;

/// <summary>The event layouts for one trace: first the descriptions in the trace itself, then the built-in layouts.</summary>
public sealed class EtwLayouts
{
    /// <summary>Largest number of fields in all descriptions of one trace; a hostile trace could contain millions.</summary>
    private const int MaxFields = 200_000;

    private readonly Dictionary<(Guid Provider, bool Classic, int Number), List<EtwEventLayout>> _byNumber = [];
    private readonly List<EtwEventLayout> _fromTrace = [];
    private int _fields;

    /// <summary>Creates the built-in layouts, for a live session or a trace without descriptions.</summary>
    public EtwLayouts()
    {
        foreach (EtwEventLayout layout in EtwLayoutTable.All)
        {
            ListOf(layout).Add(layout);
        }
    }

    /// <summary>The layouts that the trace itself described.</summary>
    public IReadOnlyList<EtwEventLayout> FromTrace => _fromTrace;

    /// <summary>
    /// The layout that fits an event: the same version, or the newest older one when a newer one is known too. A version that is newer than all that are
    /// known fits none: newer versions have dropped and inserted fields.
    /// </summary>
    /// <param name="header">The event.</param>
    /// <returns>Null when the event or its version is not known.</returns>
    public EtwEventLayout? Find(in EtwEventHeader header) => Find(header.Provider, header.Kind != EtwEventKind.Manifest, header.EventNumber, header.Version);

    /// <summary>The layout that fits an event.</summary>
    /// <param name="provider">Provider or class.</param>
    /// <param name="classic">True for classic and kernel events.</param>
    /// <param name="number">Id, or opcode of classic and kernel events.</param>
    /// <param name="version">Version of the payload.</param>
    public EtwEventLayout? Find(Guid provider, bool classic, int number, byte version) =>
        FindOlder(provider, classic, number, version) is { } best
            && (best.Version == version || _byNumber[(provider, classic, number)].Exists(l => l.Version > version)) ? best : null;

    /// <summary>The newest layout of an event that is not newer than a version; for its name and meaning, not for its fields.</summary>
    internal EtwEventLayout? FindOlder(Guid provider, bool classic, int number, byte version)
    {
        EtwEventLayout? best = null;
        foreach (EtwEventLayout layout in _byNumber.TryGetValue((provider, classic, number), out List<EtwEventLayout>? layouts) ? layouts : [])
        {
            // How the versions of a provider follow each other is not known for providers that only a trace describes.
            if ((layout.Version == version || (layout.Version < version && !layout.IsFromTrace))
                && (best is null || layout.Version > best.Version || (layout.Version == best.Version && layout.IsFromTrace)))
            {
                best = layout;
            }
        }

        return best;
    }

    /// <summary>Gets the fields of any event, for example of packets and summaries, without allocating.</summary>
    /// <param name="header">The event.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="fields">Its fields by name, as far as the payload contains them.</param>
    /// <returns>False when the event is not known.</returns>
    public bool TryGetPayload(in EtwEventHeader header, ReadOnlySpan<byte> payload, out EtwPayload fields)
    {
        fields = default;
        if (Find(header) is not { } layout)
        {
            return false;
        }

        fields = new EtwPayload(layout, layout.Fields as EtwField[] ?? [.. layout.Fields], payload, header.PointerSize);
        return true;
    }

    /// <summary>Adds a description found in the trace.</summary>
    internal void Add(EtwEventLayout layout)
    {
        List<EtwEventLayout> list = ListOf(layout);
        if (_fields + layout.Fields.Count > MaxFields || list.Exists(l => l.IsFromTrace && l.Version == layout.Version))
        {
            return;
        }

        // A description does not contain the meaning of the event.
        EtwEventLayout? known = list.Find(l => l.Version <= layout.Version);
        EtwEventLayout complete = known is null ? layout : layout with { Meaning = known.Meaning };
        _fields += layout.Fields.Count;
        list.Add(complete);
        _fromTrace.Add(complete);
    }

    private List<EtwEventLayout> ListOf(EtwEventLayout layout)
    {
        (Guid Provider, bool IsClassic, int Number) key = (layout.Provider, layout.IsClassic, layout.Number);
        if (!_byNumber.TryGetValue(key, out List<EtwEventLayout>? list))
        {
            _byNumber[key] = list = [];
        }

        return list;
    }
}
