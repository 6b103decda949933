namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>One of the two targets: opened when it is needed, asked by one thread at a time.</summary>
internal sealed class HedgeEnd(ProbeTarget target, TimeProvider time, CancellationToken stop) : IDisposable
{
    private static readonly string[] WholeExchange = ["reply"];
    private readonly HeldProbe _probe = new(target.Open, stop);

    internal ProbeSeries Series { get; } = new(target);

    internal List<long> AloneNs { get; } = [];

    /// <summary>Makes sure that the probe is open; false when it cannot be opened; the next exchange tries again.</summary>
    internal bool Prepare()
    {
        try
        {
            _probe.Open();
            return true;
        }
        catch (Exception e) when (IsFailure(e))
        {
            return false;
        }
    }

    /// <summary>Asks once without counting: the first exchange is slow because this program and the server load code for it.</summary>
    internal void Warm()
    {
        try
        {
            _probe.Open().Exchange();
        }
        catch (Exception e) when (IsFailure(e))
        {
            Dispose();
        }
    }

    /// <summary>Asks the target once.</summary>
    /// <returns>Timestamp of the answer; null when there was none.</returns>
    /// <param name="alone">True to count the request among those asked alone.</param>
    /// <param name="due">Timestamp from which the time counts; null for the send. A late wake-up of the thread then counts, as in a hedged request.</param>
    internal long? Ask(bool alone, long? due = null)
    {
        try
        {
            MonitorProbe probe = _probe.Open();
            long sent = time.GetTimestamp();
            probe.Exchange();
            long received = time.GetTimestamp();
            if (alone)
            {
                AloneNs.Add((long)time.GetElapsedTime(due ?? sent, received).TotalNanoseconds);
                Series.Sent++;
                Series.Answer(WholeExchange, [(long)time.GetElapsedTime(sent, received).TotalNanoseconds], 0, 0, false);
            }
            return received;
        }
        catch (Exception e) when (IsFailure(e))
        {
            Dispose();
            if (!stop.IsCancellationRequested && alone)
            {
                Series.Sent++;
                Series.Fail((e as PeerFailureException)?.Reason ?? ProbeFailure.Other, e.Message);
            }
            return null;
        }
    }

    internal void Interrupt() => _probe.Interrupt();

    public void Dispose() => _probe.Drop();

    private static bool IsFailure(Exception e) =>
        e is PeerFailureException or ExpectedFailureException { Code: ExitCode.Measurement } or OperationCanceledException;
}
