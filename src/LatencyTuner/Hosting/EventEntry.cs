namespace LatencyTuner.Hosting;

/// <summary>An entry for the Event Log.</summary>
/// <param name="Id">The event id.</param>
/// <param name="Level">How bad it is.</param>
/// <param name="Text">The text, ready to be handed over.</param>
internal sealed record EventEntry(int Id, EventEntryLevel Level, string Text);
