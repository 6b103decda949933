namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>What makes a sweep one over HTTP/2: the responder sends each request's messages in one response stream, and this end receives.</summary>
/// <param name="Ahead">True: the responder makes messages while it sends those before; false: one after the other.</param>
/// <param name="OneConnection">True: the numbers of connections are streams of one connection.</param>
public sealed record SweepStreams(bool Ahead, bool OneConnection);
