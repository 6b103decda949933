using System.Text.Json;
using LatencyTuner.Commands;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Etw.Live;

/// <summary>However a live trace ends, no session of it stays, and none of anybody else's goes.</summary>
public sealed class LiveTraceEnds
{
    [Theory]
    [InlineData("start_error=5", "denied the trace session", "EDR")]
    [InlineData("start_error=183", "already exists", "logman stop")]
    [InlineData("start_error=1450", "64 at a time", "logman query -ets")]
    [InlineData("start_error=87", "refused the trace session", "error 87")]
    [InlineData("enable_error=5", "denied Microsoft-Windows-TCPIP", "EDR")]
    [InlineData("enable_error=1450", "Eight sessions", "Microsoft-Windows-TCPIP")]
    [InlineData("enable_error=1460", "did not confirm", "Microsoft-Windows-TCPIP")]
    [InlineData("enable_error=1450 enable_error_at=2", "Eight sessions", "Microsoft-Windows-Kernel-Process")]
    [InlineData("max_sessions=0", "64 at a time", "logman query -ets")]
    [InlineData("elevated=0", "elevated process", "Run as administrator")]
    public void Refused_IsOneSentence_AndNothingStays(string scenario, string why, string hint)
    {
        using TraceStand stand = new(scenario.Split(' '));

        stand.Run("trace").Failed(4, why, hint);

        Assert.Empty(stand.Sessions);
    }

    [Theory]
    [InlineData("file_start_error=5", "may not write")]
    [InlineData("file_start_error=32", "in use by another program")]
    [InlineData("file_start_error=112", "is full")]
    [InlineData("file_start_error=183", "logman query -ets")]
    public void FileRefused_IsOneSentence_AndNothingStays(string scenario, string why)
    {
        using TraceStand stand = new(scenario);

        stand.Run("trace", "--min-free", "0", "--output", stand["t.etl"]).Failed(4, why, "t.etl");

        Assert.Empty(stand.Sessions);
    }

    [Fact]
    public void OffWindows_IsRefused() => CliRun.Of("trace").Failed(4, "captures events of Windows", "latencytuner profiles Detail", "latencytuner analyze");

    [Fact]
    public void TheProgram_KnowsNothingOfTheStandIn() =>
        Assert.DoesNotContain(
            "LATENCYTUNER_ETW", System.Text.Encoding.Unicode.GetString(File.ReadAllBytes(typeof(Cli).Assembly.Location)),
            StringComparison.Ordinal);

    [Fact]
    public void Unelevated_NoSessionIsTouched()
    {
        using TraceStand stand = new("elevated=0");

        stand.Run("trace").Failed(4);

        Assert.All(stand.Calls, c => Assert.StartsWith("elevation ", c, StringComparison.Ordinal));
    }

    [Fact]
    public void AlreadyThere_IsNotStopped()
    {
        using TraceStand stand = new("start_error=183");

        stand.Run("trace").Failed(4);

        Assert.DoesNotContain(stand.Calls, c => c.StartsWith("control ", StringComparison.Ordinal));
    }

    [Fact]
    public void DiskFloor_RefusesBeforeAnySession()
    {
        using TraceStand stand = new();

        stand.Run("trace", "--output", stand["t.etl"], "--min-free", "1048576GiB").Failed(4, "--min-free", "t.etl");

        Assert.DoesNotContain(stand.Calls, c => c.StartsWith("start ", StringComparison.Ordinal));
    }

    [Fact]
    public void TooManyEvents_EndIt()
    {
        EtlRecord[] events = LiveEvents.NagleAndDelayedAck();
        using TraceStand stand = new TraceStand("repeat=2000", "span_ns=6000000000").Events(events);

        (int code, JsonElement report, string _) = stand.Json("trace", "--duration", "10m", "--max-events-per-second", "100/s");

        Ended(stand, code, report, "above the limit of 100 events/s (--max-events-per-second)");
    }

    [Fact]
    public void SlowConsumer_LosesEvents_WhichIsToldAndEndsIt()
    {
        EtlRecord[] events = LiveEvents.NagleAndDelayedAck();
        using TraceStand stand = new TraceStand("repeat=200", "span_ns=6000000000", "ring=64", "slow_us=200", "wait_for_room=0").Events(events);

        (int code, JsonElement report, string? error) = stand.Json("trace", "--duration", "10m", "--max-lost-share", "1%");

        Ended(stand, code, report, "(--max-lost-share)");
        Assert.Contains("The trace was ended early: ", error, StringComparison.Ordinal);
        (long produced, long _, long delivered, long lost) = stand.Counted();
        Assert.True(lost > 0);
        Assert.Equal(produced, delivered + lost);
        Assert.Equal(lost, report.GetProperty("inputs")[0].GetProperty("lost").GetProperty("events").GetInt64());
    }

    [Fact]
    public void AFewLost_AreToldAndEndNothing()
    {
        using TraceStand stand = new TraceStand("lost=5", "buffers_lost=2").Events(LiveEvents.NagleAndDelayedAck());

        (int code, JsonElement report, string? error) = stand.Json("trace", "--duration", "2s");

        Assert.Equal(0, code);
        Assert.Contains("The session lost 5 events and 2 buffers so far.", error, StringComparison.Ordinal);
        JsonElement lost = report.GetProperty("inputs")[0].GetProperty("lost");
        Assert.Equal((5, 2), (lost.GetProperty("events").GetInt32(), lost.GetProperty("buffers").GetInt32()));
        Assert.Contains("the session lost 5 events and 2 buffers", Evidence(report), StringComparison.Ordinal);
    }

    [Fact]
    public void StoppedFromOutside_IsSaid()
    {
        using TraceStand stand = new TraceStand("end_after_replay=1").Events(LiveEvents.NagleAndDelayedAck());

        (int code, JsonElement report, string _) = stand.Json("trace", "--duration", "10m");

        Ended(stand, code, report, "stopped from outside");
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public void Signal_EndsItWithItsReport(string signal)
    {
        using TraceStand stand = new TraceStand().Events(LiveEvents.NagleAndDelayedAck());
        using CliProcess process = stand.Start(["env", "--default-signal=INT,TERM"], "trace", "--duration", "10m", "--format", "json");
        Until(() => stand.Calls.Any(c => c.StartsWith("replayed ", StringComparison.Ordinal)));

        process.Signal(signal);

        Assert.Equal(130, process.WaitForExit(TraceStand.Patience));
        Assert.Empty(stand.Sessions);
        using JsonDocument document = JsonDocument.Parse(process.Out);
        Assert.False(document.RootElement.GetProperty("complete").GetBoolean());
        Assert.Equal("LT101", document.RootElement.GetProperty("findings")[0].GetProperty("id").GetString());
    }

    [Fact]
    public void Killed_LeavesASession_WhichTheNextTraceRemoves()
    {
        using TraceStand stand = new TraceStand().Events(LiveEvents.NagleAndDelayedAck());
        using (CliProcess process = stand.Start([], "trace", "--duration", "10m", "--output", stand["t.etl"], "--min-free", "0"))
        {
            Until(() => stand.Calls.Any(c => c.StartsWith("replayed ", StringComparison.Ordinal)));
            process.Signal("KILL");
            process.WaitForExit(TraceStand.Patience);
        }

        string[] left = stand.Sessions;
        Assert.Equal(2, left.Length);

        CliRun next = stand.Run("trace", "--duration", "1s");

        Assert.True(next.Code == 0, next.Error);
        Assert.All(left, name => Assert.Contains($"Removed the trace session {name}: its process has ended.", next.Error, StringComparison.Ordinal));
        Assert.Empty(stand.Sessions);
    }

    [Fact]
    public void SessionsOfOthers_Stay()
    {
        string colleague = TraceStand.Ours().ToString();
        string reused = TraceStand.Ours(TimeSpan.FromDays(1)).ToString();
        string[] strangers = ["NT Kernel Logger", "LatencyTuner", "LatencyTuner-1", "LatencyTuner-1-20261121T101500000Z-copy", "DiagTrack"];
        using TraceStand stand = new TraceStand().Session(colleague).Session(reused);
        Array.ForEach(strangers, s => stand.Session(s));

        CliRun run = stand.Run("trace", "--duration", "1s");

        Assert.Contains($"Removed the trace session {reused}", run.Error, StringComparison.Ordinal);
        Assert.Equal(strangers.Append(colleague).Order(StringComparer.Ordinal), stand.Sessions);
    }

    [Fact]
    public void SessionsThatCannotBeListed_AreNoReasonToStop()
    {
        using TraceStand stand = new TraceStand("query_error=8").Events(LiveEvents.NagleAndDelayedAck());

        CliRun run = stand.Run("trace", "--duration", "1s");

        Assert.True(run.Code == 0, run.Error);
        Assert.Contains("The list of trace sessions could not be read", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void StateThatIsNotTold_IsSaid()
    {
        using TraceStand stand = new TraceStand("capture_error=50").Events(LiveEvents.NagleAndDelayedAck());

        CliRun run = stand.Run("trace", "--duration", "1s");

        Assert.Contains("Microsoft-Windows-TCPIP did not report its state before the trace (error 50)", run.Error, StringComparison.Ordinal);
        Assert.Empty(stand.Sessions);
    }

    private static void Ended(TraceStand stand, int code, JsonElement report, string why)
    {
        Assert.Equal(7, code);
        Assert.False(report.GetProperty("complete").GetBoolean());
        Assert.Contains(why, Evidence(report), StringComparison.Ordinal);
        Assert.Empty(stand.Sessions);
    }

    private static string Evidence(JsonElement report) =>
        string.Join(
            '\n', report.GetProperty("findings").EnumerateArray().Single(f => f.GetProperty("id").GetString() == "LT301").GetProperty("for").EnumerateArray()
                .Select(f => f.GetString()));

    private static void Until(Func<bool> condition)
    {
        for (int i = 0; i < 6000 && !condition(); i++)
        {
            TestContext.Current.CancellationToken.WaitHandle.WaitOne(20);
        }

        Assert.True(condition());
    }
}
