namespace LatencyTuner.Hosting;

/// <summary>An entry for the Event Log.</summary>
/// <param name="Id">The event id.</param>
/// <param name="Level">Information, warning or error.</param>
/// <param name="Text">The text as the Event Log gets it: <c>%</c> is escaped.</param>
internal sealed record EventEntry(int Id, EventEntryLevel Level, string Text);
