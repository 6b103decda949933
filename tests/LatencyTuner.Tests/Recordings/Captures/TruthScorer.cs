using System.Globalization;
using System.IO.Compression;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>Scores the findings about a capture against what is known about it, by the rules beside labels.json.</summary>
internal static class TruthScorer
{
    private static readonly Dictionary<string, string[]> Ids = new()
    {
        ["nagle_delack_deadlock"] = ["LT101"],
        ["nagle_hold"] = ["LT102"],
        ["nagle"] = ["LT101", "LT102"],
        ["delayed_ack"] = ["LT103"],
        ["delayed-ack"] = ["LT103"],
        ["delayed_ack_as_cause"] = ["LT103"],
        ["rwnd_limited"] = ["LT111"],
        ["zero_window"] = ["LT112"],
        ["cwnd_limited"] = ["LT113"],
        ["congestion-window"] = ["LT113"],
        ["send_buffer"] = ["LT114"],
        ["many_small_segments"] = ["LT115"],
        ["loss"] = ["LT121", "LT122"],
        ["loss_rto_or_tlp"] = ["LT121"],
        ["loss_fast_retransmit"] = ["LT122"],
        ["reordering"] = ["LT123"],
        ["network_rtt"] = ["LT131"],
        ["bufferbloat"] = ["LT132"],
        ["server_think"] = ["LT141"],
        ["client_think"] = ["LT142"],
    };

    /// <summary>Says where the time goes; no verdict that could be wrong unless it is forbidden by name.</summary>
    private static readonly string[] Explaining = ["LT131", "LT141", "LT142"];

    public static CaptureEvidence Analyse(string path)
    {
        CaptureAnalyser analyser = new();
        ConnectionTracker tracker = new(analyser);
        SegmentDecoder decoder = new();
        using ICaptureReader reader = CaptureContainer.Open(File.OpenRead(path), path);
        while (reader.TryRead(out CapturedFrame frame))
        {
            if (decoder.Decode(in frame, out TcpSegment segment) == DecodeOutcome.Tcp)
            {
                tracker.Add(in segment);
            }
        }

        tracker.Finish();
        analyser.Finish(tracker.Silences);
        return new CaptureEvidence { Connections = analyser.Connections, Hosts = analyser.Hosts, Limits = SeverityLimits.Standard };
    }

    /// <summary>What was found, what was missed, what is wrong.</summary>
    public static (List<string> Found, List<string> Missed, List<string> Wrong) Score(
        TruthLabel label, CaptureEvidence evidence, IReadOnlyList<Finding> findings)
    {
        List<string> found = [];
        List<string> missed = [];
        List<string> wrong = [];
        Finding[] likely = [.. findings.Where(f => f.Confidence >= Confidence.Likely && f.Id != "LT301")];
        HashSet<Finding> expected = [];
        foreach (string cause in label.Causes.Where(c => !c.StartsWith("none", StringComparison.Ordinal)))
        {
            string[] parts = cause.Split(':');
            Finding? match =
                likely.FirstOrDefault(
                    f => Ids[parts[0]].Contains(f.Id)
                        && (parts.Length == 1 || f.Side?.ToString().Equals(parts[1], StringComparison.OrdinalIgnoreCase) == true));
            foreach (Finding f in likely.Where(f => Ids[parts[0]].Contains(f.Id)))
            {
                expected.Add(f);
            }

            (match is null || !TimerFits(label, evidence, match) ? missed : found).Add(cause);
        }

        foreach (Finding f in findings.Where(f => f.Confidence >= Confidence.Likely))
        {
            bool forbidden =
                label.MustNot.Any(
                    m => Ids[m].Contains(f.Id) && (m != "delayed_ack_as_cause" || f.Harmful > 0)
                        && (f.Id != "LT103" || m.StartsWith("delayed", StringComparison.Ordinal)));
            bool allowed = expected.Contains(f) || label.May.Any(m => Ids.TryGetValue(m, out string[]? ids) && ids.Contains(f.Id))
                || Explaining.Contains(f.Id) || (f.Id == "LT103" && f.Harmful == 0);
            if (forbidden || !allowed)
            {
                wrong.Add($"{f.Id} {f.Side} x{f.Count} cost {f.CostShare?.ToString("P0", CultureInfo.InvariantCulture)}");
            }
        }

        return (found, missed, wrong);
    }

    /// <summary>What the findings say that something cost, in milliseconds, beside what it did cost; where they name it at all.</summary>
    public static IEnumerable<(string Of, double CostMs, double Low, double High)> Costs(TruthLabel label, string vantage, IReadOnlyList<Finding> findings)
    {
        foreach ((string key, (double low, double high)) in label.Costs)
        {
            string[] parts = key.Split('@');
            string[] ids = parts[0].Split('+');
            Finding[] told = [.. findings.Where(f => ids.Contains(f.Id) && f.Confidence >= Confidence.Likely)];
            if (told.Length > 0 && (parts.Length == 1 || parts[1] == vantage))
            {
                yield return (parts[0], told.Sum(f => f.CostMs ?? 0), low, high);
            }
        }
    }

    /// <summary>The findings that accuse somebody on connections on which nobody waited for TCP.</summary>
    public static IEnumerable<Finding> FalseAlarms(TruthLabel label, IEnumerable<Finding> findings) => findings.Where(
        f => f.Id != "LT301" && !label.May.Any(m => Ids[m].Contains(f.Id))
            && (f.Severity > Severity.Info || (f.Confidence > Confidence.Possible && Accuses(f))));

    private static bool Accuses(Finding f) =>
        f.Id is "LT101" or "LT102" or "LT111" or "LT112" or "LT113" or "LT114" or "LT115" || (f.Id == "LT103" && f.Harmful > 0);

    /// <summary>The server's time of each transaction in milliseconds: truth and estimate.</summary>
    public static IEnumerable<(double Truth, double Estimate, double Low, double High)> ServerTimes(string truthPath, CaptureEvidence evidence)
    {
        Dictionary<(int Port, int Index), (long Done, long Write)> truth = [];
        using StreamReader reader = new(new GZipStream(File.OpenRead(truthPath), CompressionMode.Decompress));
        reader.ReadLine();
        while (reader.ReadLine() is { } line)
        {
            string[] f = line.Split('\t');
            (int, int) key = (int.Parse(f[0], CultureInfo.InvariantCulture), int.Parse(f[1], CultureInfo.InvariantCulture));
            long time = long.Parse(f[3], CultureInfo.InvariantCulture);
            (long done, long write) = truth.GetValueOrDefault(key);
            truth[key] = f[2] switch { "s_req_done" => (time, write), "s_resp_write" => (done, time), _ => (done, write) };
        }

        foreach (ConnectionFacts c in evidence.Connections)
        {
            for (int i = 0; i < c.Transactions.Count; i++)
            {
                if (truth.TryGetValue((c.ClientPort, i), out (long Done, long Write) t) && t.Done != 0 && t.Write != 0)
                {
                    yield return ((t.Write - t.Done) / 1e6, c.Transactions[i].ServerNs / 1e6, c.Transactions[i].ServerLowNs / 1e6,
                        c.Transactions[i].ServerHighNs / 1e6);
                }
            }
        }
    }

    private static bool TimerFits(TruthLabel label, CaptureEvidence evidence, Finding finding)
    {
        if (finding.Id is not ("LT101" or "LT103") || label.TimerMs is not { } timer)
        {
            return true;
        }

        IpAddressValue host = finding.Id == "LT103" ? IpAddressValue.From(System.Net.IPAddress.Parse(finding.Host!))
            : evidence.Hosts.Keys.First(h => h.ToString() != finding.Host);
        return evidence.TimerOf(host) is { } inferred && Math.Abs(inferred.Ms - timer) <= 0.15 * timer;
    }
}
