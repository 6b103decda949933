using System.Globalization;
using LatencyTuner.Core.Analysis.Sweeps;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>What the reader of a sweep must know.</summary>
internal static class SweepNotes
{
    internal static IEnumerable<string> Of(SweepResult result, IReadOnlyList<SweepPoint> points)
    {
        SweepPlan plan = result.Plan;
        string duration = (plan.Base.Duration ?? TimeSpan.Zero).TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture);
        string rounds = Counted.Of(plan.Rounds, "round");
        bool rate = plan.Dimensions[0] == SweepDimension.Rate;
        bool oneWay = plan.Base.Workload.Pattern == WritePattern.Stream;
        if (plan.Streams is not null)
        {
            foreach (string note in StreamNotes.Of(result, points))
            {
                yield return note;
            }
        }

        yield return rate ? $"Open loop: each response time counts from its planned send time. {rounds} of {duration} s per rate, in random order."
            : oneWay
            ? $"One way, as fast as the connection takes it: times are those of the send calls, throughput is what the other end received. {rounds} "
                + $"of {duration} s per point, in random order."
            : $"Closed loop: each connection sends the next request when it has the reply. {rounds} of {duration} s per point, in random order.";
        string At(Func<SweepPoint, bool> which) => string.Join(", ", points.Where(which).Select(p => SweepValues.Of("rate", p.Rate ?? 0)));
        if (rate && At(p => !p.RateHeld) is { Length: > 0 } missed)
        {
            yield return $"The planned rate was missed by more than 1 % at {missed}: the response times count from the planned send times.";
        }

        if (rate && At(p => p.SendLatenessP99Us > SweepPointFacts.LateUs) is { Length: > 0 } late)
        {
            yield return $"This machine sent late at {late} (99th percentile over {SweepPointFacts.LateUs:0} us): the response times there include its "
                + "own delay.";
        }

        foreach (string note in Buffers(result))
        {
            yield return note;
        }

        if (Drained(result) is { } drained)
        {
            yield return drained;
        }

        if (!rate && points.Any(p => p.BusyShare is > 0) && points.All(p => p.CwndLimitedShare is null))
        {
            yield return "This system does not count the time limited by the congestion window. Its upper bound is the busy time minus the time limited by "
                + "the receive window and the send buffer; this includes the path's own round trips.";
        }

        if (Hidden(points) is { } hidden)
        {
            yield return hidden;
        }

        foreach (SweepPointResult failed in result.Points.Where(p => p.Failure is not null).Take(5))
        {
            yield return $"{Upper(SweepText.Of(failed.Cell))} was given up: {failed.Failure}";
        }

        if (result.Resumed > 0)
        {
            yield return $"{Counted.Of(result.Resumed, "round")} of points from the state file of an interrupted run: measured earlier than the others.";
        }

        if (result.Target.IsLoopback)
        {
            yield return "Loopback is this machine alone: both ends share its processors, and no network path was tested.";
        }
    }

    /// <summary>The note about waits between the points; null when they were too short to mention.</summary>
    private static string? Drained(SweepResult result)
    {
        const double Noted = 0.1;
        List<(SweepPointResult Point, SweepRound Round)> rounds = [.. result.Points.SelectMany(p => p.Rounds.Select(r => (p, r)))];
        (SweepPointResult Point, SweepRound Round)[] loud = [.. rounds.Where(r => !r.Round.Quiet)];
        if (loud.Length > 0)
        {
            return $"In {loud.Length} of {Counted.Of(rounds.Count, "round")} of points, the path was still busy 10 s after the point before, first at "
                + $"{SweepText.Of(loud[0].Point.Cell)}. Their figures may include queues that other points left.";
        }

        double longest = rounds.Count > 0 ? rounds.Max(r => r.Round.Drain.TotalSeconds) : 0;
        return longest < Noted ? null
            : $"Before each point, the sweep waited up to {longest:0.0} s for queues on the path to empty. The figures of a point do not include the "
                + "queues of the point before.";
    }

    /// <summary>The note about a full window that the time in send calls does not show; null when it always does.</summary>
    private static string? Hidden(IReadOnlyList<SweepPoint> points)
    {
        const double Shut = 0.2;
        const double Unseen = 0.05;
        SweepPoint? most = points.Where(p => p.RwndLimitedShare >= Shut && p.SendBlockedShare < Unseen).MaxBy(p => p.RwndLimitedShare);
        return most is null ? null
            : $"The time in send calls alone misleads: at {Asked(most)} they take {Format.Share(most.SendBlockedShare)} of the time, while the peer's "
                + $"window limits the sender for {Format.Share(most.RwndLimitedShare)} of it. The send buffer hides this.";
    }

    private static string Asked(SweepPoint point)
    {
        string size = point.WindowBytes is long window ? $"a window of {Bytes(window)}"
            : point.ReceiveBufferBytes?.Requested is { } receive ? $"a receive buffer of {Bytes(receive)}"
            : point.SendBufferBytes?.Requested is { } send ? $"a send buffer of {Bytes(send)}" : "the system's own size";
        return point.Connections is { } n ? $"{size} and {Counted.Of(n, "connection")}" : size;
    }

    /// <summary>The notes about the buffer sizes that the system set.</summary>
    private static IEnumerable<string> Buffers(SweepResult result)
    {
        SweepDimension dimension = result.Plan.Dimensions[0];
        if (result.Plan.Streams is not null || dimension is not (SweepDimension.ReceiveBuffer or SweepDimension.SendBuffer or SweepDimension.Window))
        {
            yield break;
        }

        List<(SweepPointResult Point, double Asked, int Got)> sizes = [.. result.Points
            .Where(p => p.Cell[dimension] is not null && SweepPointFacts.Effective(p.Rounds, dimension) is not null)
            .Select(p => (p, p.Cell[dimension]!.Value, SweepPointFacts.Effective(p.Rounds, dimension)!.Value)).DistinctBy(s => s.Item2)];
        yield return dimension == SweepDimension.SendBuffer
            ? "The system no longer adapts a send buffer that is set, on Windows and on Linux (Linux doubles the requested size)."
            : "A receive buffer that is set disables receive window auto-tuning for that connection, on Windows and on Linux (Linux "
                + "doubles the requested size and offers about half of it as the window).";
        List<(SweepPointResult Point, double Asked, int Got)> raised = [.. sizes.Where(s => s.Got > 2 * s.Asked)];
        if (raised.Count > 0)
        {
            yield return $"The system raised {Sizes(raised)} to {Bytes(raised[^1].Got)}: they count as one size.";
        }

        List<(SweepPointResult Point, double Asked, int Got)> cut =
            [.. sizes.Where(s => s.Got < s.Asked || (s.Got < 2 * s.Asked && sizes.Exists(o => o.Got == 2 * o.Asked)))];
        if (cut.Count > 0)
        {
            yield return $"The system cut {Sizes(cut)} to {Bytes(cut[0].Got)} (on Linux "
                + $"net.core.{(dimension == SweepDimension.SendBuffer ? 'w' : 'r')}mem_max limits the requested size): they count as one size.";
        }

        if (dimension != SweepDimension.SendBuffer && sizes.Exists(s => s.Point.Rounds.Any(r => r.PeerState is { BuffersBeforeListen: false })))
        {
            yield return "Some connections got their buffer only after they were accepted because the responder's second port could not be "
                + "reached; a firewall may block it. The window scale agreed before still applies.";
        }
    }

    private static string Sizes(IEnumerable<(SweepPointResult Point, double Asked, int Got)> sizes) =>
        string.Join(", ", sizes.Select(s => Bytes((long)s.Asked)));

    private static string Bytes(long bytes) => Format.Bytes(bytes);

    private static string Upper(string text) => char.ToUpperInvariant(text[0]) + text[1..];
}
