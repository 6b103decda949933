using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>sweep</c> over sizes, buffers, windows, batches and connections: a closed loop, or messages one way.</summary>
/// <param name="dimension">The swept dimension.</param>
/// <param name="load">The default request.</param>
/// <param name="values">The default values of the dimension.</param>
/// <param name="connections">The default numbers of connections; empty when connections are the swept dimension.</param>
internal sealed class SweepPointsCommand(SweepDimension dimension, SweepLoad load, IReadOnlyList<double?> values, IReadOnlyList<double?> connections)
{
    private const int MostConnections = 256;
    private const int MostPoints = 1000;
    // A median needs six values (order statistics, 95 %); three per round keep one slow round from deciding.
    private const int FewestRequests = 6;
    private const int FewestOfARound = 3;
    private static readonly IReadOnlyList<double?> Doubling = [1, 2, 4, 8];
    private readonly SweepRunOptions _run = new();
    private readonly SweepLoadOptions _load = new(load);
    private readonly PaceOptions _pace = new(TimeSpan.FromMilliseconds(500), TimeSpan.FromMilliseconds(200));
    private readonly SweepProtocolOptions? _protocol = dimension is SweepDimension.Window or SweepDimension.Batch ? new() : null;
    private readonly Option<IReadOnlyList<double?>?> _values = ValuesOf(dimension, values);
    private readonly Option<IReadOnlyList<double?>?> _connections = Symbols.List(
        "--connections", $"Connections at the same time ({Say(connections)}); several numbers make a second dimension.", "n,...",
        (t, o) => Quantities.Count(t, o, 1, MostConnections));
    private readonly Option<string> _by = Symbols.Words("--by", "Second dimension; its values are those of --connections.", "", "connections");

    private bool SweepsConnections => dimension == SweepDimension.Connections;

    public Command Create(CliHost host, string description)
    {
        Command command = new(SweepText.Of(dimension), $"{description} --duration is per point and round.") { _run.Target, _values };
        if (!SweepsConnections)
        {
            command.Options.Add(_connections);
            command.Options.Add(_by);
        }

        _protocol?.AddTo(command);
        command.Options.Add(_run.Rounds);
        _load.AddTo(command, dimension);
        foreach (Option option in (Option[])[_pace.Duration, _pace.Warmup, _pace.Pin, _pace.Seed, _pace.Timeout])
        {
            command.Options.Add(option);
        }

        _run.AddTo(command);
        command.SetAction((parse, cancellation) => Cli.Start(() => _run.Run(parse, host, PlanOf(parse, host), cancellation)));
        return command;
    }

    private SweepPlan PlanOf(ParseResult parse, CliHost host)
    {
        IReadOnlyList<double?> swept = parse.GetValue(_values) ?? values;
        SweepStreams? streams = _protocol?.Values(parse);
        if (streams is not null)
        {
            SweepProtocolOptions.Check(parse, dimension, swept, [.. _load.OfTcpOnly, _pace.Pin]);
        }

        (Workload workload, SweepLoad asked) = streams is null ? _load.Values(parse, dimension)
            : _load.StreamValues(parse, dimension, SweepProtocolOptions.StreamLoad);
        List<(SweepDimension, IReadOnlyList<double?>)> axes = [(dimension, swept)];
        int alone = 1;
        if (!SweepsConnections)
        {
            IReadOnlyList<double?>? given = parse.GetValue(_connections);
            bool by = parse.GetValue(_by) is { Length: > 0 };
            if (by && given is [{ } only])
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"--by connections needs several numbers of connections; --connections {only:0} is one.");
            }

            IReadOnlyList<double?> clients = given ?? (by && connections.Count < 2 ? Doubling : connections);

            alone = (int)clients[0]!.Value;
            if (clients.Count > 1)
            {
                axes.Add((SweepDimension.Connections, clients));
            }
        }

        int points = axes.Aggregate(1, (product, axis) => product * axis.Item2.Count);
        if (points > MostPoints)
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"{points} points are too many; at most {MostPoints} points are valid.");
        }

        if (dimension == SweepDimension.Batch && swept.FirstOrDefault(v => v > asked.Messages) is { } tooMany)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage, $"--per-write {tooMany:0} is more than the {Counted.Of(asked.Messages, "message")} of a request; 1 to {asked.Messages} are "
                    + "valid.");
        }

        MeasurementPlan common = new()
        {
            Workload = workload,
            Duration = parse.GetValue(_pace.Duration),
            Warmup = parse.GetValue(_pace.Warmup),
            AtLeast = Math.Max(streams is null ? FewestOfARound : 1, (FewestRequests + parse.GetValue(_run.Rounds) - 1) / parse.GetValue(_run.Rounds)),
            Connections = alone,
            Pin = _pace.Processors(parse, host),
            Seed = parse.GetValue(_pace.Seed),
            ReplyTimeout = parse.GetValue(_pace.Timeout),
        };
        return SweepPlan.Make(common, asked, axes, parse.GetValue(_run.Rounds), parse.GetValue(_pace.Seed), streams);
    }

    private static Option<IReadOnlyList<double?>?> ValuesOf(SweepDimension dimension, IReadOnlyList<double?> fallback)
    {
        const int MostBytes = 1 << 30;
        return dimension switch
        {
            SweepDimension.Connections =>
                Symbols.List(
                    "--connections", $"Connections at the same time ({Say(fallback)}).", "n,...", (t, o) => Quantities.Count(t, o, 1, MostConnections)),
            SweepDimension.Batch =>
                Symbols.List("--per-write", $"Messages in one write ({Say(fallback)}).", "n,...", (t, o) => Quantities.Count(t, o, 1, SweepLoad.MostMessages)),
            SweepDimension.Size =>
                Symbols.List("--sizes", $"Sizes of a message ({SayBytes(fallback)}).", "bytes,...", (t, o) => Quantities.Size(t, o, 1, MostBytes)),
            _ => Symbols.List(
                "--sizes", $"Sizes to request; auto (or dynamic) leaves the size to the system ({SayBytes(fallback)}).", "bytes,...",
                (t, o) => t is "auto" or "dynamic" ? null : Quantities.Size(t, o, 0, MostBytes)),
        };
    }

    private static string Say(IReadOnlyList<double?> values) => string.Join(',', values.Select(v => $"{v:0}"));

    private static string SayBytes(IReadOnlyList<double?> values) => string.Join(',', values.Select(v => v switch
    {
        null => "auto",
        >= 1 << 20 => $"{v / (1 << 20):0}MiB",
        >= 1 << 10 => $"{v / (1 << 10):0}KiB",
        _ => $"{v:0}",
    }));
}
