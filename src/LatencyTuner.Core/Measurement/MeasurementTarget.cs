using System.Net;

namespace LatencyTuner.Core.Measurement;

/// <summary>A responder to measure against.</summary>
/// <param name="Name">The target as the user gave it.</param>
/// <param name="Endpoint">Its IP address and port.</param>
/// <param name="Token">The shared token; null for none.</param>
/// <param name="IsLoopback">True for the responder inside this process.</param>
public sealed record MeasurementTarget(string Name, IPEndPoint Endpoint, SharedToken? Token, bool IsLoopback);
