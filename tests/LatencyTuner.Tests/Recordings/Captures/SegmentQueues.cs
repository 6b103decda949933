using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Recordings.Captures;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

public sealed class SegmentQueues
{
    private const int Many = 10_000;

    [Fact]
    public void Order_IsKept()
    {
        List<long> followed = [];
        using SegmentQueue queue = new(segments =>
        {
            foreach (ref readonly TcpSegment segment in segments)
            {
                followed.Add(segment.FrameNumber);
            }
        });

        for (int i = 0; i < Many; i++)
        {
            // Filled and not added, as with a frame that is not TCP.
            queue.Next.FrameNumber = -1;
            queue.Next.FrameNumber = i;
            queue.Add();
        }

        queue.Finish();

        Assert.Equal(Enumerable.Range(0, Many).Select(i => (long)i), followed);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void OneThreadIsSlow_TheOtherWaits(bool follower)
    {
        long sum = 0;
        using SegmentQueue queue = new(segments =>
        {
            foreach (ref readonly TcpSegment segment in segments)
            {
                sum += segment.FrameNumber;
            }

            Spin(follower);
        });

        for (int i = 0; i < Many; i++)
        {
            queue.Next.FrameNumber = i;
            queue.Add();
            if (i % 200 == 0)
            {
                Spin(!follower);
            }
        }

        queue.Finish();

        Assert.Equal((long)Many * (Many - 1) / 2, sum);

        void Spin(bool slow)
        {
            if (slow)
            {
                Thread.SpinWait(20_000);
            }
        }
    }

    [Fact]
    public void FewSegments_StayOnTheThread()
    {
        int thread = 0;
        using SegmentQueue queue = new(_ => thread = Environment.CurrentManagedThreadId);
        queue.Add();

        queue.Finish();

        Assert.Equal(Environment.CurrentManagedThreadId, thread);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(300)]
    [InlineData(Many)]
    public void Failure_IsThrownWhereSegmentsAreAdded(int count)
    {
        using SegmentQueue queue = new(_ => throw new InvalidOperationException("no"));

        InvalidOperationException failure = Assert.Throws<InvalidOperationException>(() =>
        {
            for (int i = 0; i < count; i++)
            {
                queue.Add();
            }

            queue.Finish();
        });

        Assert.Equal("no", failure.Message);
    }

    [Fact]
    public void Dispose_WithoutFinish_WaitsForWhatIsOnItsWay()
    {
        long followed = 0;
        using (SegmentQueue queue = new(segments => Interlocked.Add(ref followed, segments.Length)))
        {
            for (int i = 0; i < Many; i++)
            {
                queue.Add();
            }
        }

        Assert.InRange(Interlocked.Read(ref followed), Many - 1000, Many);
    }
}
