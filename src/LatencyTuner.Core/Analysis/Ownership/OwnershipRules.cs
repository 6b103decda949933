using LatencyTuner.Core.Statistics;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Ownership;

/// <summary>Judges which of client, server and network owns the usual response time, and which its tail.</summary>
internal static class OwnershipRules
{
    private const int FewestUsual = 40;
    private const int FewestTail = 100;
    private const int FewestForHundredth = 2000;
    private const double LeastExcessNs = 20_000;
    private const double LeastExcessShare = 0.1;
    private const double Majority = 0.5;

    /// <summary>An interval that just reaches a half misses it every second time; with four times the time it is half as wide and hardly ever does.</summary>
    private const double Headroom = 4;
    private const double MostTimesLonger = 100;
    private static readonly Owner[] Owners = [Owner.Client, Owner.Server, Owner.Network, Owner.Tcp];

    /// <summary>Who owns the usual time: the requests between the quartiles, so that neither the best nor the tail decides.</summary>
    /// <param name="owners">The requests.</param>
    /// <param name="seed">Seed of the bootstrap.</param>
    public static OwnershipVerdict Typical(RequestOwners owners, int seed)
    {
        ArgumentNullException.ThrowIfNull(owners);
        if (TooFew(owners, FewestUsual) is { } few)
        {
            return few;
        }

        double[] sorted = [.. owners.Requests.Select(r => r.Total).Order()];
        (double low, double high) = (BlockBootstrap.At(sorted, 0.25), BlockBootstrap.At(sorted, 0.75));
        OwnerShare[] shares = Shares(owners.Requests, r => r.Total >= low && r.Total <= high, _ => 0, seed, out int count);
        return Judge(owners, shares, count, null, "usual response time");
    }

    /// <summary>Who owns the tail: of the requests above the 99th percentile (the 90th of fewer than 2,000), each owner's time beyond its own median.</summary>
    /// <param name="owners">The requests.</param>
    /// <param name="seed">Seed of the bootstrap.</param>
    public static OwnershipVerdict Tail(RequestOwners owners, int seed)
    {
        ArgumentNullException.ThrowIfNull(owners);
        if (TooFew(owners, FewestTail) is { } few)
        {
            return few;
        }

        double percentile = owners.Requests.Count >= FewestForHundredth ? 99 : 90;
        double[] sorted = [.. owners.Requests.Select(r => r.Total).Order()];
        double median = BlockBootstrap.At(sorted, 0.5);
        double limit = BlockBootstrap.At(sorted, percentile / 100);
        // The mean, not the percentile itself: a few very slow requests are a tail even where the percentile does not reach them.
        double excess = sorted.Where(t => t > limit).DefaultIfEmpty(median).Average() - median;
        if (excess < Math.Max(LeastExcessNs, LeastExcessShare * median))
        {
            return new OwnershipVerdict
            {
                Owner = Owner.None,
                AbovePercentile = percentile,
                Because = $"There is almost no tail: requests above the {percentile:0}th percentile take {excess / 1e3:0.#} us more than the median.",
            };
        }

        Dictionary<Owner, double> medians = Owners.ToDictionary(o => o, o => BlockBootstrap.At([.. owners.Requests.Select(r => r.Of(o)).Order()], 0.5));
        OwnerShare[] shares = Shares(owners.Requests, r => r.Total > limit, o => medians[o], seed, out int count);
        return Judge(owners, shares, count, percentile, $"tail above the {percentile:0}th percentile");
    }

    private static OwnershipVerdict? TooFew(RequestOwners owners, int fewest) => owners.Requests.Count >= fewest ? null : new OwnershipVerdict
    {
        Owner = Owner.CannotTell,
        Count = owners.Requests.Count,
        Because = $"Only {Counted.Were(owners.Requests.Count, "request")} kept; {fewest} are needed.",
    };

    /// <summary>Shares of the sums beyond each owner's floor, with intervals from blocks of time, since what is slow comes in bursts.</summary>
    private static OwnerShare[] Shares(IReadOnlyList<OwnedTimes> requests, Func<OwnedTimes, bool> counts, Func<Owner, double> floor, int seed, out int count)
    {
        const int Blocks = 40;
        const int Resamples = 1000;
        int blocks = Math.Min(Blocks, requests.Count);
        double[,] sums = new double[blocks, Owners.Length];
        count = 0;
        for (int i = 0; i < requests.Count; i++)
        {
            if (!counts(requests[i]))
            {
                continue;
            }

            count++;
            int block = (int)((long)i * blocks / requests.Count);
            for (int o = 0; o < Owners.Length; o++)
            {
                sums[block, o] += Math.Max(requests[i].Of(Owners[o]) - floor(Owners[o]), 0);
            }
        }

        double[] totals = [.. Enumerable.Range(0, Owners.Length).Select(o => Enumerable.Range(0, blocks).Sum(b => sums[b, o]))];
        double[][] drawn = new double[Owners.Length][];
        for (int o = 0; o < drawn.Length; o++)
        {
            drawn[o] = new double[Resamples];
        }

        Random random = new(seed);
        double[] sample = new double[Owners.Length];
        for (int r = 0; r < Resamples; r++)
        {
            Array.Clear(sample);
            for (int b = 0; b < blocks; b++)
            {
                int block = random.Next(blocks);
                for (int o = 0; o < sample.Length; o++)
                {
                    sample[o] += sums[block, o];
                }
            }

            double all = sample.Sum();
            for (int o = 0; o < sample.Length; o++)
            {
                drawn[o][r] = all > 0 ? sample[o] / all : 0;
            }
        }

        int judged = Math.Max(count, 1);
        double total = totals.Sum();
        // Without a finding of it, TCP itself is part of the rest and no owner of its own.
        bool tcp = requests.Any(r => r.Tcp > 0);
        return [.. Owners.Take(tcp ? Owners.Length : Owners.Length - 1).Select((owner, o) =>
        {
            Array.Sort(drawn[o]);
            return new OwnerShare(
                owner, total > 0 ? totals[o] / total : 0, BlockBootstrap.At(drawn[o], 0.025), BlockBootstrap.At(drawn[o], 0.975), totals[o] / judged);
        })];
    }

    private static OwnershipVerdict Judge(RequestOwners owners, OwnerShare[] shares, int count, double? percentile, string what)
    {
        OwnerShare first = shares.MaxBy(s => s.Share);
        OwnershipVerdict verdict = new()
        {
            Owner = Owner.CannotTell,
            Because = Undecided(owners, shares, first, what),
            Count = count,
            AbovePercentile = percentile,
            Shares = shares,
        };
        if (first.Low <= Majority)
        {
            return verdict;
        }

        if (first.Owner == Owner.Network && Doubt(owners, shares.Sum(s => s.MeanNs), percentile is not null) is { } doubt)
        {
            return verdict with { Because = doubt };
        }

        return verdict with
        {
            Owner = first.Owner,
            Because = $"The {Name(first.Owner)} accounts for {first.Share:0 %}{Format.Between($"{first.Low:0 %}", $"{first.High:0 %}")} of the {what}.",
        };
    }

    /// <summary>The largest share, and how long a measurement must be to decide: an interval narrows with the square root of the time.</summary>
    private static string Undecided(RequestOwners owners, OwnerShare[] shares, OwnerShare first, string what)
    {
        if (shares.All(s => s.Share <= 0))
        {
            return $"No part of the {what} could be assigned to client, server or network.";
        }

        double above = first.Share - Majority;
        double times = above > 0 ? Headroom * Math.Pow((first.Share - first.Low) / above, 2) : double.PositiveInfinity;
        string longer = times > MostTimesLonger ? "a longer measurement would hardly change that"
            : owners.Measured > TimeSpan.Zero ? $"if nothing changes, measuring for {Duration(times * owners.Measured.TotalSeconds)} would settle it"
            : $"if nothing changes, measuring {Math.Ceiling(times):0} times as long would settle it";
        return $"It is uncertain which end, or the network, accounts for more than half of the {what}. The largest share is that of the {Name(first.Owner)}: "
            + $"{first.Share:0 %}{Format.Between($"{first.Low:0 %}", $"{first.High:0 %}")}; {longer}.";
    }

    /// <summary>A time to measure for, rounded up to what one would type.</summary>
    private static string Duration(double seconds)
    {
        (double unit, string name) = seconds switch { <= 60 => (1, "s"), <= 3600 => (60, "min"), _ => (3600, "h") };
        return $"{Math.Ceiling(seconds / unit):0} {name}";
    }

    /// <summary>The network's time is the time that remains. It is certainly the network's only where the waits of both ends are known.</summary>
    private static string? Doubt(RequestOwners owners, double meanNs, bool isTail)
    {
        if (owners.ClientBy is null)
        {
            return "The remaining time would be the network's, but it is unknown how long the measuring thread waited for a processor.";
        }

        if (!owners.MachineFull)
        {
            return null;
        }

        if (owners.ServerBy is null)
        {
            return "The remaining time would be the network's, but the processors of one end were nearly all busy. It is unknown how long the server's "
                + "thread waited for a processor.";
        }

        // Where the threads' own waits are known, late threads seldom explain the usual time; the kernel's threads may still explain its tail.
        bool ownThreads = owners is { ClientBy: RequestOwners.RunQueue, ServerBy: RequestOwners.RunQueue };
        double delayNs = isTail ? owners.HostDelayNs : ownThreads ? 0 : owners.HostMedianDelayNs;
        return delayNs > meanNs / 2
            ? "The remaining time would be the network's, but the processors of one end were nearly all busy. Threads started up to "
                + $"{delayNs / 1e6:0.0} ms late, and the kernel's own network work may have waited as well without being seen."
            : null;
    }

    private static string Name(Owner owner) => owner == Owner.Tcp ? "wait of TCP itself at the ends" : owner.ToString().ToLowerInvariant();
}
