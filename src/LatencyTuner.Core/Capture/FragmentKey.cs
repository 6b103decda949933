namespace LatencyTuner.Core.Capture;

/// <summary>What the fragments of one datagram have in common (RFC 791, RFC 8200 4.5).</summary>
internal readonly record struct FragmentKey(IpAddressValue Source, IpAddressValue Destination, uint Identification, byte Protocol);
