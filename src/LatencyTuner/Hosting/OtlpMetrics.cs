using System.Diagnostics.Metrics;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;

namespace LatencyTuner.Hosting;

/// <summary>
/// Response times as OTLP metrics. The measuring threads only put a number into a bounded queue; when it is full the number is dropped and
/// counted, so that a slow or dead collector delays nothing. Types of the exporter are touched here and nowhere else, so
/// that its assembly is loaded only when this is used.
/// </summary>
internal sealed class OtlpMetrics : IDisposable
{
    private const int QueueLength = 65_536;
    private static readonly double[] BoundariesSeconds =
        [50e-6, 100e-6, 200e-6, 500e-6, 1e-3, 2e-3, 5e-3, 10e-3, 20e-3, 40e-3, 60e-3, 100e-3, 200e-3, 300e-3, 500e-3, 1, 2, 5, 10];

    private readonly SampleQueue? _queue;
    private readonly Meter _meter = new("latencytuner");
    private readonly Histogram<double> _durations;
    private readonly Counter<long> _errors;
    private readonly Counter<long> _missed;
    private readonly MeterProvider _provider;
    private readonly CountingExporter _exporter;

    public OtlpMetrics(Uri endpoint, TimeSpan every)
    {
        _durations = _meter.CreateHistogram<double>("latencytuner.response.duration", "s", "Response time of monitored targets.");
        _errors = _meter.CreateCounter<long>("latencytuner.errors", "{error}", "Exchanges and connects that failed.");
        _missed = _meter.CreateCounter<long>("latencytuner.missed", "{request}", "Planned requests that were not sent.");
        _ = _meter.CreateObservableCounter("latencytuner.dropped", () => Dropped, "{sample}", "Response times that the export queue had no room for.");
        _exporter = new CountingExporter(
            new OtlpExporterOptions { Endpoint = endpoint, Protocol = OtlpExportProtocol.HttpProtobuf, TimeoutMilliseconds = 5000 });
        _provider = Sdk.CreateMeterProviderBuilder()
            .ConfigureResource(r => r.AddService("latencytuner", serviceVersion: CliHost.VersionText, serviceInstanceId: Environment.MachineName))
            .AddMeter(_meter.Name)
            .AddView(_durations.Name, new ExplicitBucketHistogramConfiguration { Boundaries = BoundariesSeconds })
            .AddReader(new PeriodicExportingMetricReader(_exporter, (int)every.TotalMilliseconds, 5000))
            .Build();
        _queue = new SampleQueue(QueueLength, (target, ns) => _durations.Record(ns / 1e9, new KeyValuePair<string, object?>("target", target)));
    }

    /// <summary>The number of response times that the queue had no room for.</summary>
    public long Dropped => _queue?.Dropped ?? 0;

    /// <summary>The number of exports that failed.</summary>
    public long FailedExports => _exporter.Failures;

    /// <summary>The number of exports that succeeded.</summary>
    public long Exports => _exporter.Successes;

    /// <summary>Adds a response time to the queue; returns at once.</summary>
    public void Observe(string target, long ns) => _queue!.Add(target, ns);

    public void Count(string target, int errors, int missed)
    {
        KeyValuePair<string, object?> tag = new("target", target);
        _errors.Add(errors, tag);
        _missed.Add(missed, tag);
    }

    public void Dispose()
    {
        _queue?.Dispose();
        _provider.Shutdown(5000);
        _provider.Dispose();
        _meter.Dispose();
    }

    private sealed class CountingExporter(OtlpExporterOptions options) : OtlpMetricExporter(options)
    {
        private long _failures;
        private long _successes;

        public long Failures => Interlocked.Read(ref _failures);

        public long Successes => Interlocked.Read(ref _successes);

        public override ExportResult Export(in Batch<Metric> metrics)
        {
            ExportResult result = base.Export(metrics);
            Interlocked.Increment(ref result == ExportResult.Success ? ref _successes : ref _failures);
            return result;
        }
    }
}
