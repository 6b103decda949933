using System.Net;
using System.Security.Cryptography;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Responding;

namespace LatencyTuner.Tests.Commands;

/// <summary>A responder on 127.0.0.1 that is addressed as any other host would be.</summary>
internal sealed class RunningResponder : IDisposable
{
    private readonly Responder _responder;

    public RunningResponder(string? token = null, int port = 0, IPAddress? address = null)
        : this(token is null ? null : SharedToken.Parse(token, "the test"), port, address)
    {
    }

    private RunningResponder(SharedToken? token, int port, IPAddress? address) => _responder = Responder.Start(
        new ResponderOptions { Addresses = [address ?? IPAddress.Loopback], Port = port, Token = token },
        TimeProvider.System,
        RandomNumberGenerator.Create());

    public int Port => _responder.Endpoints[0].Port;

    public string Target => $"127.0.0.1:{Port}";

    public static RunningResponder WithTokenFile(byte[] file) => new(SharedToken.Read(file, "the test"), 0, null);

    public void Dispose() => _responder.Dispose();
}
