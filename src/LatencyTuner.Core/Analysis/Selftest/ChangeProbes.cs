namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Probes of what changes of settings need. None makes a change, so most can only say what is ready.</summary>
internal static class ChangeProbes
{
    internal static IEnumerable<(string Id, Func<ProbeFinding> Probe)> All(SelftestEvidence evidence) =>
    [
        ("journal-folder-acl", () => Folder(evidence.Changes.Folder)),
        ("elevation", () => Elevation(evidence.Snapshot.Elevated)),
        ("machine-guid",
            () =>
                ProbeFinding.Of(
                    evidence.Changes.HasMachineId,
                    evidence.Changes.HasMachineId ? "It exists. Only a comparison shows whether another machine has the same one." : "It is missing.")),
        ("event-log-source", () => EventLog(evidence.Changes)),
    ];

    private static ProbeFinding Folder(JournalFolderState folder) => folder switch
    {
        JournalFolderState.Trusted => ProbeFinding.Of(true, "The folder exists and has the expected owner and access list."),
        JournalFolderState.Refused => ProbeFinding.Of(false, "The folder exists, but another account owns it or may write to it."),
        JournalFolderState.Absent => ProbeFinding.Unknown("The folder does not exist; 'latencytuner setup' creates it."),
        _ => ProbeFinding.Unknown("The folder could not be read."),
    };

    private static ProbeFinding Elevation(bool? elevated) => elevated is null
        ? ProbeFinding.Of(false, "It is unknown whether this process is elevated.")
        : ProbeFinding.Unknown("Windows answered. Only a look at the console shows whether the answer is right.", elevated.Value ? "elevated" : "not elevated");

    private static ProbeFinding EventLog(ChangeFacts facts)
    {
        string[] seen = [
            $"source {(facts.HasEventSource ? "registered" : "not registered")}, message file {(facts.HasMessageFile ? "found" : "missing")}"];
        return facts.HasMessageFile
            ? ProbeFinding.Unknown(
                facts.HasEventSource ? "Only an entry would show it, and the selftest writes none."
                    : "The source is not registered; 'latencytuner setup' registers it.", seen)
            : ProbeFinding.Of(false, "Entries would appear without their text.", seen);
    }
}
