using System.Net;
using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement.FarEnds;

public sealed class Leases
{
    private static readonly FarEndStart Via = new("test", false, null);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(1);
    private static readonly SharedToken Token = SharedToken.Parse("a token of this test alone", "the test");
    private static readonly IPAddress Client = IPAddress.Parse("192.0.2.1");

    private static MeasuringContext Context => new(TimeProvider.System, SocketPlatform.Current, RandomNumberGenerator.Create());

    [Fact]
    public void NoClient_EndsAfterAMinute()
    {
        ManualTime time = new();
        using ServingLease lease = new(time, TimeSpan.FromMinutes(30));
        time.Advance(ServingLease.UntilClient - Tick);
        Assert.Null(lease.Because);
        time.Advance(Tick);
        Assert.Equal("No client came within 60 s.", lease.Because);
        Assert.True(lease.Ended.WaitOne(0));
        Assert.False(lease.TryEnter(Client));
    }

    [Fact]
    public void Renewals_KeepIt_AndTheLastOneEndsItAfter15S()
    {
        ManualTime time = new();
        using ServingLease lease = new(time, TimeSpan.FromHours(10));
        time.Advance(TimeSpan.FromSeconds(59));
        Assert.True(lease.TryEnter(Client));
        for (int i = 0; i < 1000; i++)
        {
            time.Advance(ServingLease.RenewEvery);
            lease.Renew();
        }

        time.Advance(ServingLease.AfterRenewal - Tick);
        Assert.Null(lease.Because);
        time.Advance(Tick);
        Assert.Equal("The client did not renew its lease for 15 s.", lease.Because);
    }

    [Fact]
    public void For_EndsItHoweverOftenItIsRenewed()
    {
        ManualTime time = new();
        using ServingLease lease = new(time, TimeSpan.FromMinutes(30));
        Assert.True(lease.TryEnter(Client));
        for (int i = 0; i < 30 * 60; i++)
        {
            Assert.Null(lease.Because);
            time.Advance(TimeSpan.FromSeconds(1));
            lease.Renew();
        }

        Assert.Equal("The time of --for, 1800 s, has passed.", lease.Because);
    }

    [Fact]
    public void OneClient_IsServed_AndNoOther()
    {
        using ServingLease lease = new(new ManualTime(), TimeSpan.FromMinutes(30));
        Assert.False(lease.Admits(Client));
        Assert.True(lease.TryEnter(Client));
        Assert.True(lease.Admits(Client));
        Assert.False(lease.Admits(IPAddress.Parse("192.0.2.2")));
        Assert.False(lease.TryEnter(IPAddress.Parse("192.0.2.2")));
    }

    [Fact]
    public void Connections_ThatBroke_DoNotAddUp()
    {
        using ServingLease lease = new(new ManualTime(), TimeSpan.FromMinutes(30));
        Assert.True(Enumerable.Range(0, 4).All(_ => lease.TryEnter(Client)));
        Assert.False(lease.TryEnter(Client));
        lease.Leave();
        Assert.True(lease.TryEnter(Client));
    }

    [Fact]
    public void Measurement_NeedsTheLease_AndItsEndEndsTheResponder()
    {
        using ServingLease lease = new(TimeProvider.System, TimeSpan.FromMinutes(1));
        using Responder responder = Serve(lease);
        MeasurementTarget target = new("far", responder.Endpoints[0], Token, IsLoopback: false);
        MeasurementPlan plan = new() { Duration = null, Count = 20, Warmup = TimeSpan.Zero };
        ExpectedFailureException refused = Assert.Throws<ExpectedFailureException>(() => PingPong.Run(target, plan, Context, CancellationToken.None));
        Assert.Contains("serves the one client that holds its lease", refused.Message, StringComparison.Ordinal);
        List<DialFailure> failures = [];
        using (FarEndLease kept = FarEndLease.Open("far", responder.Endpoints, Token, Via, Context, failures, CancellationToken.None)!)
        {
            Assert.Empty(failures);
            Assert.Equal(20, PingPong.Run(kept.Target, plan, Context, CancellationToken.None).Received);
            Assert.True(kept.IsAlive());
            Assert.Null(lease.Because);
        }

        Assert.True(lease.Ended.WaitOne(TimeSpan.FromSeconds(10)));
        Assert.Equal("The client has finished.", lease.Because);
    }

    [Fact]
    public void Responder_ThatEnds_IsNoticed()
    {
        using ServingLease lease = new(TimeProvider.System, TimeSpan.FromMinutes(1));
        Responder responder = Serve(lease);
        using FarEndLease kept = FarEndLease.Open("far", responder.Endpoints, Token, Via, Context, [], CancellationToken.None)!;
        responder.Dispose();
        lease.End();
        Assert.False(kept.IsAlive());
    }

    [Fact]
    public void WrongToken_IsAnother()
    {
        using ServingLease lease = new(TimeProvider.System, TimeSpan.FromMinutes(1));
        using Responder responder = Serve(lease);
        List<DialFailure> failures = [];
        SharedToken other = SharedToken.Parse("a token of another run", "the test");
        Assert.Null(FarEndLease.Open("far", responder.Endpoints, other, Via, Context, failures, CancellationToken.None));
        Assert.Equal(DialFailureKind.Another, Assert.Single(failures).Kind);
        Assert.True(lease.TryEnter(Client));
    }

    [Fact]
    public void Renewal_ThatIsNotSigned_RenewsNothing()
    {
        ManualTime time = new();
        using ServingLease lease = new(time, TimeSpan.FromHours(1));
        using Responder responder = Serve(lease);
        MeasurementTarget target = new("far", responder.Endpoints[0], Token, IsLoopback: false);
        using PeerConnection connection = PeerConnection.OpenLease(target, TimeSpan.FromSeconds(5), Context, CancellationToken.None);
        byte[] forged = FrameHeader.Frame(FrameType.Renewal, [0], new byte[Wire.MacSize]);
        connection.Socket.Send(forged);
        Assert.False(connection.TryRenew(last: false, TimeSpan.FromSeconds(2)));
        time.Advance(ServingLease.AfterRenewal);
        Assert.NotNull(lease.Because);
    }

    [Fact]
    public void OtherResponders_HaveNoLease()
    {
        using Responder responder = Rig.Serve();
        List<DialFailure> failures = [];
        Assert.Null(FarEndLease.Open("far", responder.Endpoints, Token, Via, Context, failures, CancellationToken.None));
        Assert.Single(failures);
        Rig.AssertServesStill(responder);
    }

    private static Responder Serve(ServingLease lease) => Responder.Start(
        new ResponderOptions { Addresses = [IPAddress.Loopback], Token = Token, Lease = lease }, TimeProvider.System, RandomNumberGenerator.Create());
}
