namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>What a machine has ready for changes of its settings; nothing of it names the machine.</summary>
/// <param name="HasMachineId">True when Windows has an id of the machine.</param>
/// <param name="Folder">The folder of the journal.</param>
/// <param name="HasEventSource">True when the source of the Event Log is registered.</param>
/// <param name="HasMessageFile">True when the file with the texts of its entries is there.</param>
public sealed record ChangeFacts(bool HasMachineId, JournalFolderState Folder, bool HasEventSource, bool HasMessageFile);
