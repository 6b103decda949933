using System.Net;

namespace LatencyTuner.Core.Measurement;

/// <summary>A responder to measure against.</summary>
/// <param name="Name">The target as the user gave it.</param>
/// <param name="Endpoint">Its IP address and port.</param>
/// <param name="Token">The shared token; null for none.</param>
/// <param name="IsLoopback">True for the responder inside this process.</param>
public sealed record MeasurementTarget(string Name, IPEndPoint Endpoint, SharedToken? Token, bool IsLoopback)
{
    /// <summary>How the responder was started for this run; null where someone else started it.</summary>
    public FarEndStart? Via { get; init; }

    /// <summary>Asked when a measurement fails: a sentence that says why the responder ended, null when it did not; null where nobody knows.</summary>
    public Func<string?>? WhyLost { get; init; }

    /// <summary>A failure, or its cause where that is known.</summary>
    /// <param name="failure">What the measurement saw, a sentence.</param>
    internal string Explained(string failure) => WhyLost?.Invoke() ?? failure;
}

/// <summary>A responder that was started for one run through a command such as ssh.</summary>
/// <param name="Command">The command as the user gave it.</param>
/// <param name="AllAddresses">True when it listens on all addresses of its host.</param>
/// <param name="CopySha256">SHA-256 of the copy of this program that ran there, in lower-case hexadecimal digits; null when it was installed.</param>
public sealed record FarEndStart(string Command, bool AllAddresses, string? CopySha256);
