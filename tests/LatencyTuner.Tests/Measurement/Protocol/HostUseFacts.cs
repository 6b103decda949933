using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Scheduling;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Protocol;

/// <summary>What a responder tells of its machine: optional, at the end of its result, and never trusted.</summary>
public sealed class HostUseFacts
{
    private static RunResult Read(HostUse? use) => RunResult.Read((ScriptedResponder.Result(3, 192) with { Host = use }).Write());

    [Fact]
    public void Told_ComesBack()
    {
        HostUse told = new()
        {
            ElapsedNs = 5_000_000_000,
            Processors = 4,
            MachineBusyShare = 0.25,
            ProcessProcessors = 1.5,
            DelayCount = 4900,
            DelayP50Ns = 12_000,
            DelayP99Ns = 90_000,
            DelayMaxNs = 3_000_000,
            GcPauseNs = 700_000,
            GcCount = 2,
        };

        Assert.Equal(told, Read(told).Host);
    }

    [Fact]
    public void Unknown_StaysUnknown() => Assert.Equal(new HostUse { Processors = 1 }, Read(new HostUse { Processors = 1 }).Host);

    [Fact]
    public void NotTold_IsWhatOlderEndsSendAndRead()
    {
        RunResult result = Read(null);

        Assert.Null(result.Host);
        Assert.Equal(3, result.Messages);
    }

    [Fact]
    public void NewerFields_AreIgnored()
    {
        byte[] payload = (ScriptedResponder.Result(3, 192) with { Host = new HostUse { Processors = 2 } }).Write();
        payload[ScriptedResponder.Result(3, 192).Write().Length]++;

        Assert.Equal(2, RunResult.Read([.. payload, .. new byte[8]]).Host!.Processors);
    }

    [Fact]
    public void Impossible_IsHeldToWhatIsPossible()
    {
        HostUse held = Read(new HostUse
        {
            ElapsedNs = 1000,
            Processors = -7,
            MachineBusyShare = 12,
            ProcessProcessors = 1e6,
            DelayCount = -1,
            DelayP50Ns = long.MaxValue,
            DelayP99Ns = long.MinValue,
            GcPauseNs = long.MaxValue,
            GcCount = -1,
        }).Host!;

        Assert.Equal(new HostUse { ElapsedNs = 1000, MachineBusyShare = 1, ProcessProcessors = 1, DelayP50Ns = 1000, GcPauseNs = 1000 }, held);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(40)]
    [InlineData(79)]
    public void CutOff_IsRefused(int left)
    {
        byte[] payload = (ScriptedResponder.Result(3, 192) with { Host = new HostUse { Processors = 2 } }).Write();

        Assert.Throws<ProtocolException>(() => RunResult.Read(payload.AsSpan(0, ScriptedResponder.Result(3, 192).Write().Length + 1 + left)));
    }
}
