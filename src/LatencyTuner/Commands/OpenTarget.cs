using LatencyTuner.Core.Measurement;

namespace LatencyTuner.Commands;

/// <summary>A target, with the responder this process started for it, if it is loopback.</summary>
internal sealed record OpenTarget(MeasurementTarget Target, IDisposable? Responder) : IDisposable
{
    public void Dispose() => Responder?.Dispose();
}
