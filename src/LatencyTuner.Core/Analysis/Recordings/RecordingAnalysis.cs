using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Recordings.Traces.Rules;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Recordings;

/// <summary>
/// Reads captures and judges every TCP connection in them. Files that follow each other in time are one capture in several files; files
/// of the same time are captures made at different places, whose connections are paired.
/// </summary>
public static class RecordingAnalysis
{
    private const int ProgressStep = 65_536;

    /// <summary>Reads and judges captures and traces.</summary>
    /// <param name="inputs">The captures and traces, at least one.</param>
    /// <param name="filter">Which packets to analyse.</param>
    /// <param name="limits">What makes a finding a warning or an error.</param>
    /// <param name="progress">Receives the bytes read of all files from time to time; null for no progress.</param>
    /// <param name="cancellation">Ends the reading; what was read until then is judged.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: a file is no capture, or nothing of it could be read.</exception>
    public static RecordingResult Run(
        IReadOnlyList<RecordingInput> inputs, RecordingFilter filter, SeverityLimits limits, Action<long>? progress, CancellationToken cancellation)
    {
        List<RecordingFileFacts> files = [];
        List<CapturePoint> points = [];
        List<TraceEvidence> traces = [];
        Read(inputs, filter, limits, files, points, traces, progress, cancellation);
        if (points.Count > 1 && traces.Count == 0 && !cancellation.IsCancellationRequested && FileOrder.ByTime(inputs, files) is { } ordered)
        {
            // The files may follow each other after all, which shows only after they were read.
            List<RecordingFileFacts> again = [];
            points.Clear();
            Read(ordered, filter, limits, again, points, traces, null, cancellation);
            files = [.. inputs.Select(i => again.Find(f => f.Path == i.Path)!)];
        }

        return Judge(files, points, traces, filter, limits, cancellation.IsCancellationRequested);
    }

    private static void Read(
        IReadOnlyList<RecordingInput> inputs, RecordingFilter filter, SeverityLimits limits, List<RecordingFileFacts> files, List<CapturePoint> points,
        List<TraceEvidence> traces, Action<long>? progress, CancellationToken cancellation)
    {
        long bytes = 0;
        foreach (RecordingInput input in inputs)
        {
            long before = bytes;
            using CaptureFeed feed = new(input.Path, points, filter.Test(), inputs.Count > 1);
            using FileHash hash = new(input);
            Stream stream = Look(hash.Open(), input.Path, out bool isTrace);
            if (isTrace)
            {
                (RecordingFileFacts facts, TraceEvidence trace) = TraceReading.Run(
                    stream, input, hash, feed, filter, limits, read => progress?.Invoke(before + read), cancellation);
                files.Add(facts);
                traces.Add(trace);
            }
            else
            {
                files.Add(CaptureReading.Run(stream, input, hash, feed, read => progress?.Invoke(before + read), ProgressStep, cancellation));
            }

            bytes += files[^1].Bytes;
        }
    }

    /// <summary>Judges what was read, of files or of a live session.</summary>
    internal static RecordingResult Judge(
        List<RecordingFileFacts> files, List<CapturePoint> points, List<TraceEvidence> traces, RecordingFilter filter, SeverityLimits limits, bool cancelled)
    {
        foreach (CapturePoint point in points)
        {
            point.Tracker.Finish();
            point.Analyser.Finish(point.Tracker.Silences);
        }

        List<string> repeats = WholeCopies(points);
        IReadOnlyList<CapturePair> pairs = points.Count < 2 ? []
            : Pairing.Of([.. points.Select(p => (p.Path, (IReadOnlyList<ConnectionFacts>)p.Analyser.Connections))]);
        pairs = WithoutCopies(points, pairs, repeats);
        repeats.AddRange(
            files.Where(f => f.Skipped.ContainsKey(CaptureFeed.Again)).DistinctBy(f => f.Path).Select(
                f => $"{f.Path} holds {Counted.Of(f.Skipped[CaptureFeed.Again], "packet")} twice, at the same times. They are counted once."));
        repeats.AddRange(
            points.Where(p => p.Analyser.Translated > 0).Select(
                p =>
                    $"{p.Path} shows {Counted.Of(p.Analyser.Translated, "connection")} on both sides of an address translation (NAT). "
                    + $"{(p.Analyser.Translated == 1 ? "It is" : "They are")} counted once, as seen first."));
        BothEnds.TakeServerTimes(pairs);
        bool hides = Hide(points, pairs, filter, traces);
        CaptureEvidence[] evidence = [.. points.Select(p => EvidenceOf(p, [.. files.Where(f => p.Paths.Contains(f.Path))], filter, limits, hides, cancelled))];
        IReadOnlyList<Finding>[] findings = [.. evidence.Select(CaptureFindings.Of)];
        bool told = findings.Any(f => !f.Any(IsBlind)) || traces.Any(t => RecordingOutcome.SeesSends(t.Analyser));
        findings = told ? [.. findings.Select(f => (IReadOnlyList<Finding>)[.. f.Select(Softened)])] : findings;
        IReadOnlyList<Finding> captured = findings.Length switch { 0 => [], 1 => findings[0], _ => BothEnds.Merge(findings, pairs) };
        if (hides)
        {
            HashSet<string> shown = [.. evidence.SelectMany(e => e.Connections).Select(ConnectionNames.Of)];
            captured = [.. captured.Where(f => f.Cause == Cause.EvidenceIncomplete || f.Connections.Any(shown.Contains))];
            pairs = [.. pairs.Where(p => p.Client.IsShown)];
        }

        IReadOnlyList<Finding> all = traces.Count == 0 ? captured
            : [.. captured.Concat(traces.SelectMany(TraceFindings.Of)).WorstFirst()];
        return new RecordingResult(files, evidence, all, pairs, cancelled) { Traces = traces, Repeats = repeats };
    }

    /// <summary>True when a capture allows no verdict. Beside another source that allows one, this is a gap and no more.</summary>
    private static bool IsBlind(Finding finding) => finding is { Cause: Cause.EvidenceIncomplete, Severity: Severity.Error };

    private static Finding Softened(Finding finding) => IsBlind(finding) ? finding with { Severity = Severity.Warning } : finding;

    /// <summary>Removes captures whose packets and times another capture already has.</summary>
    /// <returns>A sentence for each.</returns>
    private static List<string> WholeCopies(List<CapturePoint> points)
    {
        List<string> repeats = [];
        for (int i = points.Count - 1; i > 0; i--)
        {
            if (points.Take(i).FirstOrDefault(p => points[i].Seen is { } seen && p.Seen is { } other && seen.IsSameAs(other)) is { } first)
            {
                repeats.Insert(0, first.Path == points[i].Path ? $"{first.Path} was given more than once. It is counted once."
                    : $"{points[i].Path} holds the same packets at the same times as {first.Path}. They are one capture and are counted once.");
                points.RemoveAt(i);
            }
        }

        return repeats;
    }

    /// <summary>Removes connections that two captures show with the same times: a part of one capture was given again.</summary>
    /// <param name="points">The captures; a capture with nothing else is removed.</param>
    /// <param name="pairs">The connections that two captures show.</param>
    /// <param name="repeats">Receives a sentence for each two captures.</param>
    /// <returns>The pairs of two different captures.</returns>
    private static IReadOnlyList<CapturePair> WithoutCopies(List<CapturePoint> points, IReadOnlyList<CapturePair> pairs, List<string> repeats)
    {
        CapturePair[] copies = [.. pairs.Where(p => p.SameTimes)];
        if (copies.Length == 0)
        {
            return pairs;
        }

        foreach (IGrouping<(string, string), CapturePair> both in copies.GroupBy(p => (p.ClientPath, p.ServerPath)))
        {
            repeats.Add(
                $"{Counted.Of(both.Count(), "connection")} of {both.Key.Item1} {(both.Count() == 1 ? "has" : "have")} the same times in {both.Key.Item2}. "
                + "They come from one place of capture and are counted once.");
        }

        HashSet<ConnectionFacts> again = [.. copies.Select(p => p.Client.Packets < p.Server.Packets ? p.Client : p.Server)];
        foreach (CapturePoint point in points)
        {
            point.Analyser.Connections.RemoveAll(again.Contains);
        }

        points.RemoveAll(p => points.Count > 1 && p.Analyser.Connections.Count == 0);
        return [.. pairs.Where(p => !again.Contains(p.Client) && !again.Contains(p.Server))];
    }

    /// <summary>
    /// Marks the connections that the filter hides. Packets do not name a process: the packets of a chosen process are those of its connections.
    /// </summary>
    /// <returns>True when there is a filter for connections.</returns>
    private static bool Hide(List<CapturePoint> points, IReadOnlyList<CapturePair> pairs, RecordingFilter filter, List<TraceEvidence> traces)
    {
        if (filter.Processes.Count > 0)
        {
            HashSet<string> owned = [.. traces.SelectMany(t => t.Connections).Select(c => c.Name)];
            foreach (ConnectionFacts connection in points.SelectMany(p => p.Analyser.Connections))
            {
                connection.IsShown &= owned.Contains(ConnectionNames.Of(connection));
            }
        }

        foreach (CapturePair pair in pairs)
        {
            // The clocks of two captures differ, and with them what is in the time of the filter.
            pair.Client.IsShown = pair.Server.IsShown = pair.Client.IsShown || pair.Server.IsShown;
        }

        return !filter.IsAll || filter.Processes.Count > 0;
    }

    private static CaptureEvidence EvidenceOf(
        CapturePoint point, RecordingFileFacts[] files, RecordingFilter filter, SeverityLimits limits, bool hides, bool cancelled)
    {
        List<ConnectionFacts> connections = point.Analyser.Connections;
        bool byProcess = filter.Processes.Count > 0;
        IReadOnlyList<string> gaps = CaptureGaps.Of(
            point, hides ? [.. connections.Where(c => c.IsShown)] : connections, [.. files.DistinctBy(f => f.Path)], cancelled);
        CaptureEvidence whole = new()
        {
            Connections = connections,
            NotKept = byProcess ? 0 : point.Analyser.Dropped,
            NotKeptTransactions = byProcess ? 0 : point.Analyser.DroppedTransactions,
            Hidden = connections.Count(c => !c.IsShown) + point.Analyser.DroppedHidden,
            Hosts = point.Analyser.Hosts,
            CoarseStepNs = files.Max(f => f.CoarseStepNs),
            Limits = limits,
            Gaps = gaps,
        };
        return hides ? whole.OfShown(gaps) : whole;
    }

    private static Stream Look(Stream stream, string path, out bool isTrace)
    {
        try
        {
            if (stream.CanSeek)
            {
                isTrace = EtlDetection.IsTrace(stream, path);
                return stream;
            }

            byte[] head = new byte[EtlDetection.HeadBytes];
            head = head[..stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false)];
            isTrace = EtlDetection.IsTrace(head, path);
            return new HeadStream(head, stream);
        }
        catch (IOException failure)
        {
            stream.Dispose();
            throw new ExpectedFailureException(ExitCode.Input, $"{path} cannot be read: {failure.Message.TrimEnd('.')}.", failure);
        }
    }
}
