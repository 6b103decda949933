using System.Globalization;

namespace LatencyTuner.Core.Masking;

/// <summary>What stands in the place of names, the same for each mention of a name: <c>host-1</c>, <c>user-1</c>, <c>file-1.pcap</c>.</summary>
internal sealed class Pseudonyms
{
    /// <summary>A name shorter than this is a word more likely than a name, and is masked only where a name stands.</summary>
    public const int LeastInText = 3;

    private readonly Dictionary<string, string> _names = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, int> _counts = [];
    private readonly SortedSet<string> _phrases = new(
        Comparer<string>.Create((a, b) => a.Length != b.Length ? b.Length.CompareTo(a.Length) : string.CompareOrdinal(a, b)));

    /// <summary>Each name with what stands in its place, in order of the names.</summary>
    public IEnumerable<KeyValuePair<string, string>> Table => _names.OrderBy(n => n.Key, StringComparer.OrdinalIgnoreCase);

    /// <summary>Names that are more than one word, the longest first.</summary>
    public IEnumerable<string> Phrases => _phrases;

    /// <summary>What stands in the place of a name that was met before; null for others.</summary>
    public string? Find(string name) => _names.GetValueOrDefault(name);

    /// <summary>A host by its name, with its domain or without.</summary>
    public string Host(string name)
    {
        string whole = name.TrimEnd('.');
        if (_names.TryGetValue(whole, out string? known))
        {
            return known;
        }

        int dot = whole.IndexOf('.', StringComparison.Ordinal);
        return dot <= 0 ? New("host", whole) : Keep(whole, $"{Host(whole[..dot])}.{Of("domain", whole[(dot + 1)..])}");
    }

    /// <summary>A file by its name without folders; what says its kind stays.</summary>
    public string File(string name)
    {
        string extension = Path.GetExtension(name);
        bool isKind = extension.Length is > 1 and <= 7 && extension.Skip(1).All(char.IsAsciiLetterOrDigit);
        return _names.TryGetValue(name, out string? known) ? known : New("file", name, isKind ? extension.ToLowerInvariant() : "");
    }

    /// <summary>A name of another kind.</summary>
    /// <param name="kind">The kind: user, domain, interface.</param>
    /// <param name="name">The name.</param>
    public string Of(string kind, string name) => _names.TryGetValue(name, out string? known) ? known : New(kind, name);

    private string New(string kind, string name, string end = "")
    {
        int count = _counts[kind] = _counts.GetValueOrDefault(kind) + 1;
        return Keep(name, string.Create(CultureInfo.InvariantCulture, $"{kind}-{count}{end}"));
    }

    private string Keep(string name, string pseudonym)
    {
        _names.Add(name, pseudonym);
        if (name.Length >= LeastInText && !name.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '-' or '.'))
        {
            _phrases.Add(name);
        }

        return pseudonym;
    }
}
