namespace LatencyTuner.Core.Tuning;

/// <summary>A change by its place in the journal.</summary>
/// <param name="Batch">Id of the batch.</param>
/// <param name="Index">Place in the batch, from 0.</param>
internal sealed record JournalItem(string Batch, int Index);
