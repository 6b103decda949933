using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Analysis.Sockets;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Analysis;

/// <summary>Builds the <c>analysis</c> document.</summary>
public static class AnalysisReportBuilder
{
    private const int MostDrops = 10;

    /// <summary>Builds the document from captures and traces.</summary>
    /// <param name="result">What the files show.</param>
    /// <param name="options">Which parts go into the document.</param>
    /// <param name="gate">The gate that decides the exit code; null when everything passes.</param>
    public static AnalysisReport From(RecordingResult result, AnalysisOptions options, Gate? gate = null)
    {
        // Of two captures of one connection, the one nearer to the client is used.
        HashSet<ConnectionFacts> twins = [.. result.Pairs.Select(p => p.Server)];
        ConnectionFacts[] connections = [.. result.Evidence.SelectMany(e => e.Connections).Where(c => !twins.Contains(c)).OrderBy(c => c.FirstNs)];
        (Listing listing, Requests requests) = ParallelPair.Run(
            () =>
                new Listing(
                    [.. connections.OrderByDescending(c => c.StallNs).ThenByDescending(c => c.ActiveNs).Take(options.MostConnections)
                        .Select(AnalysedConnectionBuilder.Of)], AnalysedHostBuilder.Of(result)),
            () => new Requests(AnalysedTransactionBuilder.Of(connections, options), AnalysisLadderBuilder.Of(result)));
        AnalysedConnection[] listed = listing.Connections;
        if (result.Traces.Count > 0)
        {
            listed = AnalysedTraceBuilder.Join(listed, result, options.MostConnections);
        }

        AnalysedTransaction[] transactions = requests.Transactions;
        Finding[] findings = [.. SocketNagleRule.Named(Listed(result.Findings, options.MostFindings), options.Sockets, LimitsOf(result))];
        return Judge(new AnalysisReport
        {
            Complete = !result.Cancelled && result.Files.All(f => f.Damage is null),
            Text = RecordingOutcome.Sentence(result, connections),
            Hosts = listing.Hosts,
            Processes = AnalysedTraceBuilder.Processes(result, options.Sockets),
            Connections = listed,
            ConnectionCount = result.Traces.Count > 0 && listed.Length < options.MostConnections ? listed.Length
                : connections.LongLength + result.Evidence.Sum(e => e.NotKept) + result.Traces.Sum(t => (long)t.Connections.Count),
            Transactions = transactions,
            TransactionCount = connections.Sum(c => c.TransactionCount) + result.Evidence.Sum(e => e.NotKeptTransactions)
                + listed.Where(c => c.Ends.Count > 0 && connections.Length == 0).Sum(c => c.Transactions),
            Observations = [.. Observations(result), .. AnalysedTraceBuilder.Observations(result)],
            Findings = findings,
            Example = requests.Example,
            Pairs = [.. result.Pairs.Select(PairOf)],
            Notes = [
                .. Notes(result, connections, transactions, options), .. Unlisted(result.Findings, options.MostFindings),
                .. Unverified(result)],
            // Last, because the hashes of the files may not be complete yet.
            Inputs = [.. result.Files.Select(f => InputOf(f, result))],
        }, gate ?? Gate.Open, RecordingOutcome.IsTrafficOnly(result));
    }

    /// <summary>Adds the verdict to a document.</summary>
    /// <param name="report">The document.</param>
    /// <param name="gate">The gate that decides the exit code.</param>
    /// <param name="trafficOnly">True when all events only count the bytes that processes sent; null: decided from the counts of events.</param>
    internal static AnalysisReport Judge(AnalysisReport report, Gate gate, bool? trafficOnly = null) =>
        report with
        {
            Judgement = RecordingOutcome.Judge(
                report.StatedText, report.Findings, report.Connections.Sum(c => c.StallMs), trafficOnly ?? IsTrafficOnly(report), gate),
            Failing = gate.Failing(report.Findings),
        };

    internal static double Ms(long ns) => ns / 1e6;

    internal static DateTimeOffset Utc(long ns) => DateTimeOffset.UnixEpoch.AddTicks(ns / 100);

    private static AnalysedInput InputOf(RecordingFileFacts file, RecordingResult result)
    {
        long missed = result.Files.Count == 1 ? result.Evidence.Sum(e => e.Connections.Sum(c => c.MissedBytes)) : 0;
        SortedDictionary<string, long> lost = new(StringComparer.Ordinal);
        if (file.FramesLost is { } dropped)
        {
            lost["packets"] = dropped;
        }

        if (file.EventsLost > 0 || file.Events > 0)
        {
            lost["events"] = file.EventsLost;
            lost["buffers"] = file.BuffersLost;
        }

        if (missed > 0)
        {
            lost["bytesNeverCaptured"] = missed;
        }

        return new AnalysedInput
        {
            Path = file.Path,
            Sha256 = file.Sha256,
            Kind = file.Kind,
            Packets = file.Packets,
            Events = file.Events,
            EventCounts =
                [.. file.EventCounts.Select(
                    c =>
                        new EventCount
                        {
                            Provider = c.Provider,
                            Id = c.IsClassic ? null : c.Number,
                            Opcode = c.IsClassic ? c.Number : null,
                            Version = c.Version,
                            Count = c.Count,
                            Name = c.Name,
                        })],
            Bytes = file.Bytes,
            Skipped = file.Skipped,
            Lost = lost,
            Damage = file.Damage is { } damage ? $"At byte {damage.Offset} {damage.Reason}." : null,
            StartUtc = file.FirstNs is { } first ? Utc(first) : null,
            DurationMs = file is { FirstNs: { } from, LastNs: { } to } ? Ms(to - from) : 0,
            ClockStepNs = file.ClockStepNs,
        };
    }

    /// <summary>The first findings of each cause; the costliest come first.</summary>
    private static IEnumerable<Finding> Listed(IReadOnlyList<Finding> findings, int most)
    {
        Dictionary<Cause, int> listed = [];
        foreach (Finding finding in findings)
        {
            if ((listed[finding.Cause] = listed.GetValueOrDefault(finding.Cause) + 1) <= most)
            {
                yield return finding;
            }
        }
    }

    private static IEnumerable<string> Unlisted(IReadOnlyList<Finding> findings, int most) =>
        findings.GroupBy(f => f.Id).Where(g => g.Count() > most).OrderBy(g => g.Key, StringComparer.Ordinal)
            .Select(g => $"Only the {most} costliest of {Counted.Of(g.Count(), "finding")} {g.Key} are listed.");

    private static IEnumerable<AnalysisObservation> Observations(RecordingResult result)
    {
        foreach (CapturedHost host in result.Evidence.SelectMany(e => e.Hosts.Values).Where(h => h.LateCount > 0).OrderByDescending(h => h.LateCount)
            .ThenBy(h => h.Address).Take(100))
        {
            yield return new AnalysisObservation
            {
                What = "median delay of late pure ACKs beyond the path",
                Host = host.Address.ToString(),
                Value = Ms(host.LateMedianNs() ?? 0),
                Unit = "ms",
                N = host.LateCount,
            };
        }

        foreach (SideOfConnection side in result.Evidence.SelectMany(e => e.Sides).Where(s => s.Facts.NagleChances > 0).Take(100))
        {
            yield return new AnalysisObservation
            {
                What = "small segments sent on the ACK of all earlier data, as a share of those where that was possible",
                Host = side.Host.ToString(),
                Connection = ConnectionNames.Of(side.Connection),
                Value = (double)(side.Facts.Holds.Count + side.Facts.MoreHolds) / side.Facts.NagleChances,
                Unit = "share",
                N = side.Facts.NagleChances,
            };
        }
    }

    private static SeverityLimits LimitsOf(RecordingResult result) =>
        result.Evidence.Select(e => e.Limits).Concat(result.Traces.Select(t => t.Limits)).FirstOrDefault(SeverityLimits.Standard);

    private static PairedConnection PairOf(CapturePair pair) => new()
    {
        Connection = ConnectionNames.Of(pair.Client),
        ClientCapture = pair.ClientPath,
        ServerCapture = pair.ServerPath,
        Packets = pair.Packets,
        ClockOffsetMs = Ms(pair.OffsetNs),
        ClockUncertaintyMs = Ms(pair.UncertaintyNs),
        ClockSkewPpm = pair.SkewPpm,
        ToServerP50Ms = Ms(pair.ToServerNs[pair.ToServerNs.Length / 2]),
        ToServerMaxMs = Ms(pair.ToServerNs[^1]),
        ToClientP50Ms = Ms(pair.ToClientNs[pair.ToClientNs.Length / 2]),
        ToClientMaxMs = Ms(pair.ToClientNs[^1]),
        LostToServer = pair.LostToServer,
        LostToClient = pair.LostToClient,
    };

    private static IEnumerable<string> Notes(RecordingResult result, ConnectionFacts[] connections, AnalysedTransaction[] transactions, AnalysisOptions options)
    {
        foreach (string repeat in result.Repeats)
        {
            yield return repeat;
        }

        long hidden = result.Evidence.Sum(e => e.Hidden);
        if (hidden > 0 && connections.Length > 0)
        {
            yield return $"The filter hides {Counted.Of(hidden, "connection")}. They are judged with the others: a finding, and what is said of a host, counts "
                + "every connection that it concerns.";
        }

        long total = connections.Sum(c => c.TransactionCount) + result.Evidence.Sum(e => e.NotKeptTransactions);
        if (options.SlowerThan > TimeSpan.Zero)
        {
            yield return $"{transactions.Length} of {Counted.Of(total, "transaction")} took {options.SlowerThan.TotalMilliseconds:0.###} ms or more; only "
                + "those are listed.";
        }
        else if (transactions.Length < total)
        {
            yield return $"Only the {transactions.Length} slowest of {Counted.Of(total, "transaction")} are listed.";
        }

        long kept = connections.Sum(c => (long)c.Transactions.Count);
        if (kept < total)
        {
            long later = connections.Sum(c => (long)c.Later.Count);
            yield return $"Only {Counted.Were(kept, "transaction")} kept one by one. Medians are of those; sums and counts are of all transactions. "
                + $"The {later} slowest of the others are also listed.";
        }

        if (connections.Length > options.MostConnections)
        {
            yield return $"{options.MostConnections} of {Counted.Of(connections.Length + result.Evidence.Sum(e => e.NotKept), "connection")} are listed: "
                + "those that "
                + "lost the most time.";
        }

        if (connections.Any(c => c.Vantage == Vantage.Local))
        {
            yield return "Both ends are within 0.2 ms of the capture point. It is unknown whether the capture was made at the client or at the server.";
        }

        long duplicates = connections.Sum(c => c.CaptureDuplicates);
        if (duplicates > 0)
        {
            yield return $"{Counted.Were(duplicates, "packet")} captured twice; the copies are left out.";
        }

        foreach (RecordingFileFacts file in result.Files.Where(f => f.DroppedHere.Count > 0))
        {
            yield return $"{file.Path}: the recording machine itself dropped packets [PktMon event 170]: "
                + $"{string.Join("; ", file.DroppedHere.Take(MostDrops))}.";
        }

        foreach (string note in UnansweredConnections.Notes(connections))
        {
            yield return note;
        }

        long large = connections.Count(c => c.NotSeparable);
        if (large > 0)
        {
            yield return $"On {Counted.Of(large, "connection")}, requests and responses overlap: the time cannot be divided among client, server and path.";
        }
    }

    private sealed record Listing(AnalysedConnection[] Connections, IReadOnlyList<AnalysedHost> Hosts);

    private sealed record Requests(AnalysedTransaction[] Transactions, AnalysisLadder? Example);

    /// <summary>The note on figures from events that no real trace has confirmed.</summary>
    private static IEnumerable<string> Unverified(RecordingResult result)
    {
        if (result.Traces.Any(t => t.Connections.Any(c => !c.Verified)))
        {
            yield return "The meaning of the events of Microsoft-Windows-TCPIP and Winsock-AFD is known only from their manifests. Figures from them are "
                + "marked \"verified\": false in JSON.";
        }
    }

    private static bool IsTrafficOnly(AnalysisReport report) =>
        report.Inputs.Count > 0 && report.Inputs.All(i => i.Events > 0 && i.Packets == 0)
        && !report.Inputs.SelectMany(i => i.EventCounts).Any(e => e.Provider == "Microsoft-Windows-TCPIP" && RecordingOutcome.TellsSends(e.Id));
}
