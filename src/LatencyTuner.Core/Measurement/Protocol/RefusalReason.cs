namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>Why a responder refuses.</summary>
internal enum RefusalReason : ushort
{
    Protocol = 1,
    Version = 2,
    Authentication = 3,
    Limit = 4,
    Busy = 5,
    Stopping = 6,
}
