namespace LatencyTuner.Core.Analysis;

/// <summary>The stable finding ids of the causes.</summary>
public static class CauseIds
{
    /// <summary>The id of a cause.</summary>
    /// <param name="cause">A cause that can be a finding.</param>
    /// <returns><c>LT101</c> and so on.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The cause is not one that a finding can have.</exception>
    public static string IdOf(Cause cause) => cause switch
    {
        Cause.NagleDelayedAck => "LT101",
        Cause.NagleHold => "LT102",
        Cause.DelayedAck => "LT103",
        Cause.ReceiveWindow => "LT111",
        Cause.ZeroWindow => "LT112",
        Cause.CongestionWindow => "LT113",
        Cause.SendBuffer => "LT114",
        Cause.SmallSegments => "LT115",
        Cause.LossRto => "LT121",
        Cause.LossFastRetransmit => "LT122",
        Cause.Reordering => "LT123",
        Cause.NetworkRtt => "LT131",
        Cause.Bufferbloat => "LT132",
        Cause.ServerThink => "LT141",
        Cause.ClientThink => "LT142",
        Cause.Oscillation => "LT151",
        Cause.LevelShift => "LT152",
        Cause.LoadInversion => "LT161",
        Cause.SettingNotRecommended => "LT201",
        Cause.SettingHasNoEffect => "LT202",
        Cause.SettingMisplaced => "LT203",
        Cause.SettingConflict => "LT204",
        Cause.EvidenceIncomplete => "LT301",
        _ => throw new ArgumentOutOfRangeException(nameof(cause), cause, "Not a cause that a finding can have."),
    };
}
