namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>How far a transaction has come.</summary>
internal enum MessagePhase : byte
{
    /// <summary>Nothing was asked yet.</summary>
    Idle,

    /// <summary>The request is being sent, or waits for its response.</summary>
    Request,

    /// <summary>The response is coming.</summary>
    Response,
}
