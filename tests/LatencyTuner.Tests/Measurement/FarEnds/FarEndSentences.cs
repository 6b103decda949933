using System.Net;
using LatencyTuner.Core.Measurement.FarEnds;
using Xunit;

namespace LatencyTuner.Tests.Measurement.FarEnds;

public sealed class FarEndSentences
{
    private static readonly StartLine Line = new()
    {
        Port = 4711,
        Token = "0123456789abcdef",
        Version = "9.9",
        Protocol = StartLine.OwnProtocol,
        Pid = 1,
        Addresses = [IPAddress.Parse("10.0.0.5")],
    };

    [Theory]
    [InlineData(255, true, "Permission denied (publickey).", "The remote shell failed: 'ssh db1' ended with exit code 255: Permission denied (publickey).")]
    [InlineData(127, true, "sh: 1: latencytuner: not found", "was not found, or could not be run, at the far end")]
    [InlineData(1, true, "'latencytuner' is not recognized as an internal or external command,", "was not found, or could not be run, at the far end")]
    [InlineData(9009, false, "", "was not found, or could not be run, at the far end")]
    [InlineData(2, true, "'--once' is not an option of 'latencytuner serve'.", "is of another version, which has no 'serve --once'")]
    [InlineData(131, true, "You must install .NET to run it.", "ended before its start line: 'ssh db1' ended with exit code 131: You must")]
    [InlineData(255, false, "", "ended before its start line: 'ssh db1' ended with exit code 255.")]
    [InlineData(null, true, "", "printed no start line within 60 s.")]
    public void Endings_AreToldApart(int? code, bool ssh, string errors, string says)
    {
        string sentence = FarEndFailures.NotStarted(
            new FarEndEnding
            {
                Command = "ssh db1",
                IsSsh = ssh,
                Program = "latencytuner",
                ExitCode = code,
                Errors = errors.Length == 0 ? [] : [errors],
                Waited = TimeSpan.FromSeconds(60),
            },
            "1.0");
        Assert.Contains(says, sentence, StringComparison.Ordinal);
        Assert.EndsWith(".", sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void OtherProtocol_IsAnotherVersion()
    {
        Assert.Null(FarEndFailures.OtherVersion(Line, "1.0"));
        Assert.Contains("protocol version 3", FarEndFailures.OtherVersion(Line with { Protocol = 3 }, "1.0"), StringComparison.Ordinal);
    }

    [Fact]
    public void Silence_IsAFirewall_WithTheRuleAndThePort()
    {
        DialFailure[] failures = [new(new IPEndPoint(Line.Addresses[0], 4711), DialFailureKind.Silent, "")];
        string sentence = FarEndFailures.Unreachable(Line, failures, "New-NetFirewallRule ...");
        Assert.Contains("10.0.0.5:4711 did not answer", sentence, StringComparison.Ordinal);
        Assert.Contains("open it there with \"New-NetFirewallRule ...\", or choose an open port with --via-port", sentence, StringComparison.Ordinal);
        Assert.Contains("allow TCP port 4711 for this machine there", FarEndFailures.Unreachable(Line, failures, null), StringComparison.Ordinal);
    }
}
