namespace LatencyTuner.Core.Measurement;

/// <summary>What one thread records between two collections.</summary>
internal sealed class IntervalHistograms(bool openLoop)
{
    /// <summary>Planned send time to last byte of the reply.</summary>
    internal LatencyHistogram Response { get; } = new();

    /// <summary>Actual send time to last byte of the reply, less the server's residence: the path and both TCP stacks.</summary>
    internal LatencyHistogram Transport { get; } = new();

    /// <summary>Actual send time to last byte of the reply; null in a closed loop, where it equals the response time.</summary>
    internal LatencyHistogram? Service { get; } = openLoop ? new() : null;

    /// <summary>Planned to actual send time; null in a closed loop.</summary>
    internal LatencyHistogram? Lateness { get; } = openLoop ? new() : null;

    internal void AddTo(IntervalHistograms total)
    {
        total.Response.Add(Response);
        total.Transport.Add(Transport);
        if (Service is not null)
        {
            total.Service!.Add(Service);
            total.Lateness!.Add(Lateness!);
        }
    }

    internal void Reset()
    {
        Response.Reset();
        Transport.Reset();
        Service?.Reset();
        Lateness?.Reset();
    }
}
