using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Tests.Analysis.Stalls;

/// <summary>Seeded distributions of holds in milliseconds.</summary>
internal sealed class Holds(int seed)
{
    private readonly Random _random = new(seed);

    internal LatencyHistogram Histogram { get; } = new();

    internal Holds Add(int count, Func<Random, double> draw)
    {
        for (int i = 0; i < count; i++)
        {
            Histogram.Record((long)(draw(_random) * 1e6));
        }

        return this;
    }

    /// <summary>A timer fires late by the scheduler's delay, hardly ever early.</summary>
    internal Holds Timer(int count, double ms, double lateMs = 0.5) => Add(count, r => ms + Exponential(r, lateMs));

    internal Holds Uniform(int count, double from, double to) => Add(count, r => from + (r.NextDouble() * (to - from)));

    /// <summary>What is left of an exponential tail above the smallest wait that counts as one.</summary>
    internal Holds Tail(int count, double meanMs, double cutMs = 7) => Add(count, r => cutMs + Exponential(r, meanMs));

    private static double Exponential(Random random, double mean) => -Math.Log(1 - random.NextDouble()) * mean;
}
