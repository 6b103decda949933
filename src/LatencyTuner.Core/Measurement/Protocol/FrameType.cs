namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The control frames.</summary>
internal enum FrameType : byte
{
    ClientHello = 1,
    ServerHello = 2,
    ClientProof = 3,
    ServerProof = 4,
    Setup = 5,
    Ready = 6,
    Result = 7,
    Refusal = 8,
}
