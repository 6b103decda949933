namespace LatencyTuner.Lab;

/// <summary>The two hosts of a lab network.</summary>
public enum LabHost
{
    /// <summary>10.77.1.10 and fd77:1::10.</summary>
    Client = 0,

    /// <summary>10.77.1.20 and fd77:1::20.</summary>
    Server = 1,
}
