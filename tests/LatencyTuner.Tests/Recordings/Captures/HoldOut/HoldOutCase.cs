using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Tests.Capture;

namespace LatencyTuner.Tests.Recordings.Captures.HoldOut;

/// <summary>Connections whose cause is known, and what must be said about a capture of them.</summary>
internal sealed class HoldOutCase
{
    private readonly List<SimulatedConnection> _connections = [];
    private readonly List<(int? Tap, Func<RecordingResult, string?> Complaint)> _wanted = [];

    /// <summary>Where it is captured: 0 beside the client, 1 beside the server.</summary>
    public int[] Taps { get; init; } = [0, 1];

    /// <summary>Whether the capture begins before the connections.</summary>
    public bool Handshake { get; init; } = true;

    /// <summary>The clock of the capture goes in such steps, milliseconds; 0 for a fine one.</summary>
    public double StepMs { get; init; }

    /// <summary>What becomes of the packets before they are written; null for nothing.</summary>
    public Func<int, byte[]>? File { get; init; }

    public HoldOutCase With(params SimulatedConnection[] connections)
    {
        _connections.AddRange(connections);
        return this;
    }

    /// <summary>There must be one of these ids, separated by blanks, and they must cost so much together.</summary>
    public HoldOutCase Has(
        string ids, Side? side, double low, double high, Confidence least = Confidence.Likely, int? tap = null, long? count = null) => Wants(tap, result =>
    {
        Finding[] found = [.. Of(result, ids).Where(f => side is null || f.Side == side)];
        double cost = found.Sum(f => f.CostMs ?? 0);
        return !found.Any(f => f.Confidence >= least) ? $"no {least} {ids} {side}"
            : cost < low || cost > high ? FormattableString.Invariant($"{ids} cost {cost:0.0} ms, not {low:0.0} to {high:0.0}")
            : count is { } n && found.Sum(f => f.Count) != n ? $"{ids} counted {found.Sum(f => f.Count)}, not {n}" : null;
    });

    public HoldOutCase None(string ids, int? tap = null) => Wants(tap, result => Told(Of(result, ids)));

    public HoldOutCase AtMostPossible(string ids, int? tap = null) =>
        Wants(tap, result => Told(Of(result, ids).Where(f => f.Confidence > Confidence.Possible)));

    public HoldOutCase OnlyInfo(string ids, int? tap = null) => Wants(tap, result => Told(Of(result, ids).Where(f => f.Severity > Severity.Info)));

    /// <summary>Delayed ACKs that held nobody up are no cause.</summary>
    public HoldOutCase NoHarmfulAcks(int? tap = null) => Wants(tap, result => Told(Of(result, "LT103").Where(f => f.Harmful > 0)));

    /// <summary>What has these ids costs no more together.</summary>
    public HoldOutCase CostsAtMost(string ids, double ms, int? tap = null) => Wants(
        tap, result => Of(result, ids).Sum(f => f.CostMs ?? 0) is var cost && cost > ms
            ? FormattableString.Invariant($"{ids} cost {cost:0.0} ms, not {ms:0.0} at most") : null);

    public HoldOutCase Wants(int? tap, Func<RecordingResult, string?> complaint)
    {
        _wanted.Add((tap, complaint));
        return this;
    }

    /// <summary>What is wrong with what is said, at every tap.</summary>
    public IEnumerable<string> Complaints()
    {
        foreach (int tap in Taps)
        {
            RecordingResult result = Analysed(Capture(tap));
            IEnumerable<string?> told = _wanted.Where(w => w.Tap is null || w.Tap == tap).Select(w => w.Complaint(result));
            string[] complaints = [.. told.Append(OneOwner.Complaint(result.Evidence[0])).OfType<string>()];
            if (complaints.Length > 0)
            {
                yield return $"tap {tap}: {string.Join("; ", complaints)}  [{string.Join(", ", result.Findings.Select(Short))}]";
            }
        }
    }

    public byte[] Capture(int tap)
    {
        if (File is { } made)
        {
            return made(tap);
        }

        SegmentSequence sequence = new(_connections[0].Timestamps, _connections[0].Sack);
        foreach ((double at, Action<SegmentSequence> add) in _connections.SelectMany(c => c.Seen(tap, Handshake)).OrderBy(s => s.At))
        {
            add(sequence);
        }

        return sequence.Pcap(stepMs: StepMs);
    }

    public static RecordingResult Analysed(byte[] capture) => RecordingAnalysis.Run(
        [new RecordingInput("made.pcap", () => new MemoryStream(capture))], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None);

    private static IEnumerable<Finding> Of(RecordingResult result, string ids) => result.Findings.Where(f => ids.Split(' ').Contains(f.Id));

    private static string? Told(IEnumerable<Finding> findings) => findings.Any() ? "wrong: " + string.Join(", ", findings.Select(Short)) : null;

    private static string Short(Finding f) =>
        FormattableString.Invariant($"{f.Id} {f.Side} {f.Confidence} {f.Severity} x{f.Count} {f.CostMs:0.0} ms {f.CostShare:P0}");
}
