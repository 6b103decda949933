namespace LatencyTuner.Core.Settings.Cim;

/// <summary>What is asked of CIM: a class, and the properties of it that are used.</summary>
/// <param name="Namespace">The namespace, for example <c>root/StandardCimv2</c>.</param>
/// <param name="Class">The class.</param>
/// <param name="Properties">The properties that are used; others may come with them.</param>
/// <param name="Narrow">
/// True asks for the properties alone: for classes with many instances, whose properties every Windows has. Else every property is asked
/// for, because a query that names one which this Windows lacks fails as a whole.
/// </param>
public sealed record CimQuery(string Namespace, string Class, IReadOnlyList<string> Properties, bool Narrow = false)
{
    /// <summary>How long the answer may take.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The query in WQL.</summary>
    public string Wql => $"SELECT {(Narrow ? string.Join(", ", Properties) : "*")} FROM {Class}";
}
