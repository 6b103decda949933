using System.Security.Cryptography;
using LatencyTuner.Core.Measurement.Platform;

namespace LatencyTuner.Core.Measurement;

/// <summary>What a measurement takes from outside.</summary>
/// <param name="Time">The clock.</param>
/// <param name="Platform">The socket calls of this system.</param>
/// <param name="Random">Source of nonces.</param>
public sealed record MeasuringContext(TimeProvider Time, ISocketPlatform Platform, RandomNumberGenerator Random);
