namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>
/// What became of an echo request that Windows sent: an IP_STATUS (ipexport.h, 11000 and more), or the Win32 error (winerror.h) of a request that did
/// not leave the machine.
/// </summary>
internal static class EchoStatus
{
    private const uint TimedOut = 11010;

    /// <summary>The failure in words.</summary>
    /// <param name="target">The target as the user gave it.</param>
    /// <param name="status">The number, not 0.</param>
    /// <param name="timeout">How long was waited for a reply.</param>
    internal static PeerFailureException Failure(string target, uint status, TimeSpan timeout) =>
        status == TimedOut ? Silent(target, timeout)
        : NotSent(status) is { } here
            ? new($"{target} was not asked: {here} (Windows error {status}).")
            {
                Reason = status is 1231 or 1232 or 11012 or 11018 or 11050 ? ProbeFailure.Unreachable : ProbeFailure.Other,
            }
            : Reported(status) is { } there ? new($"{target} is unreachable: {there} (IP status {status}).") { Reason = ProbeFailure.Unreachable }
            : new($"{target} was not measured: Windows' echo request ended with error {status}.") { Reason = ProbeFailure.Other };

    /// <summary>No reply in time.</summary>
    internal static PeerFailureException Silent(string target, TimeSpan timeout, Exception? inner = null) =>
        ProbeErrors.Timeout(target, "did not answer an ICMP echo request (it may be down, or ICMP may be filtered)", timeout, inner);

    private static string? NotSent(uint status) => status switch
    {
        5 => "this account may not send echo requests",
        120 => "this Windows has no echo requests for the protocol of its address",
        50 or 10047 => "this machine does not have the protocol of its address",
        1231 => "this machine has no route to its network, or the adapter is down",
        1232 => "this machine has no route to it, or the adapter is down",
        8 or 14 or 1450 or 1455 or 11006 => "Windows is short of memory",
        11008 => "the adapter reported an error",
        11012 => "this machine has no usable route to it",
        11018 => "nothing can be sent to its address",
        11032 => "IPsec is still agreeing on keys with it",
        11050 => "Windows reports a general failure; often the adapter is down, or security software on this machine forbids it",
        _ => null,
    };

    private static string? Reported(uint status) => status switch
    {
        11002 => "a router reported that there is no route to its network",
        11003 => "a router reported that the host is unreachable",
        11004 => "a router or firewall reported that the traffic is not allowed",
        11005 => "the host reported its port as unreachable",
        11009 => "a router reported that the packet is too big for the path",
        11013 or 11014 or 11041 => "a router reported that the packet's time to live ran out; it may go round in a circle",
        11015 or 11042 or 11043 or 11044 => "a router rejected the packet's header",
        11016 => "a router reported that packets arrive too fast for it",
        11040 => "a router reported that it cannot be reached",
        11045 => "its address cannot be reached from this machine's address",
        _ => null,
    };
}
