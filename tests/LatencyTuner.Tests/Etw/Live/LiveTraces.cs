using System.Text.Json;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Tests.Commands;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Etw.Live;

/// <summary>The live path from the command to the calls of Windows and back to the report.</summary>
public sealed class LiveTraces
{
    [Theory]
    [InlineData("Latency")]
    [InlineData("Detail")]
    [InlineData("Packets")]
    public void Session_IsWhatTheProfileSays_AndIsStopped(string name)
    {
        EtwProfile profile = EtwProfile.Find(name);
        using TraceStand stand = new();

        CliRun run = stand.Run("trace", "--duration", "1s", "--profile", name);

        Assert.True(run.Code == 7, run.Error);
        string start = Assert.Single(stand.Calls, c => c.StartsWith("start ", StringComparison.Ordinal));
        SessionBuffers buffers = SessionBuffers.For(Environment.ProcessorCount, null);
        Assert.Contains($"buffers={buffers.Count}x{buffers.KiB}K", start, StringComparison.Ordinal);
        Assert.Equal(
            profile.Providers.Select(
                p =>
                    $"{p.Provider} control=1 level={p.Level} any={p.Keywords:x} all=0 timeout=10000 "
                    + $"property=0{(p.EventIds.Count > 0 ? " ids=" : "")}{string.Join(',', p.EventIds)} -> 0"),
            stand.Calls.Where(c => c.StartsWith("enable ", StringComparison.Ordinal)).Select(c => c.Split(' ', 3)[2]));
        Assert.Equal(
            profile.Providers.Where(p => p.CaptureKeywords != 0).Select(p => $"{p.Provider} any={p.CaptureKeywords:x} -> 0"),
            stand.Calls.Where(c => c.StartsWith("capture ", StringComparison.Ordinal)).Select(c => c.Split(' ', 3)[2]));
        Assert.Single(stand.Calls, c => c.StartsWith("control ", StringComparison.Ordinal) && c.EndsWith("code=1 -> 0", StringComparison.Ordinal));
        Assert.Empty(stand.Sessions);
        // What belongs to the whole machine, such as the profiling interval, is left alone.
        Assert.DoesNotContain(stand.Calls, c => c.StartsWith("set ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Findings_AreThoseOfTheFile()
    {
        EtlRecord[] events = LiveEvents.NagleAndDelayedAck();
        using TraceStand stand = new TraceStand().Events(events).Written(new EtlWriter().Add(events).ToArray());

        CliRun live = stand.Run("trace", "--duration", "2s", "--min-free", "0", "--output", stand["written.etl"], "--format", "json");

        Assert.True(live.Code == 0, live.Error);
        Assert.Empty((await PublishedSchemas.Validator("analysis")).Validate(live.Out).Select(e => e.ToString()));
        Assert.Contains("LT101 error: process 77", live.Error, StringComparison.Ordinal);
        CliRun file = CliRun.Of("analyze", stand["written.etl"], "--format", "json").Done();
        Assert.Equal(Findings(file.Out), Findings(live.Out));
        Assert.Contains("LT101", Findings(live.Out)[0], StringComparison.Ordinal);
        using JsonDocument document = JsonDocument.Parse(live.Out);
        JsonElement input = document.RootElement.GetProperty("inputs")[0];
        Assert.Equal(
            ("live session", "live", (long)events.Length),
            (input.GetProperty("path").GetString(), input.GetProperty("kind").GetString(), input.GetProperty("events").GetInt64()));
        Assert.True(document.RootElement.GetProperty("complete").GetBoolean());
    }

    [Fact]
    public void File_IsASessionOfItsOwn_ThatWrapsAroundAndEndsWithTheState()
    {
        using TraceStand stand = new TraceStand().Events(LiveEvents.NagleAndDelayedAck()).Written([1]);

        stand.Run("trace", "--duration", "1s", "--output", stand["t.etl"], "--max-file-size", "64MiB", "--min-free", "0");

        string file = Assert.Single(stand.Calls, c => c.StartsWith("start ", StringComparison.Ordinal) && c.Contains("-file ", StringComparison.Ordinal));
        Assert.Contains("mode=8000002 cap=64 ", file, StringComparison.Ordinal);
        Assert.EndsWith($"file={stand["t.etl"]} -> 0", file, StringComparison.Ordinal);
        string[] asked = [.. stand.Calls.Where(c => c.StartsWith("capture ", StringComparison.Ordinal) && c.Contains("-file ", StringComparison.Ordinal))];
        Assert.Equal(2 * EtwProfile.Find("Detail").Providers.Count(p => p.CaptureKeywords != 0), asked.Length);
        Assert.Empty(stand.Sessions);
    }

    [Fact]
    public void Rundown_NamesProcessAndConnectionFromBefore()
    {
        using TraceStand stand = new TraceStand().Events(LiveEvents.NagleAndDelayedAck(connects: false))
            .Rundown(LiveEvents.Connection(), LiveEvents.Process(77, @"\Device\HarddiskVolume3\apps\orders.exe"));

        (int code, JsonElement report, string? error) = stand.Json("trace", "--duration", "1s");

        Assert.True(code == 0, error);
        JsonElement finding = report.GetProperty("findings")[0];
        Assert.Equal(
            ("LT101", "orders.exe (77)", 10),
            (finding.GetProperty("id").GetString(), finding.GetProperty("process").GetString(), finding.GetProperty("count").GetInt32()));
        Assert.Equal("10.0.0.5:50000 > 10.0.0.9:1433", finding.GetProperty("connections")[0].GetString());
    }

    [Fact]
    public void WhatIsNotInTheProfile_IsNotDelivered()
    {
        EtlRecord stray = EtlRecord.Manifest(5_000_000_001, 0, TcpEventDecoder.TcpipProvider, 1001, 0, new byte[8]);
        EtlRecord stranger = EtlRecord.Manifest(5_000_000_002, 0, new Guid("11111111-2222-3333-4444-555555555555"), 1, 0, new byte[8]);
        using TraceStand stand = new TraceStand().Events([.. LiveEvents.NagleAndDelayedAck(), stray, stranger]);

        (int _, JsonElement report, string _) = stand.Json("trace", "--duration", "1s");

        Assert.Equal(2, stand.Counted().Filtered);
        Assert.Equal(stand.Counted().Delivered, report.GetProperty("inputs")[0].GetProperty("events").GetInt64());
        Assert.DoesNotContain(report.GetProperty("inputs")[0].GetProperty("eventCounts").EnumerateArray(), c => c.GetProperty("id").GetInt32() is 1001 or 1);
    }

    [Fact]
    public void Pid_ChoosesByTheOwnerOfTheConnection()
    {
        using TraceStand stand = new TraceStand().Events([.. LiveEvents.NagleAndDelayedAck(77, 50_000), .. LiveEvents.NagleAndDelayedAck(88, 50_001)]);

        (int _, JsonElement report, string? error) = stand.Json("trace", "--duration", "1s", "--pid", "88");

        Assert.Equal(
            ["process 88"],
            report.GetProperty("findings").EnumerateArray().Where(f => f.GetProperty("id").GetString() != "LT301")
                .Select(f => f.GetProperty("process").GetString()).Distinct());
        Assert.Equal(["10.0.0.5:50001 > 10.0.0.9:1433"], report.GetProperty("connections").EnumerateArray().Select(c => c.GetProperty("id").GetString()));
        Assert.DoesNotContain("process 77", error, StringComparison.Ordinal);
        // No filter of Windows': timers run in any process.
        Assert.DoesNotContain(stand.Calls, c => c.Contains("filter=", StringComparison.Ordinal));
    }

    [Fact]
    public void AMillionEventsASecond_ArriveOrAreCounted()
    {
        EtlRecord[] events = LiveEvents.NagleAndDelayedAck();
        using TraceStand stand =
            new TraceStand($"repeat={1_000_000 / events.Length}", "span_ns=6000000000", "rate=1000000", "wait_for_room=0", "ring=100000").Events(events);

        (int _, JsonElement report, string? error) = stand.Json("trace", "--duration", "2s", "--max-events-per-second", "10000000", "--max-lost-share", "100%");

        (long produced, long filtered, long delivered, long lost) = stand.Counted();
        JsonElement input = report.GetProperty("inputs")[0];
        Assert.True(produced == 1_000_000 / events.Length * events.Length && filtered == 0, error);
        Assert.Equal(produced, delivered + lost);
        Assert.Equal((delivered, lost), (input.GetProperty("events").GetInt64(), input.GetProperty("lost").GetProperty("events").GetInt64()));
    }

    [Fact]
    public void AMillionEvents_WithRoomForThem_AllArrive()
    {
        EtlRecord[] events = LiveEvents.NagleAndDelayedAck();
        using TraceStand stand = new TraceStand($"repeat={1_000_000 / events.Length}", "span_ns=6000000000").Events(events);

        (int _, JsonElement report, string _) = stand.Json("trace", "--duration", "2s", "--max-events-per-second", "10000000");

        (long produced, long _, long delivered, long lost) = stand.Counted();
        Assert.Equal((produced, 0L), (delivered, lost));
        Assert.Equal(produced, report.GetProperty("inputs")[0].GetProperty("events").GetInt64());
    }

    [Fact]
    public void Terminal_ShowsATableAndTakesItAway()
    {
        using TraceStand stand = new TraceStand().Events(LiveEvents.NagleAndDelayedAck());
        using CliProcess process = stand.Start(["env", "LATENCYTUNER_ETW_TERMINAL=1"], "trace", "--duration", "2s");

        Assert.Equal(0, process.WaitForExit(TraceStand.Patience));
        Assert.Contains("LT101 error", process.Error, StringComparison.Ordinal);
        Assert.Contains("nothing lost. ", process.Error.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.EndsWith("\u001b[0J", process.Error, StringComparison.Ordinal);
    }

    private static string[] Findings(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return
        [
            .. document.RootElement.GetProperty("findings").EnumerateArray().Where(f => f.GetProperty("id").GetString() != "LT301")
                .Select(
                    f =>
                        $"{f.GetProperty("id")} {f.GetProperty("side")} {f.GetProperty("process")} {f.GetProperty("count")} "
                        + $"{f.GetProperty("costMs").GetDouble():0.0} {f.GetProperty("connections")}"),
        ];
    }
}
