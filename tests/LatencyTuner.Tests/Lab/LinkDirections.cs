using LatencyTuner.Lab;
using Xunit;

namespace LatencyTuner.Tests.Lab;

[Collection(LabTests.Name)]
public sealed class LinkDirections
{
    private const long Ms = 1_000_000;

    [Fact]
    public void Delay_IsAddedExactly()
    {
        LinkDirection link = new(new LinkSpec { DelayMs = 2.5 }, 1);
        Assert.Null(link.Send(100, true, 7, out long due));
        Assert.Equal(2_500_007, due);
    }

    [Fact]
    public void Rate_SpacesFramesBySerialisationTime()
    {
        LinkDirection link = new(new LinkSpec { RateBitsPerSecond = 10_000_000, DelayMs = 1 }, 1);
        for (int i = 1; i <= 10; i++)
        {
            Assert.Null(link.Send(1250, true, 0, out long due));
            Assert.Equal((i + 1) * Ms, due);
        }
    }

    [Fact]
    public void Queue_DropsWhatDoesNotFitAndDrains()
    {
        LinkDirection link = new(new LinkSpec { RateBitsPerSecond = 10_000_000, QueueBytes = 5000 }, 1);
        for (int i = 0; i < 4; i++)
        {
            Assert.Null(link.Send(1250, true, 0, out _));
        }

        Assert.Equal(DropReason.QueueFull, link.Send(1250, true, 0, out _));
        Assert.Null(link.Send(1250, true, Ms, out long due));
        Assert.Equal(5 * Ms, due);
    }

    [Fact]
    public void Loss_HitsOnlyPayloadAndIsRepeatable()
    {
        LinkSpec spec = new() { Loss = 0.01 };
        (LinkDirection? a, LinkDirection? b) = (new LinkDirection(spec, 5), new LinkDirection(spec, 5));
        int lost = 0;
        for (int i = 0; i < 100_000; i++)
        {
            DropReason? reason = a.Send(100, true, i, out _);
            Assert.Equal(reason, b.Send(100, true, i, out _));
            Assert.Null(a.Send(60, false, i, out _));
            lost += reason == DropReason.Loss ? 1 : 0;
        }

        Assert.InRange(lost, 800, 1200); // six standard deviations around 1000
    }

    [Fact]
    public void Jitter_StaysInItsRangeAndKeepsOrder()
    {
        LinkDirection link = new(new LinkSpec { DelayMs = 1, JitterMs = 5 }, 3);
        long last = 0;
        for (long now = 0; now < 1000 * Ms; now += Ms)
        {
            Assert.Null(link.Send(100, true, now, out long due));
            Assert.InRange(due - now, Ms, 6 * Ms);
            Assert.True(due >= last);
            last = due;
        }
    }

    [Fact]
    public void Swing_GoesFromTheLeastToTheMostOnceAPeriod()
    {
        LinkDirection link = new(new LinkSpec { DelayMs = 5, SwingMs = 2, SwingSeconds = 4 }, 1);
        long[] delays = [.. Enumerable.Range(0, 9).Select(second =>
        {
            long now = second * 1000 * Ms;
            Assert.Null(link.Send(100, true, now, out long due));
            return due - now;
        })];
        Assert.All(
            Enumerable.Range(0, 9),
            i => Assert.InRange(delays[i], ((i % 4) switch { 1 => 7, 3 => 3, _ => 5 } * Ms) - 1000, ((i % 4) switch { 1 => 7, 3 => 3, _ => 5 } * Ms) + 1000));
    }

    [Fact]
    public void Reorder_LetsOthersOvertake()
    {
        LinkDirection link = new(new LinkSpec { Reorder = 1, ReorderMs = 3 }, 3);
        link.Send(100, true, 0, out long overtaken);
        link.Send(60, false, 10, out long behind);
        Assert.Equal((3 * Ms, 10), (overtaken, behind));
    }

    [Theory]
    [InlineData(1.1, 60)]
    [InlineData(-1, 60)]
    [InlineData(1, 0)]
    public void Swing_OutOfRangeIsRefused(double swing, double seconds) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new LinkDirection(new LinkSpec { DelayMs = 1, SwingMs = swing, SwingSeconds = seconds }, 1));

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(double.NaN, 0)]
    [InlineData(0, 1.1)]
    [InlineData(0, -0.1)]
    public void Spec_OutOfRangeIsRefused(double delay, double loss) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new LinkDirection(new LinkSpec { DelayMs = delay, Loss = loss }, 1));
}
