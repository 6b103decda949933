using LatencyTuner.Lab;
using Xunit;

namespace LatencyTuner.Tests.Lab;

[Collection(LabTests.Name)]
public sealed class TcpFrames
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryParse_ReadsWhatWasWritten(bool isIPv6)
    {
        byte[] frame = Frames.Tcp(LabHost.Client, 4_000_000_000, 77, 33, TcpControl.Ack | TcpControl.Fin, 50123, isIPv6);
        Assert.True(TcpFrame.TryParse(frame, out TcpFrame tcp));
        Assert.Equal((50123, 7117), (tcp.SourcePort, tcp.DestinationPort));
        Assert.Equal((4_000_000_000u, 77u, 33, 4_000_000_034u), (tcp.Sequence, tcp.Acknowledgement, tcp.PayloadLength, tcp.EndSequence));
        Assert.Equal(TcpControl.Ack | TcpControl.Fin, tcp.Flags);
        Assert.NotEqual(tcp.Source, tcp.Destination);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryParse_TruncatedAnywhere_IsNoSegment(bool isIPv6)
    {
        byte[] frame = Frames.Tcp(LabHost.Client, 1, 2, 40, isIPv6: isIPv6);
        for (int length = 0; length < frame.Length; length++)
        {
            Assert.False(TcpFrame.TryParse(frame.AsSpan(0, length), out _), $"{length} bytes");
        }
    }

    [Fact]
    public void TryParse_EthernetPadding_IsNotPayload()
    {
        byte[] frame = [.. Frames.Tcp(LabHost.Client, 1, 2), .. new byte[6]];
        Assert.True(TcpFrame.TryParse(frame, out TcpFrame tcp));
        Assert.Equal(0, tcp.PayloadLength);
    }

    [Fact]
    public void Core_AnyBytes_NeverThrowAndNothingStaysInside()
    {
        Random random = new(20261120);
        FramePool pool = new(2048);
        LinkSpec spec = new() { DelayMs = 1 };
        AckHoldSpec hold = new() { TimerMs = 40 };
        EmulatorCore core = new(new LinkEmulatorOptions { ClientToServer = spec, ServerToClient = spec, ClientHold = hold, ServerHold = hold }, pool);
        long arrived = 0;
        core.Arrived = (_, _, _) => arrived++;
        long now = 0;
        const int Count = 100_000;
        for (int i = 0; i < Count; i++)
        {
            byte[] frame;
            if (i % 2 == 0)
            {
                frame = new byte[random.Next(0, 200)];
                random.NextBytes(frame);
            }
            else
            {
                frame = Frames.Tcp(
                    (LabHost)(i / 2 % 2), (uint)random.Next(3000), (uint)random.Next(3000), random.Next(60), (TcpControl)random.Next(32), 50000, i % 3 == 0);
                for (int flips = random.Next(4); flips > 0; flips--)
                {
                    frame[random.Next(frame.Length)] = (byte)random.Next(256);
                }

                frame = frame[..random.Next(frame.Length / 2, frame.Length + 1)];
            }

            core.FromHost((LabHost)random.Next(2), pool.Rent(frame), now);
            core.Advance(now += random.Next(100_000));
        }

        core.Advance(now + 1_000_000_000);
        core.Advance(now + 2_000_000_000);
        Assert.Equal(long.MaxValue, core.NextDueNs);
        Assert.InRange(arrived, Count / 2, Count);
    }
}
