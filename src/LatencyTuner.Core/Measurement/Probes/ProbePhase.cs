namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>The times of one part of the exchanges with a target.</summary>
/// <param name="name">The part, such as <c>connect</c> or <c>first byte</c>.</param>
public sealed class ProbePhase(string name)
{
    private const int MostFirst = 4096;
    private readonly List<long> _first = [];

    /// <summary>The part, such as <c>connect</c> or <c>first byte</c>.</summary>
    public string Name => name;

    /// <summary>All times from the start of the exchange, nanoseconds.</summary>
    public LatencyHistogram Times { get; } = new();

    /// <summary>The first times one by one, for their dependence.</summary>
    public ReadOnlySpan<long> First => System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_first);

    internal void Record(long ns)
    {
        Times.Record(ns);
        if (_first.Count < MostFirst)
        {
            _first.Add(ns);
        }
    }
}
