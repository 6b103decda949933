using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Tests.Capture;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A download seen at its receiver: which ACK a distant sender waited for, and for how long.</summary>
public sealed class SlowStartStops
{
    private const double RoundTripMs = 400;
    private const uint Mss = 1460;
    private const uint First = 5000;

    private readonly SegmentSequence _sequence = new SegmentSequence().Syn(0, scale: 7).SynAck(RoundTripMs, scale: 7)
        .FromClient(RoundTripMs + 0.05, 1000, 0).FromClient(RoundTripMs + 0.1, 1000, 200);

    // Eight flights of as many segments more, all but the last acknowledged at once. The ACK of the last comes 50 ms later: what comes 400 ms behind the
    // first ACKs has not waited for it. What comes 400 ms behind the last ACK, has.
    [Theory]
    [InlineData(0, 7, 0)]
    [InlineData(50, 0, 7)]
    public void AnAckThatCannotHaveArrived_ReleasedNothing(double laterMs, long stops, long holds)
    {
        (double at, uint next) = (2 * RoundTripMs, First);
        for (int count = 11; count < 27; count += 2)
        {
            uint first = next;
            for (int i = 1; i <= count; i++, next += Mss)
            {
                _sequence.FromServer(at + (i * 0.01), 1200, (int)Mss, next);
            }

            _sequence.FromClient(at + 0.3, 1200, 0, ack: first + ((uint)(count - 1) * Mss)).FromClient(at + 50, 1200, 0, ack: next);
            at += RoundTripMs + 0.3 + laterMs;
        }

        IReadOnlyList<Finding> findings = CaptureFindings.Of(_sequence.Evidence());
        Assert.Equal(stops, findings.SingleOrDefault(f => f.Id == "LT113")?.Count ?? 0);
        Assert.Equal(holds, findings.Single(f => f.Id == "LT103").Harmful);
    }

    // Two bursts in each round trip, 150 ms apart; what each one lets go comes just a round trip later. Where the path takes 30 ms longer, the ACK may have
    // come sooner, and the wait may have been shorter.
    [Theory]
    [InlineData(0, 10, 10)]
    [InlineData(5, 10, 10)]
    [InlineData(30, 5, 5)]
    public void DataThatComesJustARoundTripAfterItsAck_ShowsHowLongItWaited(double laterMs, long least, long most)
    {
        const double ApartMs = 150;
        (double at, uint next) = (2 * RoundTripMs, First);
        for (int round = 0; round < 6; round++)
        {
            foreach (double burst in new[] { at, at + ApartMs + (round * laterMs / 100) })
            {
                for (int i = 0; i < 5 + (3 * round); i++, next += Mss)
                {
                    _sequence.FromServer(burst + (i * 0.01), 1200, (int)Mss, next);
                }

                _sequence.FromClient(burst + 0.5, 1200, 0, ack: next);
            }

            at += RoundTripMs + 0.5 + laterMs;
        }

        Assert.InRange(Assert.Single(CaptureFindings.Of(_sequence.Evidence()), f => f.Id == "LT113").Count, least, most);
    }

    // A short segment and a full one, then nothing until their ACK: the next full segment waited, as Nagle's algorithm holds none. Behind a short one the
    // message may have ended.
    [Theory]
    [InlineData(516, Mss, 3)]
    [InlineData(Mss, 516, 2)]
    public void AFullSegmentBehindAFullOne_WaitedForTheCongestionWindow(int one, int other, long stops)
    {
        (double at, uint next) = (2 * RoundTripMs, First);
        foreach (int length in new[] { one, other })
        {
            _sequence.FromServer(at, 1200, length, next);
            next += (uint)length;
        }

        _sequence.FromClient(at + 0.1, 1200, 0, ack: next);
        foreach (uint count in new uint[] { 4, 8, 16 })
        {
            at += RoundTripMs + 0.1;
            for (uint i = 0; i < count; i++, next += Mss)
            {
                _sequence.FromServer(at, 1200, (int)Mss, next);
            }

            _sequence.FromClient(at + 0.1, 1200, 0, ack: next);
        }

        Assert.Equal(stops, Assert.Single(CaptureFindings.Of(_sequence.Evidence()), f => f.Id == "LT113").Count);
    }

    // Flights that double, in segments of less than the handshake allows: a device behind the tap lowered the MSS. Where each one is pushed, it is all that
    // there was to send, and a pause may follow it.
    [Theory]
    [InlineData(1310, false, 3)]
    [InlineData(1310, true, 0)]
    [InlineData((int)Mss, true, 3)]
    public void SegmentsThatAreCutShort_AreFull(int length, bool pushed, long stops)
    {
        (double at, uint next) = (2 * RoundTripMs, First);
        foreach (int count in new[] { 3, 6, 12, 24 })
        {
            for (int i = 0; i < count; i++, next += (uint)length)
            {
                SegmentSequence sequence = pushed || i == count - 1 ? _sequence.Push() : _sequence;
                sequence.FromServer(at, 1200, length, next);
            }

            at += RoundTripMs + 0.1;
            _sequence.FromClient(at - RoundTripMs, 1200, 0, ack: next);
        }

        Assert.Equal(stops, CaptureFindings.Of(_sequence.Evidence()).SingleOrDefault(f => f.Id == "LT113")?.Count ?? 0);
    }

    // A device that pushes all it forwards joins some segments: what is longer than most is several of these, or else shows nothing.
    [Theory]
    [InlineData(2, 3)]
    [InlineData(1.5, 0)]
    public void SegmentsThatADeviceJoins_ShowWhatIsFull(double joined, long stops)
    {
        const int Length = 1310;
        (double at, uint next) = (2 * RoundTripMs, First);
        foreach (int count in new[] { 3, 6, 12, 24 })
        {
            for (int i = 0; i < count; i++)
            {
                int length = i == 1 ? (int)(Length * joined) : Length;
                _sequence.Push().FromServer(at, 1200, length, next);
                next += (uint)length;
            }

            at += RoundTripMs + 0.1;
            _sequence.FromClient(at - RoundTripMs, 1200, 0, ack: next);
        }

        Assert.Equal(stops, CaptureFindings.Of(_sequence.Evidence()).SingleOrDefault(f => f.Id == "LT113")?.Count ?? 0);
    }

    // The client says something behind the ACKs of the first of three flights. What does not acknowledge that, a round trip later, has not waited for the ACKs
    // behind it.
    [Theory]
    [InlineData(true, 3)]
    [InlineData(false, 2)]
    public void DataThatHasNotHeardOfAMessage_HasNotHeardOfTheAcksBehindIt(bool heard, long stops)
    {
        (double at, uint next, uint said) = (2 * RoundTripMs, First, 1200);
        foreach (int count in new[] { 11, 20, 35, 60 })
        {
            uint heardOf = count == 20 && !heard ? 1200 : said;
            for (int i = 0; i < count; i++, next += Mss)
            {
                SegmentSequence sequence = count == 11 && i == 0 ? _sequence.Push() : _sequence;
                sequence.FromServer(at, heardOf, (int)Mss, next);
            }

            if (count == 11)
            {
                _sequence.FromClient(at + 0.05, said, 31, ack: next - (11 * Mss));
                said += 31;
            }

            _sequence.FromClient(at + 0.1, said, 0, ack: next);
            at += RoundTripMs + 0.1;
        }

        Assert.Equal(stops, Assert.Single(CaptureFindings.Of(_sequence.Evidence()), f => f.Id == "LT113").Count);
    }
}
