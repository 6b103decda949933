using LatencyTuner.Core.Measurement.Sweeps;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>What the reader of a sweep over HTTP/2 must know.</summary>
internal static class StreamNotes
{
    internal static IEnumerable<string> Of(SweepResult result, IReadOnlyList<SweepPoint> points)
    {
        yield return "The responder (Kestrel) sends and this end (HttpClient) receives: send times, flushes and kernel counters are from the "
            + "responder, windows from this end.";
        if (points.Any(p => p.WindowBytes is string))
        {
            yield return "A dynamic window begins at 64 KiB in every stream and doubles when .NET decides so. Long streams hide the small start, "
                + "and short streams depend on it.";
        }

        if (points.Any(p => p.SendWaitShare is not null))
        {
            yield return "A flush waits until the stream's window and the server's buffer have taken all of it; the kernel counts only waits of the socket.";
        }

        long refused = result.Points.Sum(p => p.Rounds.Sum(r => r.Streams?.Refused ?? 0));
        long timed = result.Points.Sum(p => p.Rounds.Sum(r => r.Streams?.Timed ?? 0));
        if (refused > 0)
        {
            yield return $"For {Counted.Of(refused, "stream")}, the responder's times do not fit into the time measured here; those times were left out.";
        }
        else if (timed == 0 && points.Any(p => p.N > 0))
        {
            yield return "The responder reported no times.";
        }
    }
}
