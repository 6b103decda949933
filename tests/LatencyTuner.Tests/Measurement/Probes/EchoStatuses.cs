using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Probes;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Probes;

/// <summary>The numbers that Windows' echo function ends with, in words (ipexport.h, winerror.h).</summary>
public sealed class EchoStatuses
{
    private static readonly TimeSpan Waited = TimeSpan.FromSeconds(2);

    [Theory]
    [InlineData(11010, ProbeFailure.Timeout, "web2 did not answer an ICMP echo request (it may be down, or ICMP may be filtered) within 2 s.")]
    [InlineData(11003, ProbeFailure.Unreachable, "web2 is unreachable: a router reported that the host is unreachable (IP status 11003).")]
    [InlineData(1231, ProbeFailure.Unreachable, "web2 was not asked: this machine has no route to its network, or the adapter is down (Windows error 1231).")]
    [InlineData(5, ProbeFailure.Other, "web2 was not asked: this account may not send echo requests (Windows error 5).")]
    [InlineData(31, ProbeFailure.Other, "web2 was not measured: Windows' echo request ended with error 31.")]
    [InlineData(uint.MaxValue, ProbeFailure.Other, "web2 was not measured: Windows' echo request ended with error 4294967295.")]
    public void Failure_OfEachKind_SaysWhereItFailed(uint status, ProbeFailure reason, string text)
    {
        PeerFailureException failure = EchoStatus.Failure("web2", status, Waited);

        Assert.Equal((reason, text), (failure.Reason, failure.Message));
    }

    /// <summary>Every status that an echo request can end with has words of its own; 11001, 11007, 11011 and 11017 cannot follow from what is sent.</summary>
    [Theory]
    [InlineData(11002, 11006)]
    [InlineData(11008, 11010)]
    [InlineData(11012, 11016)]
    [InlineData(11018, 11018)]
    [InlineData(11032, 11032)]
    [InlineData(11040, 11045)]
    [InlineData(11050, 11050)]
    public void Failure_OfEveryStatus_IsInWords(uint first, uint last)
    {
        for (uint status = first; status <= last; status++)
        {
            Assert.DoesNotContain("ended with error", EchoStatus.Failure("web2", status, Waited).Message, StringComparison.Ordinal);
        }
    }
}
