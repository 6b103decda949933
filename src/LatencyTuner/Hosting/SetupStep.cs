namespace LatencyTuner.Hosting;

/// <summary>What <c>setup</c> does.</summary>
internal enum SetupStep
{
    /// <summary>Creates the journal's folder and registers the Event Log source.</summary>
    Create,

    /// <summary>Undoes that; a journal stays.</summary>
    Remove,

    /// <summary>Undoes that and removes the journal with its backups, once nothing is in force.</summary>
    RemoveJournal,
}
