using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>Measures one point of a sweep over HTTP/2: several connections, or streams of one connection, each requesting one stream after the other.</summary>
internal static class StreamRound
{
    /// <summary>Part of a stream, as a divisor, that is requested before the counted streams.</summary>
    private const int WarmupPart = 10;

    /// <summary>Measures the point.</summary>
    /// <param name="target">The HTTP responder.</param>
    /// <param name="cell">The point.</param>
    /// <param name="streams">How its streams are made and carried.</param>
    /// <param name="context">Clock and randomness.</param>
    /// <param name="cancellation">Ends the round early.</param>
    /// <exception cref="ExpectedFailureException">The responder could not be reached, refused the client, or is not a latencytuner responder.</exception>
    internal static SweepRound Run(MeasurementTarget target, SweepCell cell, SweepStreams streams, MeasuringContext context, CancellationToken cancellation)
    {
        List<StreamClient> clients = [];
        try
        {
            return RunAsync(target, cell, streams, context, clients, cancellation).GetAwaiter().GetResult();
        }
        catch (PeerFailureException e)
        {
            throw new ExpectedFailureException(ExitCode.Measurement, e.Message, e);
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            return new SweepRound { Response = new LatencyHistogram(), Cancelled = true };
        }
        finally
        {
            clients.ForEach(c => c.Dispose());
        }
    }

    private static async Task<SweepRound> RunAsync(
        MeasurementTarget target, SweepCell cell, SweepStreams streams, MeasuringContext context, List<StreamClient> clients, CancellationToken cancellation)
    {
        MeasurementPlan plan = cell.Plan;
        int? window = (int?)cell[SweepDimension.Window];
        StreamRequest asked = new(cell.Load.Messages, cell.Load.MessageBytes, cell.Load.PerWrite, streams.Ahead);
        for (int i = 0; i < (streams.OneConnection ? 1 : plan.Connections); i++)
        {
            clients.Add(new StreamClient(target, window, plan, context));
        }

        foreach (StreamClient client in clients)
        {
            await client.OpenAsync(cancellation).ConfigureAwait(false);
        }

        StreamClient ClientOf(int stream) => clients[stream % clients.Count];
        if (plan.Warmup > TimeSpan.Zero)
        {
            StreamRequest some = asked with { Messages = Math.Max(asked.Messages / WarmupPart, 1) };
            await Task.WhenAll(Enumerable.Range(0, plan.Connections).Select(i => ClientOf(i).FetchAsync(some, cancellation))).ConfigureAwait(false);
        }

        long start = context.Time.GetTimestamp();
        List<StreamSample>[] samples = [.. Enumerable.Range(0, plan.Connections).Select(_ => new List<StreamSample>())];
        string? ended = null;
        bool cancelled = false;
        try
        {
            await Task.WhenAll(
                samples.Select((own, i) => Task.Run(() => FetchAllAsync(ClientOf(i), asked, plan, own, start, context.Time, cancellation), cancellation)))
                .ConfigureAwait(false);
        }
        catch (PeerFailureException e) when (samples.Any(s => s.Count > 0))
        {
            ended = e.Message;
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            cancelled = true;
        }

        TimeSpan elapsed = context.Time.GetElapsedTime(start);
        return Of(samples, clients, window, elapsed, streams.OneConnection) with { EndedBecause = ended, Cancelled = cancelled };
    }

    private static async Task FetchAllAsync(
        StreamClient client, StreamRequest asked, MeasurementPlan plan, List<StreamSample> samples, long start, TimeProvider time,
        CancellationToken cancellation)
    {
        while (samples.Count < plan.AtLeast || time.GetElapsedTime(start) < plan.Duration)
        {
            samples.Add(await client.FetchAsync(asked, cancellation).ConfigureAwait(false));
        }
    }

    private static SweepRound Of(List<StreamSample>[] samples, List<StreamClient> clients, int? window, TimeSpan elapsed, bool shared)
    {
        List<StreamSample> all = [.. samples.SelectMany(s => s)];
        LatencyHistogram response = new();
        all.ForEach(s => response.Record(s.ResponseNs));
        long largest = clients.Max(c => c.LargestWindow);
        if (window is { } wanted && largest > wanted)
        {
            throw new PeerFailureException($"This version of .NET let a stream window of {wanted} bytes grow to {largest} bytes: it cannot fix windows.");
        }

        long roundTrip = clients.Min(c => c.RoundTripNs);
        StreamFigures figures = StreamFigures.Of(all, largest, roundTrip == long.MaxValue ? null : roundTrip);
        List<StreamTimes> lasts = [.. samples.Select(s => s.LastOrDefault(x => x.Times is not null)?.Times).OfType<StreamTimes>()];
        return new SweepRound
        {
            Response = response,
            Blocks = [(response, (long)elapsed.TotalNanoseconds)],
            Elapsed = elapsed,
            Exchanges = all.Count,
            SendNs = figures.SendNs + figures.WaitNs,
            LongestSendNs = figures.LongestNs,
            ResponderSoftware = clients[0].Software,
            ResponderOs = clients[0].Os,
            PeerState = lasts.Count > 0 ? lasts[0].State : null,
            PeerCounters = [.. Counters(samples, shared)],
            Streams = figures,
        };
    }

    /// <summary>The sender's counters over all its streams, a pair for each connection.</summary>
    private static IEnumerable<(KernelCounters Start, KernelCounters End)> Counters(List<StreamSample>[] samples, bool shared)
    {
        IEnumerable<IEnumerable<StreamSample>> connections = shared ? [samples.SelectMany(s => s)] : samples;
        foreach (IEnumerable<StreamSample> connection in connections)
        {
            List<StreamTimes> times = [.. connection.Select(s => s.Times).OfType<StreamTimes>()];
            if (times.Count > 0)
            {
                // The counters of one connection only grow: the sample with the fewest segments is the first, the one with the most is the last.
                yield return (times.MinBy(t => t.Start.SegmentsOut ?? 0)!.Start, times.MaxBy(t => t.End.SegmentsOut ?? 0)!.End);
            }
        }
    }
}
