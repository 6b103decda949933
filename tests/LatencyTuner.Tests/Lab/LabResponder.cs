using System.Security.Cryptography;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Hosting;
using LatencyTuner.Lab;

namespace LatencyTuner.Tests.Lab;

/// <summary>A lab with a responder in its server namespace; what runs through <see cref="AtClient"/> measures from the client's.</summary>
internal sealed class LabResponder : IDisposable
{
    private readonly LabSession _session;
    private readonly Responder _responder;
    private HttpResponder? _http;

    public LabResponder(string preset, LinkEmulatorOptions? link = null)
    {
        _session = new LabSession(LabPreset.Find(preset) ?? throw new ArgumentException($"There is no preset {preset}."), link);
        _responder = LabNamespace.Run(_session.Network.ServerNamespace, () => Responder.Start(
            new ResponderOptions { Addresses = [LabNetwork.ServerAddress] }, TimeProvider.System, RandomNumberGenerator.Create()));
        Target = new MeasurementTarget("server", _responder.Endpoints[0], null, IsLoopback: false);
    }

    /// <summary>The HTTP responder in the server namespace, started when first asked for.</summary>
    public MeasurementTarget HttpTarget
    {
        get
        {
            _http ??= LabNamespace.Run(
                _session.Network.ServerNamespace,
                () => HttpResponderLoader.Start(new ResponderOptions { Addresses = [LabNetwork.ServerAddress] }, TimeProvider.System));
            return new MeasurementTarget("server", _http.Endpoints[0], null, IsLoopback: false);
        }
    }

    public static MeasuringContext Context { get; } = new(TimeProvider.System, SocketPlatform.Current, RandomNumberGenerator.Create());

    public MeasurementTarget Target { get; }

    public EmulatorStatistics Emulator => _session.Emulator.Statistics();

    /// <summary>How late the emulator handed over a frame at most since this was last asked, nanoseconds.</summary>
    public long TakeLatestNs() => _session.Emulator.TakeLatestNs();

    public T AtClient<T>(Func<T> work) => LabNamespace.Run(_session.Network.ClientNamespace, work);

    public void Dispose()
    {
        _http?.Dispose();
        _responder.Dispose();
        _session.Dispose();
    }
}
