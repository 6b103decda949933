using System.CommandLine;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>sweep</c>: latency over one dimension or two.</summary>
internal static class SweepCommand
{
    private const int MiB = 1 << 20;

    private static readonly IReadOnlyList<double?> Buffers = [null, .. Enumerable.Range(9, 14).Select(i => (double?)(1 << i))];

    public static Command Create(CliHost host) => new("sweep", "Measures latency over one or two dimensions and shows the table, the knee and the anomalies.")
    {
        SweepRateCommand.Create(host),
        Points(
            host, SweepDimension.Size, "Latency over the size of a message.", new SweepLoad(64, 1, 1),
            [.. Enumerable.Range(0, 8).Select(i => (double?)(64 << (2 * i)))], [1]),
        Points(
            host, SweepDimension.Connections, "Latency and throughput over the number of connections that work at the same time.", new SweepLoad(64, 1, 1),
            [1, 2, 4, 8, 16, 32], []),
        Points(
            host, SweepDimension.ReceiveBuffer, "Latency and throughput over SO_RCVBUF of the responder, which receives the requests.",
            new SweepLoad(8192, 8, 1), Buffers, [1, 2]),
        Points(
            host, SweepDimension.SendBuffer, "Latency and throughput over SO_SNDBUF of this end, which sends the requests.", new SweepLoad(8192, 8, 1),
            Buffers, [1, 2]),
        Points(
            host, SweepDimension.Window, "The table window x connections: time per request of many messages, and what the sender waited for.",
            new SweepLoad(4096, 64, 1), [null, MiB / 16, MiB / 4, MiB / 2, MiB, 4 * MiB], [1, 2, 4, 8]),
        Points(
            host, SweepDimension.Batch, "Latency over the number of messages handed to the system in one write.", new SweepLoad(256, 64, 1),
            [1, 2, 4, 8, 16, 32, 64], [1]),
    };

    private static Command Points(
        CliHost host, SweepDimension dimension, string description, SweepLoad load, IReadOnlyList<double?> values, IReadOnlyList<double?> connections) =>
        new SweepPointsCommand(dimension, load, values, connections).Create(host, description);
}
