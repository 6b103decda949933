namespace LatencyTuner.Core.Tuning.Dsc;

/// <summary>The names of the properties that DSC and this program exchange. Those with an underscore are DSC's own.</summary>
internal static class DscNames
{
    internal const string Settings = "settings";
    internal const string Id = "id";
    internal const string Value = "value";
    internal const string Interface = "interface";
    internal const string Template = "template";
    internal const string Filter = "filter";
    internal const string Force = "force";
    internal const string Ticket = "ticket";
    internal const string Batch = "batch";
    internal const string Exist = "_exist";
    internal const string InDesiredState = "_inDesiredState";
    internal const string RestartRequired = "_restartRequired";
    internal const string Metadata = "_metadata";
    internal const string WhatIf = "whatIf";
    internal const string System = "system";

    /// <summary>The value of a setting without a value, as in <c>apply --setting ID=absent</c>.</summary>
    internal const string Absent = "absent";
}
