using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures.Rules;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A thousand connections on which TCP makes nobody wait: no finding says otherwise.</summary>
public sealed class Innocents(ITestOutputHelper output)
{
    private const int Seeds = 1000;

    [Fact]
    public void NobodyIsAccused()
    {
        List<string> wrong = [];
        SortedDictionary<string, int> others = [];
        for (int seed = 0; seed < Seeds; seed++)
        {
            InnocentHosts hosts = new(seed);
            foreach (Finding finding in CaptureFindings.Of(hosts.Evidence()))
            {
                string told = $"{finding.Id} {finding.Severity} {finding.Confidence}";
                others[told] = others.GetValueOrDefault(told) + 1;
                if (IsFalse(finding))
                {
                    wrong.Add($"seed {seed}: {told} {finding.CostMs:0.0} ms, {finding.CostShare:P0}; {hosts.Told}: {string.Join("; ", finding.For)}");
                }
            }
        }

        output.WriteLine(string.Join('\n', others.Select(o => $"{o.Key}: {o.Value}").Concat(wrong)));
        Assert.Empty(wrong);
    }

    /// <summary>True for a stall that costs, and for Nagle's algorithm wherever it is called likely.</summary>
    private static bool IsFalse(Finding finding) => (finding.Severity > Severity.Info && finding.Cause != Cause.EvidenceIncomplete)
        || (finding.Cause is Cause.NagleDelayedAck or Cause.NagleHold && finding.Confidence > Confidence.Possible);
}
