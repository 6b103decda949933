namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Probes of what changes of settings rest on. None makes a change, so most can only say what is ready.</summary>
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
                    evidence.Changes.HasMachineId ? "It is there; whether another machine has the same, only a comparison tells." : "It is not there.")),
        ("event-log-source", () => EventLog(evidence.Changes)),
    ];

    private static ProbeFinding Folder(JournalFolderState folder) => folder switch
    {
        JournalFolderState.Trusted => ProbeFinding.Of(true, "The folder is there, with the owner and the access list it should have."),
        JournalFolderState.Refused => ProbeFinding.Of(false, "The folder is there, and somebody else owns it or may write to it."),
        JournalFolderState.Absent => ProbeFinding.Unknown("The folder is not there; latencytuner setup makes it."),
        _ => ProbeFinding.Unknown("The folder could not be looked at."),
    };

    private static ProbeFinding Elevation(bool? elevated) => elevated is null
        ? ProbeFinding.Of(false, "Whether this process is elevated could not be told.")
        : ProbeFinding.Unknown("It was told; whether it is right, only the console tells.", elevated.Value ? "elevated" : "not elevated");

    private static ProbeFinding EventLog(ChangeFacts facts)
    {
        string[] seen = [
            $"source {(facts.HasEventSource ? "registered" : "not registered")}, file of its texts {(facts.HasMessageFile ? "there" : "missing")}"];
        return facts.HasMessageFile
            ? ProbeFinding.Unknown(
                facts.HasEventSource ? "Only an entry tells, and the selftest writes none." : "The source is not registered; latencytuner setup does it.", seen)
            : ProbeFinding.Of(false, "Entries would appear without their texts.", seen);
    }
}
