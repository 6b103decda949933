namespace LatencyTuner.Tests.Etw;

/// <summary>An EVENT line of a reference text.</summary>
/// <param name="Line">The line itself.</param>
/// <param name="TimeUs">Time since the first event.</param>
/// <param name="Name">Provider and event.</param>
/// <param name="Fields">What the line says of header and payload.</param>
internal sealed record BaselineEvent(string Line, long TimeUs, string Name, IReadOnlyDictionary<string, string> Fields)
{
    internal int Processor => Number("ProceNum");

    internal int Length => Number("DataLen");

    internal int Number(string field) => int.Parse(Fields[field].Replace(",", "", StringComparison.Ordinal), System.Globalization.CultureInfo.InvariantCulture);
}
