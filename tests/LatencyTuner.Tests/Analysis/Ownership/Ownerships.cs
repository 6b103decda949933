using LatencyTuner.Core.Analysis.Ownership;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Tests.Measurement;
using Xunit;

namespace LatencyTuner.Tests.Analysis.Ownership;

/// <summary>Whose time it is, on simulated requests whose owner is known.</summary>
public sealed class Ownerships
{
    private const double Ms = 1e6;

    private static readonly HostUse Calm = new() { Processors = 4, MachineBusyShare = 0.2, DelayCount = 1000, DelayP50Ns = 5_000, DelayP99Ns = 90_000 };

    /// <summary>Late send, service, residence, client wait and server wait of one request, all in nanoseconds.</summary>
    private readonly record struct Drawn(double Late, double Service, double Residence, double ClientWait, double ServerWait);

    private static Drawn Usual(Random random) => new(0, (0.2 + (0.02 * random.NextDouble())) * Ms, 0.004 * Ms, 0, 0);

    private static double Exponential(Random random, double mean) => -mean * Math.Log(1 - random.NextDouble());

    /// <summary>A wait of the measuring thread; half a tenth of it goes by unseen, as the kernel's own work does.</summary>
    private static Drawn ClientHog(Random random)
    {
        Drawn usual = Usual(random);
        double wait = random.NextDouble() < 0.04 ? Exponential(random, 4 * Ms) : 0;
        return usual with { Service = usual.Service + (1.05 * wait), ClientWait = wait };
    }

    private static Drawn ServerHog(Random random)
    {
        Drawn usual = Usual(random);
        double wait = random.NextDouble() < 0.04 ? Exponential(random, 4 * Ms) : 0;
        return usual with { Service = usual.Service + (1.05 * wait), ServerWait = wait };
    }

    private static Drawn ServerThink(Random random)
    {
        Drawn usual = Usual(random);
        double think = random.NextDouble() < 0.03 ? Exponential(random, 20 * Ms) : 0;
        return usual with { Service = usual.Service + think, Residence = usual.Residence + think };
    }

    private static Drawn LinkDelay(Random random)
    {
        Drawn usual = Usual(random);
        // Delay in one request of thirty, now and then a retransmission timeout.
        double delay = random.NextDouble() < 0.03 ? Exponential(random, 5 * Ms) + (random.NextDouble() < 0.1 ? 200 * Ms : 0) : 0;
        double wait = random.NextDouble() < 0.01 ? 0.05 * Ms : 0;
        return usual with { Service = usual.Service + delay + wait, ClientWait = wait };
    }

    private static Drawn LateSends(Random random)
    {
        Drawn usual = Usual(random);
        double late = random.NextDouble() < 0.05 ? Exponential(random, 6 * Ms) : 0.002 * Ms;
        // The wait for the processor before the send is both: it must count once.
        return usual with { Late = late, ClientWait = late };
    }

    private static Drawn Halves(Random random) => random.NextDouble() < 0.5 ? ClientHog(random) : ServerThink(random);

    private static RequestOwners Requests(Func<Random, Drawn> draw, int seed, int n = 3000)
    {
        Random random = new(seed);
        return new RequestOwners
        {
            Requests =
                [.. Enumerable.Range(0, n).Select(_ => draw(random)).Select(d => RequestOwners.Of(d.Late, d.Service, d.Residence, d.ClientWait, d.ServerWait))],
            ClientBy = RequestOwners.RunQueue,
            ServerBy = RequestOwners.RunQueue,
        };
    }

    private static void RightInNearlyAll(Func<Random, Drawn> draw, Owner owner, int n)
    {
        Owner[] told = [.. Enumerable.Range(1, 100).Select(seed => OwnershipRules.Tail(Requests(draw, seed, n), seed).Owner)];

        Assert.True(told.Count(o => o == owner) >= 99, string.Join(", ", told.GroupBy(o => o).Select(g => $"{g.Key} {g.Count()}")));
    }

    [Theory]
    [InlineData(3000)]
    [InlineData(20_000)]
    public void Tail_OfAHogAtTheClient(int n) => RightInNearlyAll(ClientHog, Owner.Client, n);

    [Fact]
    public void Tail_OfLateSends() => RightInNearlyAll(LateSends, Owner.Client, 3000);

    [Fact]
    public void Tail_OfAHogAtTheServer() => RightInNearlyAll(ServerHog, Owner.Server, 3000);

    [Fact]
    public void Tail_OfAServerThatThinksNowAndThen() => RightInNearlyAll(ServerThink, Owner.Server, 3000);

    [Fact]
    public void Tail_OfTheLink() => RightInNearlyAll(LinkDelay, Owner.Network, 3000);

    [Fact]
    public void Tail_OfTwoInEqualParts_IsNotToldToBeOnesOwn()
    {
        // One that waits as long as the other thinks, as often: who has more of it is chance.
        Drawn Equal(Random random) => random.NextDouble() < 0.5 ? ClientHog(random) : ServerHog(random);
        int wrong = Enumerable.Range(1, 100).Count(seed => OwnershipRules.Tail(Requests(Equal, seed), seed).Owner is Owner.Client or Owner.Server);

        // 5 % by the interval, and some for so few blocks.
        Assert.InRange(wrong, 0, 15);
    }

    /// <summary>A client that waits in long bursts, twice as long altogether as the server: little is certain after a second, all after a minute.</summary>
    [Fact]
    public void Undecided_SaysForHowLongToMeasure()
    {
        static RequestOwners Bursts(int seed, double seconds)
        {
            Random random = new(seed);
            List<OwnedTimes> requests = [];
            for (int left = 0, n = (int)(seconds * 3000); requests.Count < n; left--)
            {
                left = left <= 0 && random.NextDouble() < 0.0003 ? 30 : left;
                Drawn usual = Usual(random);
                double wait = left > 0 ? Exponential(random, 4 * Ms) : 0;
                bool server = random.NextDouble() < 0.02;
                double think = server ? Exponential(random, 0.8 * Ms) : 0;
                requests.Add(RequestOwners.Of(0, usual.Service + wait + think, usual.Residence, wait, think));
            }

            return new RequestOwners
            {
                Requests = requests,
                ClientBy = RequestOwners.RunQueue,
                ServerBy = RequestOwners.RunQueue,
                Measured = TimeSpan.FromSeconds(seconds),
            };
        }

        int undecided = 0;
        int settled = 0;
        for (int seed = 1; seed <= 60; seed++)
        {
            OwnershipVerdict verdict = OwnershipRules.Tail(Bursts(seed, 1), seed);
            if (verdict.Owner != Owner.CannotTell
                || System.Text.RegularExpressions.Regex.Match(verdict.Because, "measuring for ([0-9]+) (s|min) would settle it") is not { Success: true } told)
            {
                continue;
            }

            double seconds = double.Parse(told.Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture) * (told.Groups[2].Value == "min" ? 60 : 1);
            Assert.InRange(seconds, 2, 3600);
            if (seconds > 30)
            {
                continue;
            }

            undecided++;
            settled += OwnershipRules.Tail(Bursts(seed + 1000, seconds), seed).Owner == Owner.CannotTell ? 0 : 1;
        }

        Assert.True(undecided >= 5, $"{undecided}");
        Assert.True(settled >= 0.7 * undecided, $"{settled} of {undecided}");
    }

    /// <summary>A hundredth of the requests waits for a timeout: too few for the 90th percentile to show, and yet most of the time.</summary>
    [Theory]
    [InlineData(1000, 16)]
    [InlineData(600, 9)]
    public void Tail_OfAFewTimeouts_IsNotDenied(int n, int lost)
    {
        int i = 0;
        Drawn Draw(Random random) => Usual(random) is var usual && i++ % (n / lost) == 5 ? usual with { Service = usual.Service + (213 * Ms) } : usual;

        OwnershipVerdict verdict = OwnershipRules.Tail(Requests(Draw, 1, n), 1);

        Assert.Equal((Owner.Network, (double?)90), (verdict.Owner, verdict.AbovePercentile));
    }

    /// <summary>A held second write on a path of 2 ms: the time is TCP's, and the network keeps its round trip.</summary>
    [Theory]
    [InlineData(200)]
    [InlineData(40)]
    public void Waits_OfTcpItself_AreNotTheNetworks(double holdMs)
    {
        static Drawn Plain(Random random) => Usual(random) is var u ? u with { Service = u.Service + (2 * Ms) } : u;
        Drawn Held(Random random) => Plain(random) is var p ? p with { Service = p.Service + ((2 + holdMs) * Ms) } : p;
        RequestOwners owners = Requests(Held, 1).WithTcpWaits((long)(2 * Ms), (long)(11 * Ms));

        OwnershipVerdict verdict = OwnershipRules.Typical(owners, 1);

        Assert.Equal(Owner.Tcp, verdict.Owner);
        Assert.StartsWith("The wait of TCP itself at the ends accounts for", verdict.Because, StringComparison.Ordinal);
        Assert.InRange(verdict.Shares.Single(s => s.Owner == Owner.Network).MeanNs, 1.9 * Ms, 2.1 * Ms);
        Assert.Equal(Requests(Held, 1).Requests.Sum(r => r.Total), owners.Requests.Sum(r => r.Total), 1.0);
        RequestOwners healthy = Requests(Plain, 1).WithTcpWaits((long)(2 * Ms), (long)(11 * Ms));
        Assert.Equal(Owner.Network, OwnershipRules.Typical(healthy, 1).Owner);
        Assert.DoesNotContain(OwnershipRules.Typical(healthy, 1).Shares, s => s.Owner == Owner.Tcp);
    }

    [Fact]
    public void Tail_OfSteadyRequests_IsNobodys()
    {
        OwnershipVerdict verdict = OwnershipRules.Tail(Requests(Usual, 1), 1);

        Assert.Equal(Owner.None, verdict.Owner);
        Rig.AssertSentence(verdict.Because);
    }

    [Theory]
    [InlineData(5, 0.2, Owner.Server)]
    [InlineData(0.01, 5, Owner.Network)]
    public void UsualTime_IsTheLargerPart(double residenceMs, double restMs, Owner owner)
    {
        Owner[] told = [.. Enumerable.Range(1, 100).Select(seed =>
        {
            Drawn Draw(Random random) => new(0, (residenceMs + restMs + (0.1 * random.NextDouble())) * Ms, residenceMs * Ms, 0, 0);
            return OwnershipRules.Typical(Requests(Draw, seed, 200), seed).Owner;
        })];

        Assert.True(told.Count(o => o == owner) >= 99);
    }

    [Fact]
    public void TooFew_CannotTell() => Assert.All(
        new[] { OwnershipRules.Typical(Requests(ClientHog, 1, 39), 1), OwnershipRules.Tail(Requests(ClientHog, 1, 99), 1) },
        v =>
        {
            Assert.Equal(Owner.CannotTell, v.Owner);
            Rig.AssertSentence(v.Because);
        });

    [Fact]
    public void Network_IsNotToldWhereTheClientsWaitsAreUnknown() =>
        Assert.Equal(Owner.CannotTell, OwnershipRules.Tail(Requests(LinkDelay, 1) with { ClientBy = null }, 1).Owner);

    [Fact]
    public void Network_IsDoubtedOnAMachineWhoseThreadsRunThatLate()
    {
        RequestOwners owners = Requests(LinkDelay, 1) with { MachineFull = true, HostDelayNs = 60 * Ms };

        Assert.Equal(Owner.CannotTell, OwnershipRules.Tail(owners, 1).Owner);
        Assert.Equal(Owner.Network, OwnershipRules.Tail(owners with { HostDelayNs = 1 * Ms }, 1).Owner);
        Assert.Equal(Owner.Client, OwnershipRules.Tail(Requests(ClientHog, 1) with { MachineFull = true, HostDelayNs = 60 * Ms }, 1).Owner);
    }

    [Fact]
    public void Owners_SumUpToTheResponse_WhateverThePeerClaims()
    {
        Random random = new(7);
        double[] claims = [-1, 0, 1, 1e6, 1e12, long.MaxValue, long.MinValue];
        for (int i = 0; i < 5000; i++)
        {
            double Claim() => claims[random.Next(claims.Length)] * random.NextDouble();
            double late = random.NextDouble() * Ms;
            double service = random.NextDouble() * 10 * Ms;
            OwnedTimes times = RequestOwners.Of(late, service, Claim(), Math.Max(Claim(), 0), Claim());

            Assert.Equal(late + service, times.Total, 1e-3);
            Assert.True(times is { Client: >= 0, Server: >= 0, Network: >= -1e-6 }, $"{times}");
        }
    }

    [Fact]
    public void StallClock_StandsInWhereTheKernelDoesNotTell()
    {
        MeasurementResult result = new(SampleResults.Target, new MeasurementPlan { Watch = true }, DateTimeOffset.UnixEpoch)
        {
            ClientHost = Calm,
            LocalStalls = [.. Enumerable.Range(0, 20).Select(i => ((long)(i * 100 * Ms), (long)((i * 100 * Ms) + (5 * Ms))))],
        };
        // One request a millisecond; those under way during a stall end with it.
        for (long t = 0; t < 2000; t++)
        {
            long start = (long)(t * Ms);
            long into = start % (long)(100 * Ms);
            result.Rows.Add(new RequestRow(start, start, start + (long)(0.2 * Ms) + (into < 5 * Ms ? (long)((5 * Ms) - into) : 0), 4000));
        }

        RequestOwners owners = RequestOwners.From(result);

        Assert.Equal((RequestOwners.StallClock, null), (owners.ClientBy, owners.ServerBy));
        Assert.Equal(Owner.Client, OwnershipRules.Tail(owners, 1).Owner);
        Assert.Equal(Owner.Network, OwnershipRules.Typical(owners, 1).Owner);
    }
}
