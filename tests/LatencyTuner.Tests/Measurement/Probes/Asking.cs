using System.Net;
using System.Security.Cryptography;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Probes;

namespace LatencyTuner.Tests.Measurement.Probes;

/// <summary>Short runs against one address.</summary>
internal static class Asking
{
    public static MeasuringContext Context { get; } = new(TimeProvider.System, SocketPlatform.Current, RandomNumberGenerator.Create());

    public static ProbeTarget Target(string text, HttpProbeOptions? http = null) =>
        ProbeTargetFactory.Of(ProbeAddress.Parse(text), IPAddress.Loopback, [http ?? new HttpProbeOptions()], Context).Single();

    /// <summary>Asks some times and gives what came of it.</summary>
    public static ProbeSeries Run(string text, HttpProbeOptions? http = null, long rounds = 4) => Run([Target(text, http)], rounds)[0];

    public static IReadOnlyList<ProbeSeries> Run(IReadOnlyList<ProbeTarget> targets, long rounds)
    {
        // Faster than a host that has not agreed may be asked: these are the test's own.
        ProbePlan plan = new() { RatePerSecond = 20, Rounds = rounds };
        return ProbeRun.Run(targets, plan, TimeProvider.System, CancellationToken.None).Series;
    }
}
