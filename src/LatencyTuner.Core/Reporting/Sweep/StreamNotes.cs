using LatencyTuner.Core.Measurement.Sweeps;

namespace LatencyTuner.Core.Reporting.Sweep;

/// <summary>What the reader of a sweep over HTTP/2 must know.</summary>
internal static class StreamNotes
{
    internal static IEnumerable<string> Of(SweepResult result, IReadOnlyList<SweepPoint> points)
    {
        yield return "The responder (Kestrel) sends and this end (HttpClient) receives: send times, flushes and kernel counters are those of the "
            + "responder, windows those this end gave.";
        if (points.Any(p => p.WindowBytes is string))
        {
            yield return "A dynamic window begins at 64 KiB in every stream and doubles as .NET sees fit, so long streams hide its beginning and short "
                + "ones are ruled by it.";
        }

        if (points.Any(p => p.SendWaitShare is not null))
        {
            yield return "A flush waits until the stream's window and the server's buffer have taken all of it; the kernel counts only what holds the socket.";
        }

        long refused = result.Points.Sum(p => p.Rounds.Sum(r => r.Streams?.Refused ?? 0));
        long timed = result.Points.Sum(p => p.Rounds.Sum(r => r.Streams?.Timed ?? 0));
        if (refused > 0)
        {
            yield return $"{refused} streams came with times of the responder that do not fit into the time they took here; those times were left out.";
        }
        else if (timed == 0 && points.Any(p => p.N > 0))
        {
            yield return "The responder gave no times of its own.";
        }
    }
}
