using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Series;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>How a series is read, for every command that reads one.</summary>
internal sealed class SeriesOptions
{
    private static readonly (string Name, double Ns)[] Units = [("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];

    public Option<string?> TimeColumn { get; } = new("--time-column") { Description = "CSV: column with the time, by header or number.", HelpName = "name|n" };

    public Option<string?> ValueColumn { get; } = new("--value-column")
    {
        Description = "CSV: column with the latency, by header or number; IIS logs: its field.",
        HelpName = "name|n",
    };

    public Option<string?> Unit { get; } = new("--unit")
    {
        Description = "CSV: unit of the latency (default: what the header says, else ms).",
        HelpName = "ns|us|ms|s",
        CustomParser = result => Symbols.OneOf(result, "--unit", [.. Units.Select(u => u.Name)]),
    };

    public Option<string?> TimeFormat { get; } = new("--time-format")
    {
        Description = "CSV: format of the time, such as \"dd.MM.yyyy HH:mm:ss\"; UTC unless it has an offset.",
        HelpName = "format",
    };

    public Option<TimeSpan?> Bin { get; } =
        Symbols.Optional(
            "--bin", "Length of the bins that are analysed (default: 1s, longer for sparse rows).", "time",
            (t, o) => Quantities.Duration(t, o, TimeSpan.FromMilliseconds(1), TimeSpan.FromDays(1)));

    public Option<ExcludedSpan[]> Exclude { get; } = new("--exclude")
    {
        Description = "A known outage to leave out; may be repeated. Times in ISO 8601, UTC.",
        HelpName = "from..to",
        AllowMultipleArgumentsPerToken = false,
        DefaultValueFactory = _ => [],
        CustomParser = result =>
        {
            List<ExcludedSpan> spans = [];
            foreach (System.CommandLine.Parsing.Token token in result.Tokens)
            {
                try
                {
                    spans.Add(SpanOf(token.Value));
                }
                catch (ExpectedFailureException e)
                {
                    result.AddError(e.Message);
                }
            }

            return [.. spans];
        },
    };

    public Option<TimeSpan?> SlowerThan { get; } =
        Symbols.Optional(
            "--slower-than", "Count the requests slower than this, over time.", "time",
            (t, o) => Quantities.Duration(t, o, TimeSpan.FromMicroseconds(1), TimeSpan.FromHours(1)));

    public Option<int> Seed { get; } =
        Symbols.Option("--seed", "Seed of the resampling for the confidence intervals.", "n", (t, o) => (int)Quantities.Count(t, o, 0, int.MaxValue), 1);

    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[TimeColumn, ValueColumn, Unit, TimeFormat, Bin, Exclude, SlowerThan, Seed])
        {
            command.Options.Add(option);
        }
    }

    public SeriesReadOptions Values(ParseResult parse) => new()
    {
        TimeColumn = parse.GetValue(TimeColumn),
        ValueColumn = parse.GetValue(ValueColumn),
        UnitNs = parse.GetValue(Unit) is { } unit ? Units.First(u => u.Name == unit).Ns : null,
        TimeFormat = parse.GetValue(TimeFormat),
        StepSeconds = parse.GetValue(Bin)?.TotalSeconds,
        Excluded = parse.GetValue(Exclude) ?? [],
        SlowerThanNs = (long?)parse.GetValue(SlowerThan)?.TotalNanoseconds,
    };

    internal static ExcludedSpan SpanOf(string text)
    {
        int dots = text.IndexOf("..", StringComparison.Ordinal);
        if (dots > 0 && TimeText.TryParse(text.AsSpan(0, dots), null, out double from) && TimeText.TryParse(text.AsSpan(dots + 2), null, out double to)
            && from < to)
        {
            return new ExcludedSpan(DateTimeOffset.FromUnixTimeMilliseconds((long)(from * 1e3)), DateTimeOffset.FromUnixTimeMilliseconds((long)(to * 1e3)));
        }

        throw new ExpectedFailureException(
            ExitCode.Usage, $"--exclude '{text}' is not valid: FROM..TO in ISO 8601 is expected, such as 2026-11-21T02:00Z..2026-11-21T02:30Z.");
    }
}
