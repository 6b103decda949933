using LatencyTuner.Lab;
using Xunit;

namespace LatencyTuner.Tests.Lab;

[Collection(LabTests.Name)]
public sealed class AckHoldStages
{
    private const long Ms = 1_000_000;
    private readonly FramePool _pool = new(2048);
    private AckHoldStage _stage;

    public AckHoldStages() => _stage = new AckHoldStage(new AckHoldSpec { TimerMs = 200 }, _pool);

    [Fact]
    public void LoneSegment_IsAcknowledgedWhenTheTimerRunsOut()
    {
        Handshake();
        Data(1000, 100, 10 * Ms);
        Assert.False(Ack(1100, 10 * Ms + 5));
        Assert.Equal(210 * Ms, _stage.NextDueNs);
        Assert.False(_stage.TryRelease(210 * Ms - 1, out _));
        Assert.True(_stage.TryRelease(210 * Ms, out FrameBuffer? frame));
        Assert.Equal(1100u, frame.Tcp.Acknowledgement);
        Assert.Equal(long.MaxValue, _stage.NextDueNs);
        Assert.Equal((1, 1), (_stage.Held, _stage.Expired));
    }

    [Fact]
    public void EveryLoneSegment_IsHeldAgain()
    {
        Handshake();
        for (uint i = 0; i < 5; i++)
        {
            Data(1000 + i * 100, 100, i * 1000 * Ms);
            Assert.False(Ack(1100 + i * 100, i * 1000 * Ms));
            Assert.True(_stage.TryRelease(i * 1000 * Ms + 200 * Ms, out _));
        }

        Assert.Equal(5, _stage.Expired);
    }

    [Fact]
    public void SecondSegment_IsAcknowledgedAtOnceAndOnce()
    {
        Handshake();
        Data(1000, 100, 0);
        Assert.False(Ack(1100, 0));
        Data(1100, 100, Ms);
        Assert.True(Ack(1200, Ms));
        Assert.Equal(long.MaxValue, _stage.NextDueNs);
        Data(1200, 100, 2 * Ms);
        Assert.False(Ack(1300, 2 * Ms));
        Assert.Equal(202 * Ms, _stage.NextDueNs);
    }

    [Fact]
    public void SegmentsDeliveredBeforeTheirAcks_EverySecondAckLeaves()
    {
        Handshake();
        for (uint i = 0; i < 6; i++)
        {
            Data(1000 + i * 100, 100, 0);
        }

        bool[] left = [.. Enumerable.Range(1, 6).Select(i => Ack(1000 + (uint)i * 100, Ms))];
        Assert.Equal([false, true, false, true, false, true], left);
    }

    [Fact]
    public void DataOfTheHost_LeavesAtOnceAndCancelsTheHeldAck()
    {
        Handshake();
        Data(1000, 100, 0);
        Assert.False(Ack(1100, 0));
        Assert.True(Send(Frames.Tcp(LabHost.Server, 5001, 1100, payload: 50), Ms));
        Assert.Equal(long.MaxValue, _stage.NextDueNs);
        Assert.Equal((1, 0), (_stage.Held, _stage.Expired));
    }

    [Fact]
    public void OlderDataOfTheHost_DoesNotCancelTheHeldAck()
    {
        Handshake();
        Data(1000, 100, 0);
        Assert.False(Ack(1100, 0));
        Assert.True(Send(Frames.Tcp(LabHost.Server, 5001, 1000, payload: 50), Ms));
        Assert.Equal(200 * Ms, _stage.NextDueNs);
    }

    [Fact]
    public void DuplicateAckAndWindowUpdate_AreNotHeld()
    {
        Handshake();
        Assert.True(Ack(1000, 0));
        Data(1000, 100, 0);
        Assert.False(Ack(1100, 0));
        Assert.True(Send(Frames.Tcp(LabHost.Server, 5001, 1100, window: 900), Ms));
        Assert.Equal(long.MaxValue, _stage.NextDueNs);
    }

    [Fact]
    public void Gap_DuplicateAckAndFillingAckLeaveAtOnce()
    {
        Handshake();
        Data(1100, 100, 0);
        Assert.True(Ack(1000, 0));
        Data(1000, 100, Ms);
        Assert.True(Ack(1200, Ms));
    }

    [Fact]
    public void Retransmission_IsAnsweredAtOnce()
    {
        Handshake();
        Data(1000, 100, 0);
        Assert.False(Ack(1100, 0));
        Data(1000, 100, 100 * Ms);
        Assert.True(Ack(1100, 100 * Ms));
        Assert.Equal(long.MaxValue, _stage.NextDueNs);
    }

    [Theory]
    [InlineData(TcpControl.Ack | TcpControl.Fin)]
    [InlineData(TcpControl.Ack | TcpControl.Syn)]
    [InlineData(TcpControl.Ack | TcpControl.Rst)]
    public void ControlSegments_AreNeverHeld(TcpControl control)
    {
        Handshake();
        Data(1000, 100, 0);
        Assert.True(Send(Frames.Tcp(LabHost.Server, 5001, 1100, control: control), 0));
    }

    [Fact]
    public void FinOfThePeer_IsAcknowledgedAtOnce()
    {
        Handshake();
        Deliver(Frames.Tcp(LabHost.Client, 1000, 5001, control: TcpControl.Ack | TcpControl.Fin), 0);
        Assert.True(Ack(1001, 0));
    }

    [Fact]
    public void Connections_DoNotInfluenceEachOther()
    {
        Handshake(50000);
        Handshake(50001);
        Data(1000, 100, 0, 50000);
        Assert.False(Ack(1100, 0, 50000));
        Data(1000, 100, 30 * Ms, 50001);
        Assert.False(Ack(1100, 30 * Ms, 50001));
        Assert.True(Send(Frames.Tcp(LabHost.Server, 5001, 1100, payload: 9, clientPort: 50000), 40 * Ms));
        Assert.Equal(230 * Ms, _stage.NextDueNs);
        Assert.True(_stage.TryRelease(230 * Ms, out FrameBuffer? frame));
        Assert.Equal(50001, frame.Tcp.DestinationPort);
    }

    [Fact]
    public void ReusedPort_StartsAnew()
    {
        Handshake();
        Data(1000, 100, 0);
        Assert.False(Ack(1100, 0));
        Handshake();
        Assert.Equal(long.MaxValue, _stage.NextDueNs);
        Data(1000, 100, 5 * Ms);
        Assert.False(Ack(1100, 5 * Ms));
        Assert.Equal(205 * Ms, _stage.NextDueNs);
    }

    [Fact]
    public void SequenceNumbers_Wrap()
    {
        Deliver(Frames.Tcp(LabHost.Client, uint.MaxValue - 50, 0, control: TcpControl.Syn), 0);
        Assert.True(Send(Frames.Tcp(LabHost.Server, 5000, uint.MaxValue - 49, control: TcpControl.Syn | TcpControl.Ack), 0));
        Data(uint.MaxValue - 49, 100, 0);
        Assert.False(Ack(50, 0));
        Data(50, 100, Ms);
        Assert.True(Ack(150, Ms));
    }

    [Theory]
    [InlineData(0, 200)]
    [InlineData(1, 200)]
    [InlineData(99, 200)]
    [InlineData(100, 300)]
    [InlineData(250, 400)]
    public void Tick_AckLeavesOnTheTickAtMostTheTimerLater(int arrivalMs, int dueMs)
    {
        _stage = new AckHoldStage(new AckHoldSpec { TimerMs = 200, TickMs = 100 }, _pool);
        Handshake();
        Data(1000, 100, arrivalMs * Ms);
        Assert.False(Ack(1100, arrivalMs * Ms));
        Assert.Equal(dueMs * Ms, _stage.NextDueNs);
    }

    [Fact]
    public void SegmentsPerAck_One_DisablesAndFourCoversFour()
    {
        _stage = new AckHoldStage(new AckHoldSpec { TimerMs = 200, SegmentsPerAck = 1 }, _pool);
        Handshake();
        Data(1000, 100, 0);
        Assert.True(Ack(1100, 0));
        _stage = new AckHoldStage(new AckHoldSpec { TimerMs = 200, SegmentsPerAck = 4 }, _pool);
        Handshake();
        for (uint i = 1; i <= 4; i++)
        {
            Data(900 + i * 100, 100, i * Ms);
            Assert.Equal(i == 4, Ack(1000 + i * 100, i * Ms));
            Assert.Equal(i == 4 ? long.MaxValue : 201 * Ms, _stage.NextDueNs);
        }
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(-1, 0)]
    [InlineData(double.NaN, 0)]
    [InlineData(200, 201)]
    public void Spec_OutOfRangeIsRefused(double timer, double tick) => Assert.Throws<ArgumentOutOfRangeException>(
        () => new AckHoldStage(new AckHoldSpec { TimerMs = timer, TickMs = tick }, _pool));

    private void Handshake(ushort port = 50000)
    {
        Deliver(Frames.Tcp(LabHost.Client, 999, 0, control: TcpControl.Syn, clientPort: port), 0);
        Assert.True(Send(Frames.Tcp(LabHost.Server, 5000, 1000, control: TcpControl.Syn | TcpControl.Ack, clientPort: port), 0));
    }

    private void Data(uint sequence, int length, long now, ushort port = 50000) =>
        Deliver(Frames.Tcp(LabHost.Client, sequence, 5001, length, clientPort: port), now);

    private bool Ack(uint number, long now, ushort port = 50000) => Send(Frames.Tcp(LabHost.Server, 5001, number, clientPort: port), now);

    private void Deliver(byte[] frame, long now) => _stage.OnDelivered(_pool.Rent(frame), now);

    private bool Send(byte[] frame, long now) => _stage.OnSent(_pool.Rent(frame), now);
}
