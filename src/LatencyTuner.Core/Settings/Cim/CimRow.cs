using System.Globalization;
using System.Text.RegularExpressions;

namespace LatencyTuner.Core.Settings.Cim;

/// <summary>One instance of a class with its properties. A property that the provider left out, or gave in another type, is null.</summary>
/// <param name="Properties">The values by property name.</param>
public sealed partial record CimRow(IReadOnlyDictionary<string, object?> Properties)
{
    /// <summary>A text; null when there is none.</summary>
    /// <param name="name">The name of the property.</param>
    public string? Text(string name) => Properties.GetValueOrDefault(name) is string { Length: > 0 } text ? text : null;

    /// <summary>Several texts, or one as several; empty when there is none.</summary>
    /// <param name="name">The name of the property.</param>
    public IReadOnlyList<string> Texts(string name) => Properties.GetValueOrDefault(name) switch
    {
        string text => [text],
        string?[] texts => [.. texts.OfType<string>()],
        _ => [],
    };

    /// <summary>A number that is not negative; null when there is none.</summary>
    /// <param name="name">The name of the property.</param>
    public ulong? Number(string name) => Properties.GetValueOrDefault(name) switch
    {
        byte n => n,
        ushort n => n,
        uint n => n,
        ulong n => n,
        sbyte n when n >= 0 => (ulong)n,
        short n when n >= 0 => (ulong)n,
        int n when n >= 0 => (ulong)n,
        long n when n >= 0 => (ulong)n,
        string text when ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong n) => n,
        _ => null,
    };

    /// <summary>A truth value; null when there is none.</summary>
    /// <param name="name">The name of the property.</param>
    public bool? Flag(string name) => Properties.GetValueOrDefault(name) as bool?;

    /// <summary>
    /// The GUID with braces that a text begins with: the key of adapters' data is <c>{GUID}</c> or <c>{GUID}::what</c>. Null when there is none.
    /// </summary>
    /// <param name="name">The name of the property.</param>
    public string? Guid(string name) => Text(name) is { } text && LeadingGuid().Match(text) is { Success: true } match ? match.Value : null;

    [GeneratedRegex(@"^\{[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}")]
    private static partial Regex LeadingGuid();
}

/// <summary>A query of CIM: a class, and those of its properties that are used.</summary>
/// <param name="Namespace">The namespace, for example <c>root/StandardCimv2</c>.</param>
/// <param name="Class">The CIM class.</param>
/// <param name="Properties">The properties that are used; others may come with them.</param>
/// <param name="Narrow">
/// True queries only these properties: for classes with many instances, whose properties every Windows has. False queries every property,
/// because a query that names a property which this Windows does not have fails as a whole.
/// </param>
public sealed record CimQuery(string Namespace, string Class, IReadOnlyList<string> Properties, bool Narrow = false)
{
    /// <summary>The longest time for the answer.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The query in WQL.</summary>
    public string Wql => $"SELECT {(Narrow ? string.Join(", ", Properties) : "*")} FROM {Class}";
}

/// <summary>The answer of CIM: instances, or the failure.</summary>
/// <param name="Rows">The instances; empty with a failure.</param>
/// <param name="Failure">Why there is no answer; null when there is an answer.</param>
public sealed record CimResult(IReadOnlyList<CimRow> Rows, CimFailure? Failure = null)
{
    /// <summary>A result without instances.</summary>
    /// <param name="failure">Why there are none.</param>
    public static CimResult Of(CimFailure failure) => new([], failure);
}
