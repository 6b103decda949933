using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Loops;

public sealed class OpenLoops
{
    private const int StallAfter = 300;
    private const int StallMs = 205;

    // Requests that a pipelining sender sends into the stall before it ends.
    private const int SentIntoTheStall = 60;

    /// <summary>The stall ends once its time is over and, a tenth of a second before that, the sender has sent what it can: a machine that stands still
    /// makes the stall longer and changes nothing else.</summary>
    private static MeasurementResult RunWithStall(int inFlight)
    {
        int sentInto = Math.Min(inFlight - 1, SentIntoTheStall);
        using ScriptedResponder peer = new(s =>
        {
            SetupRequest setup = ScriptedResponder.ShakeHands(s);
            byte[] request = new byte[setup.RequestSize];
            for (uint i = 0; ; i++)
            {
                Rig.ReceiveExactly(s, request);
                if (i == StallAfter)
                {
                    Thread.Sleep(StallMs / 2);
                    SpinWait.SpinUntil(() => s.Available >= sentInto * request.Length, TimeSpan.FromSeconds(2));
                    Thread.Sleep(StallMs / 2 + 1);
                }

                s.Send(ScriptedResponder.Reply(setup, i));
            }
        });
        return Rig.Run(peer.Target, Rig.Patient(1000) with { RatePerSecond = 1000, InFlight = inFlight, ReplyTimeout = TimeSpan.FromSeconds(3) });
    }

    /// <summary>Request 300 + k was planned k ms after the one that met the stall, so it waited at least for the rest of it.</summary>
    private static void AssertStallChargedToAll(MeasurementResult result)
    {
        Assert.Null(result.EndedBecause);
        Assert.Equal(1000, result.Planned);
        Assert.Equal(1000, result.Sent);
        Assert.Equal(1000, result.Received);
        ReadOnlySpan<long> samples = result.FirstSamples.Span;
        for (int k = 0; k < 200; k++)
        {
            Assert.True(samples[StallAfter + k] >= (200 - k) * 1_000_000L, $"request {StallAfter + k}: {samples[StallAfter + k]} ns");
        }

        Assert.True(result.Response.Sum >= result.Service.Sum);
        Assert.Equal(result.Received, result.Service.Count);
        Assert.Equal(result.Received, result.Lateness!.Count);
    }

    [Fact]
    public void Stall_Pipelined_ResponseFallsLinearly()
    {
        MeasurementResult result = RunWithStall(4096);

        AssertStallChargedToAll(result);
        // They were sent on time, so the wait is in the service time as well.
        Assert.True(CountAbove(result.Service, 100_000_000) >= SentIntoTheStall);
    }

    [Fact]
    public void Stall_OneInFlight_LateInsteadOfLost()
    {
        MeasurementResult result = RunWithStall(1);

        AssertStallChargedToAll(result);
        // Only the request that met the stall saw it from its send on: what a closed loop would have shown.
        long service = CountAbove(result.Service, 100_000_000);
        Assert.InRange(service, 1, 20);
        Assert.True(CountAbove(result.Response, 100_000_000) >= service + 70);
        Assert.True(result.Lateness!.MaxNs >= 190_000_000);
    }

    [Theory]
    [InlineData(3000, 0.05, Arrivals.Constant)]
    [InlineData(777, 0.111, Arrivals.Constant)]
    [InlineData(2000, 0.1, Arrivals.Poisson)]
    public void Warmup_AnyRate_ExactlyThePlannedOnesCounted(double rate, double warmup, Arrivals arrivals)
    {
        using Responder responder = Rig.Serve();
        MeasurementPlan plan = Rig.Patient(1) with
        {
            RatePerSecond = rate,
            Arrivals = arrivals,
            Count = null,
            Duration = TimeSpan.FromMilliseconds(250),
            Warmup = TimeSpan.FromSeconds(warmup),
            Connections = 2,
        };

        MeasurementResult result = Rig.Run(Rig.TargetOf(responder), plan);

        Assert.True(result.Complete, result.EndedBecause);
        Assert.Equal((long)(rate * 0.25), result.Planned);
        Assert.Equal(result.Planned, result.Sent);
        Assert.Equal(result.Planned, result.Received);
        Assert.Equal(result.Planned + (long)(rate * warmup), result.Exchanges);
        Assert.Equal(0, result.Response.NegativeCount);
        Assert.Equal(0, result.Lateness!.NegativeCount);
    }

    private static long CountAbove(LatencyHistogram histogram, long ns) => histogram.Count - histogram.CountAtOrBelow(ns);
}
