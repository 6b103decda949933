using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using LatencyTuner.Core.Analysis.Diagnosis;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Statistics;

namespace LatencyTuner.Core.Reporting.Diagnosis;

/// <summary>The <c>diagnosis</c> document.</summary>
public sealed record DiagnosisReport : Report
{
    /// <summary><c>latencytuner/diagnosis/2</c>.</summary>
    [JsonPropertyOrder(-2)]
    public string Schema { get; init; } = "latencytuner/diagnosis/2";

    /// <summary>Why the experiment ended early, a sentence; null when it did not.</summary>
    public string? EndedBecause { get; init; }

    /// <summary>The target that was measured.</summary>
    public required TargetDescription Target { get; init; }

    /// <summary>Number of finished rounds of the interleaved experiment.</summary>
    public required int Rounds { get; init; }

    /// <summary>Request size in bytes.</summary>
    public int SizeBytes { get; init; }

    /// <summary>Sizes of the two writes of a split request in bytes.</summary>
    public IReadOnlyList<int> WritesBytes { get; init; } = [];

    /// <summary>The combinations of write pattern and options that were measured.</summary>
    [Required]
    public IReadOnlyList<DiagnosisCell> Cells { get; init; } = [];

    /// <summary>The verdict for requests in two writes.</summary>
    public required DiagnosisVerdict Diagnosis { get; init; }

    /// <summary>The verdict for replies in two writes; null when they were not measured.</summary>
    public DiagnosisVerdict? ReplyDiagnosis { get; init; }

    /// <summary>Both verdicts with their fixes, the worst first. Not part of the document: made again from the verdicts when a document is read.</summary>
    [JsonIgnore]
    public IReadOnlyList<DiagnosisDirection> Directions { get; init; } = [];

    /// <summary>The fixes, best measured effect first.</summary>
    [Required]
    public IReadOnlyList<DiagnosisFix> Fixes { get; init; } = [];

    /// <summary>The same experiment on loopback, for comparison; null when the target is loopback or it was left out.</summary>
    public DiagnosisContext? Loopback { get; init; }

    /// <summary>The findings.</summary>
    [Required]
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>What the reader must know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>One combination of write pattern and options.</summary>
public sealed record DiagnosisCell
{
    /// <summary><c>single</c> (one write each way), <c>split</c> (the request in two writes) or <c>split-reply</c> (the reply in two writes).</summary>
    public required string Pattern { get; init; }

    /// <summary>TCP_NODELAY at the client.</summary>
    public required bool NoDelay { get; init; }

    /// <summary>TCP_NODELAY at the server.</summary>
    public required bool PeerNoDelay { get; init; }

    /// <summary>ACK behaviour requested at the client: <c>default</c> or <c>immediate</c>.</summary>
    public required string Ack { get; init; }

    /// <summary>ACK behaviour requested at the server: <c>default</c> or <c>immediate</c>.</summary>
    public required string PeerAck { get; init; }

    /// <summary>Number of requests over all rounds.</summary>
    [Range(0, double.MaxValue)]
    public required long N { get; init; }

    /// <summary>Shortest response time in microseconds.</summary>
    public double? MinUs { get; init; }

    /// <summary>Mean response time in microseconds.</summary>
    public double? MeanUs { get; init; }

    /// <summary>Median response time in microseconds; null with too few samples.</summary>
    [Required]
    public double? P50Us { get; init; }

    /// <summary>99th percentile of the response time in microseconds; null with too few samples.</summary>
    [Required]
    public double? P99Us { get; init; }

    /// <summary>Longest response time in microseconds.</summary>
    public double? MaxUs { get; init; }

    /// <summary>Share (0 to 1) of requests that stalled.</summary>
    public required double StallShare { get; init; }

    /// <summary>Median wait of the stalled requests in milliseconds.</summary>
    public double? StallMedianMs { get; init; }

    /// <summary>Pure ACKs per request that the sender of the split writes received, as its kernel counts them.</summary>
    public double? PureAcksPerRequest { get; init; }

    /// <summary>Smoothed RTT in microseconds at the end that sends the split writes.</summary>
    public double? SenderSrttUs { get; init; }

    /// <summary>Minimum RTT in microseconds at the end that sends the split writes.</summary>
    public double? SenderMinRttUs { get; init; }

    /// <summary>95 % intervals by the name of the figure, for example <c>p50Us</c>.</summary>
    public IReadOnlyDictionary<string, IntervalFigures> Intervals { get; init; } = new Dictionary<string, IntervalFigures>();

    /// <summary>Why the cell could not be measured, a clause without a full stop; null when it was.</summary>
    public string? NotMeasuredBecause { get; init; }
}

/// <summary>The verdict on messages of one direction with its fixes, as pages show it.</summary>
/// <param name="Messages">What is written in this direction: "Requests" or "Replies".</param>
/// <param name="Verdict">What messages in pieces pay.</param>
/// <param name="Beside">The verdict beside a worse one of the other direction, one or two sentences.</param>
/// <param name="Fixes">The fixes, the best measured effect first.</param>
public sealed record DiagnosisDirection(string Messages, DiagnosisVerdict Verdict, string Beside, IReadOnlyList<DiagnosisFix> Fixes);

/// <summary>The loopback experiment beside a remote one. On Windows, loopback may hide the stall: a result without a stall there proves nothing.</summary>
public sealed record DiagnosisContext
{
    /// <summary>The combinations that were measured on loopback.</summary>
    public IReadOnlyList<DiagnosisCell> Cells { get; init; } = [];

    /// <summary>The verdict on loopback.</summary>
    public required DiagnosisVerdict Verdict { get; init; }
}
