using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Reporting.Analysis;
using Xunit;

namespace LatencyTuner.Tests.Etw.Live;

/// <summary>Findings that are asked for while events come, and how a terminal shows them.</summary>
public sealed class LiveFindingsSoFar
{
    private const int LiveStep = 100;
    private static readonly DateTimeOffset Now = new(2026, 11, 21, 3, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Looking_ChangesNothing()
    {
        byte[] file = new EtlWriter().Add(LiveEvents.NagleAndDelayedAck()).ToArray();
        LiveTrace looked = Feed(file, trace => trace.Findings(default));
        LiveTrace unlooked = Feed(file, _ => { });

        RecordingResult result = looked.Finish(default, null, cancelled: false);

        Assert.Equal(Rows(unlooked.Finish(default, null, cancelled: false)), Rows(result));
        Assert.Equal(10, Assert.Single(result.Findings, f => f.Cause == Cause.NagleDelayedAck).Count);
        Assert.False(result.Cancelled);
    }

    [Fact]
    public void Findings_GrowWithTheEvents()
    {
        List<long> counts = [];
        Feed(
            new EtlWriter().Add(LiveEvents.NagleAndDelayedAck()).ToArray(),
            trace => counts.Add(trace.Findings(default).Findings.FirstOrDefault(f => f.Cause == Cause.NagleDelayedAck)?.Count ?? 0));

        Assert.Equal(counts.Order(), counts);
        Assert.Equal(10, counts[^1]);
        Assert.Contains(5, counts);
    }

    [Fact]
    public void EndedEarly_IsEvidence()
    {
        RecordingResult result =
            Feed(new EtlWriter().Add(LiveEvents.NagleAndDelayedAck()).ToArray(), _ => { }).Finish(
                new SessionLosses(7, 1, 0), "the trace was ended early: why", cancelled: false);

        Finding gaps = Assert.Single(result.Findings, f => f.Cause == Cause.EvidenceIncomplete);
        Assert.Contains("the trace was ended early: why", gaps.For);
        Assert.Contains("live session: the session lost 7 events and 1 buffer", gaps.For);
        Assert.True(result.Cancelled);
    }

    [Fact]
    public void Packets_AreJudgedAsThoseOfAFile()
    {
        string path = Path.Combine(Root(), "tests", "LatencyTuner.Tests", "Capture", "Data", "client.pcap");
        EtlWriter writer = new() { Frequency = 1_000_000_000 };
        using (ICaptureReader reader = CaptureContainer.Open(File.OpenRead(path), path))
        {
            long? first = null;
            for (ulong group = 1; reader.TryRead(out CapturedFrame frame); group++)
            {
                first ??= frame.TimeNs;
                writer.Add([.. PktMonEvents.Packet(writer.Origin + 1_000 + frame.TimeNs - first.Value, group, frame.Data.ToArray())]);
            }
        }

        byte[] file = writer.ToArray();
        RecordingResult live = Feed(file, trace => trace.Findings(default), LiveStep).Finish(default, null, cancelled: false);
        RecordingResult read =
            RecordingAnalysis.Run(
                [new RecordingInput("made.etl", () => new MemoryStream(file, writable: false))], RecordingFilter.All, SeverityLimits.Standard, null,
                TestContext.Current.CancellationToken);

        Assert.Equal(read.Files[0].Packets, live.Files[0].Packets);
        Assert.Equal(Causes(read), Causes(live));
        Assert.NotEmpty(Causes(live));
    }

    [Theory]
    [InlineData(60)]
    [InlineData(80)]
    [InlineData(120)]
    public void Table_FitsTheTerminal(int width)
    {
        Finding[] findings = [.. Enumerable.Range(0, 20).Select(i => new Finding
        {
            Id = "LT101",
            Cause = Cause.LossFastRetransmit,
            Side = Side.Network,
            Process = "a process with a very\u001b[2J long name.exe (" + i + ")",
            Confidence = Confidence.Likely,
            Severity = Severity.Warning,
            Count = 12_345,
            CostMs = 1_234_567,
            CostShare = 0.9876,
        })];

        IReadOnlyList<string> lines =
            LiveTraceText.Table(
                new LiveFindings(123_456_789, 200_000, findings), new SessionLosses(1_000_000, 1_000, 1), Now, TimeSpan.FromHours(2), TimeSpan.FromHours(24),
                200_000, width);

        Assert.Equal(1 + 15 + 1 + 2, lines.Count);
        Assert.All(lines, line => Assert.DoesNotContain('\u001b', line));
        Assert.All(lines.SkipLast(2), line => Assert.InRange(line.Length, 1, Math.Max(width - 1, 79)));
        Assert.Contains("  and 5 more causes that cost less", lines);
        Assert.Contains("LOST 1,000,000 events, 1,000 buffers", lines[^2], StringComparison.Ordinal);
        Assert.Matches(@" lost +of time$", lines[0]);
    }

    [Fact]
    public void Table_OfNothing_SaysSo() => Assert.Contains(
        "  no finding yet", LiveTraceText.Table(new LiveFindings(0, 0, []), default, Now, TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1), 0, 80));

    private static string[] Causes(RecordingResult result) =>
        [.. result.Findings.Where(f => f.Cause != Cause.EvidenceIncomplete).Select(f => $"{f.Id} {f.Side} {f.Host} {f.Count} {f.CostMs}")];

    private static string Root()
    {
        DirectoryInfo? at = new(AppContext.BaseDirectory);
        while (at is not null && !File.Exists(Path.Combine(at.FullName, "LatencyTuner.sln")))
        {
            at = at.Parent;
        }

        return at!.FullName;
    }

    private static LiveTrace Feed(byte[] file, Action<LiveTrace> each, int step = 1)
    {
        int taken = 0;
        using EtlReader reader = EtlReader.Open(file, "made.etl");
        LiveTrace trace = new(reader.Clock.StartUtc!.Value, RecordingFilter.All, SeverityLimits.Standard);
        reader.Read(
            (in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
            {
                trace.Take(in header, payload);
                if (++taken % step == 0)
                {
                    each(trace);
                }
            },
            TestContext.Current.CancellationToken);
        return trace;
    }

    private static string[] Rows(RecordingResult result) =>
        [.. result.Findings.Select(f => $"{f.Id} {f.Process} {f.Count} {f.CostMs} {string.Join('|', f.For)}")];
}
