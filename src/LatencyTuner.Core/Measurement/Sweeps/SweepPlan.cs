using LatencyTuner.Core.Measurement.Http;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>The settings of a sweep.</summary>
public sealed record SweepPlan
{
    private SweepPlan()
    {
    }

    /// <summary>The dimensions, the main one first.</summary>
    public IReadOnlyList<SweepDimension> Dimensions { get; private init; } = [];

    /// <summary>The points in the order in which they are reported: by the main dimension, then by the second.</summary>
    public IReadOnlyList<SweepCell> Cells { get; private init; } = [];

    /// <summary>The settings common to all points.</summary>
    public MeasurementPlan Base { get; private init; } = new();

    /// <summary>The messages of a request, except for the swept values.</summary>
    public SweepLoad Load { get; private init; } = new(64, 1, 1);

    /// <summary>Not null for a sweep over HTTP/2; null for one over plain TCP.</summary>
    public SweepStreams? Streams { get; private init; }

    /// <summary>Number of rounds; each measures every point once, in a new random order.</summary>
    public int Rounds { get; private init; }

    /// <summary>Seed of the order and of the arrival times.</summary>
    public int Seed { get; private init; }

    /// <summary>True when a point that fails is left out and the others are measured all the same: a size may be refused, a rate cannot.</summary>
    public bool PointsMayFail => Dimensions[0] != SweepDimension.Rate;

    /// <summary>Creates the points of one or two dimensions.</summary>
    /// <param name="common">The settings of every point; the swept values are replaced.</param>
    /// <param name="load">The messages of a request; null keeps the writes of <paramref name="common"/>.</param>
    /// <param name="axes">One or two dimensions with their values in the order of the report.</param>
    /// <param name="rounds">Number of rounds, 1 or more.</param>
    /// <param name="seed">Seed of the order and of the arrival times.</param>
    /// <param name="streams">The settings of a sweep over HTTP/2; null for one over plain TCP.</param>
    /// <exception cref="ExpectedFailureException">A request would have too many writes or bytes.</exception>
    public static SweepPlan Make(
        MeasurementPlan common, SweepLoad? load, IReadOnlyList<(SweepDimension Dimension, IReadOnlyList<double?> Values)> axes, int rounds, int seed,
        SweepStreams? streams = null)
    {
        ArgumentNullException.ThrowIfNull(common);
        ArgumentNullException.ThrowIfNull(axes);
        ArgumentOutOfRangeException.ThrowIfLessThan(rounds, 1);
        bool own = load is not null;
        load ??= new SweepLoad(common.Workload.RequestSize, 1, 1);
        IEnumerable<IReadOnlyList<SweepLevel>> points = [[]];
        foreach ((SweepDimension dimension, IReadOnlyList<double?> values) in axes)
        {
            points = points.SelectMany(p => values.Select(v => (IReadOnlyList<SweepLevel>)[.. p, new SweepLevel(dimension, v)]));
        }

        return new SweepPlan
        {
            Dimensions = [.. axes.Select(a => a.Dimension)],
            Cells = [.. points.Select(p => CellOf(common, load, own, p, streams))],
            Base = common,
            Load = load,
            Streams = streams,
            Rounds = rounds,
            Seed = seed,
        };
    }

    /// <summary>Values in even steps of their logarithm.</summary>
    /// <param name="from">Lowest, positive.</param>
    /// <param name="to">Highest, above the lowest.</param>
    /// <param name="steps">Number of values, at least 2.</param>
    public static IReadOnlyList<double> LogSteps(double from, double to, int steps)
    {
        double factor = Math.Pow(to / from, 1.0 / (steps - 1));
        // Rounding closer steps than a tenth would make neighbours equal or pass the ends.
        return [.. Enumerable.Range(0, steps)
            .Select(i => i == 0 ? from : i == steps - 1 ? to : factor < 1.1 ? from * Math.Pow(factor, i) : Round(from * Math.Pow(factor, i)))];
    }

    private static SweepCell CellOf(MeasurementPlan common, SweepLoad load, bool own, IReadOnlyList<SweepLevel> levels, SweepStreams? streams)
    {
        MeasurementPlan plan = common;
        foreach (SweepLevel level in levels)
        {
            int? whole = level.Value is { } v ? (int)v : null;
            (plan, load) = level.Dimension switch
            {
                SweepDimension.Rate => (plan with { RatePerSecond = level.Value, Count = null, Runs = 1 }, load),
                SweepDimension.Size => (plan, load with { MessageBytes = whole!.Value }),
                SweepDimension.Connections => (plan with { Connections = whole!.Value }, load),
                // Only the client sets the window of a stream; the value stays in the levels.
                SweepDimension.Window when streams is not null => (plan, load),
                SweepDimension.ReceiveBuffer or SweepDimension.Window => (plan with { Workload = plan.Workload with { PeerReceiveBuffer = whole } }, load),
                SweepDimension.SendBuffer => (plan with { Workload = plan.Workload with { SendBuffer = whole } }, load),
                _ => (plan, load with { PerWrite = whole!.Value }),
            };
        }

        if (streams is not null)
        {
            CheckStream(load);
            return new SweepCell(levels, load, plan) { Streams = streams };
        }

        if (load.Messages > SweepLoad.MostMessages || load.RequestBytes > 1 << 30)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"A request of {load.Messages} messages of {load.MessageBytes} bytes is too large: at most {SweepLoad.MostMessages} messages and "
                + $"{1 << 30} bytes are valid.");
        }

        return new SweepCell(levels, load, own ? plan with { Workload = WithWrites(plan.Workload, load.Writes) } : plan);
    }

    private static void CheckStream(SweepLoad load)
    {
        if (load.MessageBytes is < StreamRequest.LeastMessageBytes or > StreamRequest.MostWriteBytes
            || (long)load.MessageBytes * Math.Min(load.PerWrite, load.Messages) > StreamRequest.MostWriteBytes)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"Messages of {load.MessageBytes} bytes, {load.PerWrite} per write, are not valid over HTTP/2: at least {StreamRequest.LeastMessageBytes} "
                + $"bytes per message and at most {StreamRequest.MostWriteBytes} bytes per write are valid.");
        }
    }

    private static Workload WithWrites(Workload workload, IReadOnlyList<int> writes) => workload with
    {
        Writes = writes,
        Pattern = workload.Pattern == WritePattern.Stream ? WritePattern.Stream : writes.Count > 1 ? WritePattern.Split : WritePattern.Single,
    };

    /// <summary>Rounds to two significant digits: the difference of 126 and 130 requests per second does not matter.</summary>
    private static double Round(double rate)
    {
        double scale = Math.Pow(10, Math.Floor(Math.Log10(rate)) - 1);
        return Math.Round(rate / scale) * scale;
    }
}

/// <summary>One point to measure.</summary>
/// <param name="Levels">Its values, one per dimension.</param>
/// <param name="Load">The messages of a request at this point.</param>
/// <param name="Plan">The settings of one round; the seed is replaced.</param>
public sealed record SweepCell(IReadOnlyList<SweepLevel> Levels, SweepLoad Load, MeasurementPlan Plan)
{
    /// <summary>Not null for a point of a sweep over HTTP/2.</summary>
    public SweepStreams? Streams { get; init; }

    /// <summary>The value of a dimension; null when the system decides or it is not swept.</summary>
    public double? this[SweepDimension dimension] => Levels.FirstOrDefault(l => l.Dimension == dimension).Value;
}

/// <summary>What a sweep varies.</summary>
public enum SweepDimension
{
    /// <summary>Planned requests per second of an open loop.</summary>
    Rate,

    /// <summary>Size of a message in bytes.</summary>
    Size,

    /// <summary>Connections that work at the same time.</summary>
    Connections,

    /// <summary>SO_RCVBUF of the end that receives the requests, the responder's, in bytes.</summary>
    ReceiveBuffer,

    /// <summary>SO_SNDBUF of the end that sends the requests, this one, in bytes.</summary>
    SendBuffer,

    /// <summary>
    /// The receive window the responder may offer in bytes: its SO_RCVBUF, set before it listens so that the window scale fits (RFC 7323 2.2).
    /// </summary>
    Window,

    /// <summary>Messages passed to the system in one write.</summary>
    Batch,
}

/// <summary>One value of one dimension.</summary>
/// <param name="Dimension">The dimension.</param>
/// <param name="Value">The value in the dimension's unit; null leaves a buffer or window to the operating system.</param>
public readonly record struct SweepLevel(SweepDimension Dimension, double? Value);

/// <summary>What one request consists of: messages of one size, one or several of them in each write.</summary>
/// <param name="MessageBytes">Size of a message in bytes.</param>
/// <param name="Messages">Number of messages in a request.</param>
/// <param name="PerWrite">Number of messages in a write; the last write has the rest.</param>
public sealed record SweepLoad(int MessageBytes, int Messages, int PerWrite)
{
    /// <summary>Most messages of a request; the list of its writes is part of the report.</summary>
    public const int MostMessages = 4096;

    /// <summary>Size of a request in bytes.</summary>
    public long RequestBytes => (long)MessageBytes * Messages;

    /// <summary>The writes of one request in bytes.</summary>
    public IReadOnlyList<int> Writes
    {
        get
        {
            int each = Math.Min(PerWrite, Messages);
            int[] writes = new int[(Messages + each - 1) / each];
            Array.Fill(writes, checked(MessageBytes * each));
            writes[^1] = checked((int)(RequestBytes - ((long)MessageBytes * each * (writes.Length - 1))));
            return writes;
        }
    }
}

/// <summary>The settings of a sweep over HTTP/2: the responder sends each request's messages in one response stream, and this end receives.</summary>
/// <param name="Ahead">True: the responder makes messages while it sends the previous ones; false: one after the other.</param>
/// <param name="OneConnection">True: the number of connections means streams of one connection.</param>
public sealed record SweepStreams(bool Ahead, bool OneConnection);
