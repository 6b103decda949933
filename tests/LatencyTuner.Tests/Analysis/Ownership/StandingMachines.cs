using LatencyTuner.Core.Analysis.Ownership;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Scheduling;
using Xunit;

namespace LatencyTuner.Tests.Analysis.Ownership;

/// <summary>
/// Whose time it is where the machine itself stood, which no run queue tells of a thread that sleeps: on simulated closed loops like the
/// one in the lab that could not be told, where a hypervisor took the processors for 50 ms beside a hog at the client.
/// </summary>
public sealed class StandingMachines
{
    private const double Ms = 1e6;

    /// <summary>A closed loop of a second; each request may wait, and be held up by a machine that stands.</summary>
    private sealed class Loop
    {
        private readonly List<RequestRow> _rows = [];
        private readonly List<(long Start, long End)> _stalls = [];

        internal long Now { get; private set; }

        internal MeasurementResult Result => new(SampleResults.Target, new MeasurementPlan { Watch = true }, DateTimeOffset.UnixEpoch)
        {
            ClientHost = new HostUse { Processors = 2, MachineBusyShare = 0.8, DelayCount = 1000, DelayP50Ns = 40_000, DelayP99Ns = 9_000_000 },
            LocalStalls = _stalls,
            Elapsed = TimeSpan.FromSeconds(1),
        };

        internal MeasurementResult End()
        {
            MeasurementResult result = Result;
            result.Rows.AddRange(_rows);
            return result;
        }

        /// <summary>One request.</summary>
        /// <param name="pathMs">The way there and back.</param>
        /// <param name="queuedMs">Wait of the measuring thread in its run queue.</param>
        /// <param name="stoodMs">The machine stands when the reply arrives, for so long.</param>
        /// <param name="stoodOnTheWayMs">The machine stands in the middle of the way, and nobody waits for it.</param>
        internal void Ask(double pathMs, double queuedMs = 0, double stoodMs = 0, double stoodOnTheWayMs = 0)
        {
            long arrived = Now + (long)(pathMs * Ms);
            if (stoodMs > 0)
            {
                _stalls.Add((arrived - (long)(0.02 * Ms), arrived + (long)(stoodMs * Ms)));
            }

            if (stoodOnTheWayMs > 0)
            {
                _stalls.Add((Now + (long)(0.2 * pathMs * Ms), Now + (long)(((0.2 * pathMs) + stoodOnTheWayMs) * Ms)));
            }

            long received = arrived + (long)((stoodMs + queuedMs) * Ms) + 20_000;
            _rows.Add(new RequestRow(Now, Now, received, 0, (long)(queuedMs * Ms), 0, 0));
            Now = received + 10_000;
        }

        internal void LastRequest(double pathMs, double heldMs) =>
            _rows.Add(new RequestRow(Now, Now, Now + (long)((pathMs + heldMs) * Ms), 0, 0));
    }

    private static MeasurementResult Hogged(int seed, bool stood)
    {
        Random random = new(seed);
        Loop loop = new();
        long taken = (long)(random.NextDouble() * 900 * Ms);
        while (loop.Now < 1000 * Ms)
        {
            bool now = loop.Now >= taken;
            double queued = random.NextDouble() < 0.003 ? 2 + (8 * random.NextDouble()) : 0.1 * random.NextDouble();
            loop.Ask(0.07, queued, now && stood ? 50 + (50 * random.NextDouble()) : 0);
            taken = now ? long.MaxValue : taken;
        }

        return loop.End();
    }

    private static Owner TailOf(MeasurementResult result, int seed) => OwnershipRules.Tail(RequestOwners.From(result), seed).Owner;

    [Fact]
    public void HogAndAProcessorTakenAway_AreTheClients()
    {
        int right = 0;
        int rightWithoutTheStallClock = 0;
        for (int seed = 1; seed <= 100; seed++)
        {
            MeasurementResult result = Hogged(seed, stood: true);
            right += TailOf(result, seed) == Owner.Client ? 1 : 0;
            result.LocalStalls = [];
            rightWithoutTheStallClock += TailOf(result, seed) == Owner.Client ? 1 : 0;
        }

        Assert.InRange(right, 99, 100);
        // It is the stall clock that tells.
        Assert.InRange(rightWithoutTheStallClock, 0, 90);
    }

    [Fact]
    public void MachineThatStandsWhileTheReplyIsUnderWay_DelaysNothing()
    {
        Random random = new(1);
        Loop loop = new();
        for (int i = 0; i < 400; i++)
        {
            loop.Ask(5 + random.NextDouble() + (i % 6 == 0 ? 10 : 0), stoodOnTheWayMs: i % 2 == 0 ? 3 : 0);
        }

        RequestOwners owners = RequestOwners.From(loop.End());

        Assert.All(owners.Requests, r => Assert.InRange(r.Client, 0, 0.001 * Ms));
        Assert.Equal((Owner.Network, Owner.Network), (OwnershipRules.Typical(owners, 1).Owner, OwnershipRules.Tail(owners, 1).Owner));
    }

    [Fact]
    public void LinkDelay_BesideAMachineThatStandsNowAndThen_IsTheNetworks()
    {
        int right = Enumerable.Range(1, 100).Count(seed =>
        {
            Random random = new(seed);
            Loop loop = new();
            while (loop.Now < 1000 * Ms)
            {
                loop.Ask(5 + (0.2 * random.NextDouble()), 0.05 * random.NextDouble(), random.NextDouble() < 0.05 ? 8 * random.NextDouble() : 0);
            }

            return OwnershipRules.Typical(RequestOwners.From(loop.End()), seed).Owner == Owner.Network;
        });

        Assert.InRange(right, 99, 100);
    }

    [Fact]
    public void LastRequest_OfWhoseServerNobodyTold_IsLeftOut()
    {
        Random random = new(1);
        Loop loop = new();
        while (loop.Now < 100 * Ms)
        {
            loop.Ask(0.07, random.NextDouble() < 0.15 ? 1 + random.NextDouble() : 0);
        }

        int told = loop.End().Rows.Count;
        loop.LastRequest(0.07, 200);
        RequestOwners owners = RequestOwners.From(loop.End());

        Assert.Equal(told, owners.Requests.Count);
        Assert.Equal(Owner.Client, OwnershipRules.Tail(owners, 1).Owner);
    }

    [Fact]
    public void FewRequests_AreKeptWhateverIsToldOfThem()
    {
        Loop loop = new();
        for (int i = 0; i < 39; i++)
        {
            loop.Ask(1);
        }

        loop.LastRequest(1, 0);

        Assert.Equal(40, RequestOwners.From(loop.End()).Requests.Count);
    }
}
