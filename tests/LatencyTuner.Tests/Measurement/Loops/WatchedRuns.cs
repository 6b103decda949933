using System.Buffers.Binary;
using LatencyTuner.Core.Analysis.Ownership;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Reporting.Measurement;
using LatencyTuner.Core.Reporting.Model;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Loops;

/// <summary>Measurements that keep single requests and watch both machines.</summary>
public sealed class WatchedRuns
{
    private static MeasurementPlan Plan(int count, double? rate = null) => Rig.Patient(count) with { Watch = true, RatePerSecond = rate };

    [Theory]
    [InlineData(null)]
    [InlineData(2000.0)]
    public void Requests_AreKeptWithWhatBothEndsTell(double? rate)
    {
        using Responder responder = Rig.Serve();

        MeasurementResult result = Rig.Run(Rig.TargetOf(responder), Plan(500, rate));

        Assert.True(result.Complete, result.EndedBecause);
        Assert.Equal(500, result.Rows.Count);
        Assert.True(result.Rows.Zip(result.Rows.Skip(1)).All(p => p.First.Planned <= p.Second.Planned));
        Assert.All(result.Rows, r => Assert.True(r.Sent >= r.Planned && r.Received >= r.Sent));
        Assert.Equal(result.Response.MaxNs, result.Rows.Max(r => (r.Received - r.Planned) * 1e9 / TimeProvider.System.TimestampFrequency), 1.0);
        Assert.True(result.ClientHost is { DelayCount: > 0 } && result.ServerHost is { Processors: > 0 });
        RequestOwners owners = RequestOwners.From(result);
        Assert.Equal(SocketPlatform.Current.ReadRunDelayNs() is null ? RequestOwners.StallClock : RequestOwners.RunQueue, owners.ClientBy);
        Assert.NotNull(owners.ServerBy);
        Rig.AssertSettles(responder);
    }

    [Fact]
    public void NotWatched_KeepsAndAsksNothing()
    {
        using Responder responder = Rig.Serve();

        MeasurementResult result = Rig.Run(Rig.TargetOf(responder), Plan(50) with { Watch = false });

        Assert.Empty(result.Rows);
        Assert.True(result is { ClientHost: null, ServerHost: null });
    }

    [Fact]
    public void ServerThatThinks_OwnsTheUsualTime()
    {
        using Responder responder = Rig.Serve();
        MeasurementPlan plan = Plan(60) with { Workload = new Workload { NoDelay = true, PeerNoDelay = true, PeerThink = TimeSpan.FromMilliseconds(5) } };

        AttributionFigures attribution = MeasurementReportBuilder.From(Rig.Run(Rig.TargetOf(responder), plan), SampleResults.Tool).Attribution;

        Assert.Equal(Owner.Server, attribution.Typical!.Owner);
        Assert.Equal(1, attribution.Typical.Shares.Sum(s => s.Share), 0.001);
    }

    [Fact]
    public void OlderResponder_TellsNoWaits()
    {
        using ScriptedResponder responder = new(socket =>
        {
            SetupRequest setup = ScriptedResponder.ShakeHands(socket);
            Assert.True(setup.Watch);
            ScriptedResponder.Answer(socket, setup, 200);
            Rig.SendFrame(socket, FrameType.Result, ScriptedResponder.Result(200, 12_800).Write());
        });

        MeasurementResult result = Rig.Run(responder.Target, Plan(200));

        Assert.Null(RequestOwners.From(result).ServerBy);
        Assert.Null(result.ServerHost);
        Assert.All(result.Rows, r => Assert.Equal((-1, -1), (r.ServerWaitNs, r.ServerStallNs)));
    }

    [Fact]
    public void Waits_ThatRunBackwardsOrAreAbsurd_HarmNothing()
    {
        Random random = new(3);
        using ScriptedResponder responder = new(socket =>
        {
            SetupRequest setup = ScriptedResponder.ShakeHands(socket);
            byte[] request = new byte[setup.RequestSize];
            for (uint i = 0; i < 300; i++)
            {
                Rig.ReceiveExactly(socket, request);
                byte[] reply = ScriptedResponder.Reply(setup, i);
                BinaryPrimitives.WriteUInt32LittleEndian(reply.AsSpan(Wire.ReplyHeaderSize), Wire.WaitsMagic);
                random.NextBytes(reply.AsSpan(Wire.ReplyHeaderSize + 8, 16));
                BinaryPrimitives.WriteInt64LittleEndian(reply.AsSpan(8), random.NextInt64(long.MinValue, long.MaxValue));
                socket.Send(reply);
            }

            Rig.SendFrame(socket, FrameType.Result, ScriptedResponder.Result(300, 19_200).Write());
        });

        MeasurementResult result = Rig.Run(responder.Target, Plan(300));

        Assert.True(result.Complete, result.EndedBecause);
        RequestOwners owners = RequestOwners.From(result);
        foreach ((RequestRow row, OwnedTimes times) in result.Rows.Zip(owners.Requests))
        {
            Assert.Equal((row.Received - row.Planned) * 1e9 / TimeProvider.System.TimestampFrequency, times.Total, 1.0);
        }
    }

    [Fact]
    public void Log_KeepsAUniformSampleOfALongRun()
    {
        RequestLog log = new(1000, 1, TimeProvider.System, SocketPlatform.Current);
        for (long i = 0; i < 50_000; i++)
        {
            log.Add(i, i, i + 1, 0, []);
        }

        RequestRow[] rows = log.Rows();

        Assert.Equal(50_000, log.Seen);
        Assert.Equal(1000, rows.Length);
        Assert.Equal(1000, rows.Distinct().Count());
        // The mean of a uniform sample of 0 to 49,999, four standard errors around.
        Assert.InRange(rows.Average(r => r.Planned), 25_000 - (4 * 457), 25_000 + (4 * 457));
    }

    [Fact]
    public void ServersWait_ComesWithTheReplyAfter()
    {
        RequestLog log = new(10, 1, TimeProvider.System, SocketPlatform.Current);
        byte[] stamp = new byte[Wire.WaitsHeaderSize];
        BinaryPrimitives.WriteUInt32LittleEndian(stamp.AsSpan(Wire.ReplyHeaderSize), Wire.WaitsMagic);
        foreach (long total in new[] { 1000L, 1000, 4000, 4500 })
        {
            BinaryPrimitives.WriteInt64LittleEndian(stamp.AsSpan(Wire.ReplyHeaderSize + 8), total);
            BinaryPrimitives.WriteInt64LittleEndian(stamp.AsSpan(Wire.ReplyHeaderSize + 16), 2 * total);
            log.Add(total, total, total + 1, 0, stamp);
        }

        RequestRow[] rows = log.Rows();

        Assert.Equal([0, 3000, 500, -1], rows.Select(r => r.ServerWaitNs));
        Assert.Equal([0, 6000, 1000, -1], rows.Select(r => r.ServerStallNs));
    }
}
