using System.Diagnostics.Metrics;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>The dashboard in <c>deploy/grafana</c> asks for metrics that <c>monitor --otlp</c> sends, and for all of them.</summary>
public sealed partial class Dashboards
{
    [Fact]
    public void Dashboard_AsksForTheMetricsThatAreSent()
    {
        HashSet<string> sent = [];
        using (MeterListener listener = new())
        {
            listener.InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter.Name == "latencytuner")
                {
                    // The names that OpenTelemetry's rules for Prometheus give: dots, then the unit, then the kind.
                    string name = instrument.Name.Replace('.', '_') + (instrument.Unit == "s" ? "_seconds" : "");
                    sent.UnionWith(instrument is Histogram<double> ? [name + "_bucket", name + "_count", name + "_sum"] : [name + "_total"]);
                }
            };
            listener.Start();
            using OtlpMetrics metrics = new(new Uri("http://127.0.0.1:9/v1/metrics"), TimeSpan.FromMinutes(1));
        }

        string text = File.ReadAllText(Path.Combine(ManualPages.Root, "deploy", "grafana", "latencytuner.json"));
        string[] asked = [.. Metric().Matches(text).Select(m => m.Value).Distinct()];

        Assert.Equal(6, sent.Count);
        Assert.Empty(asked.Except(sent));
        Assert.Empty(sent.Where(s => !s.EndsWith("_sum", StringComparison.Ordinal)).Except(asked));
        JsonNode board = JsonNode.Parse(text)!;
        Assert.All(board["panels"]!.AsArray(), p => Assert.NotEmpty(p!["targets"]!.AsArray()));
        Assert.Equal(board["panels"]!.AsArray().Count, board["panels"]!.AsArray().Select(p => p!["id"]!.GetValue<int>()).Distinct().Count());
    }

    [GeneratedRegex("latencytuner_[a-z_]+")]
    private static partial Regex Metric();
}
