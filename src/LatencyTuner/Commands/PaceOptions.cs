using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>How long, how fast and on how many connections.</summary>
internal sealed class PaceOptions(TimeSpan duration, TimeSpan warmup)
{
    public Option<TimeSpan> Duration { get; } =
        Symbols.Option(
            "--duration", "Measured time.", "time", (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(10), TimeSpan.FromDays(7)), duration);

    public Option<long?> Count { get; } =
        Symbols.Optional("--count", "Number of requests instead of a time.", "n", (t, o) => Quantities.Count(t, o, 1, 1_000_000_000_000));

    public Option<TimeSpan> Warmup { get; } =
        Symbols.Option(
            "--warmup", "Time before the measurement, not counted.", "time",
            (t, o) => Quantities.Duration(t, o, TimeSpan.Zero, TimeSpan.FromMinutes(10)), warmup);

    public Option<double?> Rate { get; } =
        Symbols.Optional(
            "--rate", "Open loop: requests per second over all connections. Without it: closed loop.", "n/s", (t, o) => Quantities.Rate(t, o, 0.01, 5_000_000));

    public Option<string> Arrivals { get; } = Symbols.Words("--arrivals", "Spacing of the requests of an open loop.", "constant", "constant", "poisson");

    public Option<int> Connections { get; } = Symbols.Option("--connections", "Number of connections.", "n", (t, o) => (int)Quantities.Count(t, o, 1, 1024), 1);

    public Option<int> InFlight { get; } =
        Symbols.Option("--in-flight", "Open loop: most requests in flight on one connection.", "n", (t, o) => (int)Quantities.Count(t, o, 1, 1 << 20), 4096);

    public Option<IReadOnlyList<int>> Pin { get; } =
        Symbols.Option<IReadOnlyList<int>>(
            "--pin", "Bind the measuring threads to a processor; the second number binds the responder of loopback.", "cpu[,cpu]", Quantities.Processors, []);

    public Option<int> Seed { get; } = Symbols.Option("--seed", "Seed of all random numbers.", "n", (t, o) => (int)Quantities.Count(t, o, 0, int.MaxValue), 1);

    public Option<TimeSpan> Timeout { get; } =
        Symbols.Option(
            "--timeout", "Longest wait for one reply.", "time", (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(10), TimeSpan.FromHours(1)),
            TimeSpan.FromSeconds(10));

    public void AddTo(Command command, bool withRate = true)
    {
        foreach (Option option in (Option[])[
            Duration, .. withRate ? new Option[] { Count, Rate } : [], Warmup, Arrivals, Connections, InFlight, Pin, Seed, Timeout])
        {
            command.Options.Add(option);
        }
    }

    /// <summary>The processors to bind to; an error when a thread of this process cannot be bound to one of them.</summary>
    public IReadOnlyList<int> Processors(ParseResult parse, CliHost host)
    {
        IReadOnlyList<int> asked = parse.GetValue(Pin) ?? [];
        int refused = -1;
        // A thread of its own: bound once, a thread stays bound.
        Thread trying = new(() => refused = asked.FirstOrDefault(p => !host.Measuring.Platform.TryPinThread(p), -1));
        trying.Start();
        trying.Join();
        return refused < 0 ? asked
            : throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--pin {string.Join(",", asked)}: no thread can be bound to processor {refused}. Processors are numbered from 0, and this process may use "
                + $"{Environment.ProcessorCount} of them.");
    }

    public MeasurementPlan Values(ParseResult parse, CliHost host, Workload workload, bool withRate = true)
    {
        double? rate = withRate ? parse.GetValue(Rate) : null;
        long? count = withRate ? parse.GetValue(Count) : null;
        int connections = parse.GetValue(Connections);
        const int MostThreads = 256;
        if (rate is null && withRate && connections > MostThreads)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--connections {connections} is too many for a closed loop, which needs a thread for each. Valid are 1 to {MostThreads}; or give --rate for "
                + "an open loop.");
        }

        if (rate is null && withRate && parse.GetResult(Arrivals) is { Implicit: false })
        {
            throw new ExpectedFailureException(ExitCode.Usage, "--arrivals needs --rate: a closed loop has no planned times.");
        }

        if (count < connections)
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"--count {count} is less than the {Counted.Of(connections, "connection")}; give each at "
                + "least one request.");
        }

        bool byTime = count is null || parse.GetResult(Duration) is { Implicit: false };
        return new MeasurementPlan
        {
            Workload = workload,
            RatePerSecond = rate,
            Arrivals = parse.GetValue(Arrivals) == "poisson" ? Core.Measurement.Arrivals.Poisson : Core.Measurement.Arrivals.Constant,
            Duration = byTime ? parse.GetValue(Duration) : null,
            Count = count,
            Warmup = count is not null && parse.GetResult(Warmup) is not { Implicit: false } ? TimeSpan.Zero : parse.GetValue(Warmup),
            Connections = connections,
            InFlight = parse.GetValue(InFlight),
            Pin = Processors(parse, host),
            Seed = parse.GetValue(Seed),
            ReplyTimeout = parse.GetValue(Timeout),
        };
    }
}
