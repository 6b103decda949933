namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>
/// What a selftest is expected to find on each build of Windows. A probe that cannot decide its assumption on one machine is expected to say so.
/// </summary>
internal static class ExpectedResults
{
    // Builds: 14393 Server 2016, 15063 Windows 10 1703, 17134 Windows 10 1803, 17763 Server 2019, 20348 Server 2022, 26100 Server 2025.
    private static readonly Dictionary<string, BuildRange> Holding = new()
    {
        ["tcp-info-v1"] = new(17763, null),
        ["tcp-info-v0-fallback"] = new(15063, 17763),
        ["tcp-info-half-closed"] = new(15063, null),
        ["loopback-stalls"] = default,
        ["refused-connect-time"] = default,
        ["interrupt-blocked-receive"] = default,
        ["receive-timeout-granularity"] = default,
        ["port-taken-text"] = default,
        ["many-handshakes"] = default,
        ["sockets-of-others"] = default,
        ["timer-resolution"] = new(17134, null),
        ["timer-fallback"] = new(null, 17134),
        ["clock-rate"] = default,
        ["processor-times"] = default,
        ["interface-names"] = default,
        ["power-plan-registry"] = default,
        ["machine-config"] = default,
        ["cim-classes"] = default,
        ["adapter-keys"] = default,
        ["template-defaults"] = new(17763, null),
        ["machine-guid"] = default,
    };

    /// <summary>The expected result of a probe on a build; null when the build is unknown.</summary>
    public static AssumptionState? On(string id, int? build) =>
        build is not { } known ? null
        : Holding.TryGetValue(id, out BuildRange range) && range.Contains(known) ? AssumptionState.Holds : AssumptionState.CannotTell;

    /// <summary>The same in words, as the documentation has it: on every build.</summary>
    public static string Words(string id) => Holding.TryGetValue(id, out BuildRange range) ? range.Words : "cannot tell";

    /// <summary>True when a result is worse than expected: it does not hold, or cannot be told although it should hold.</summary>
    public static bool IsWorse(AssumptionState result, AssumptionState? expected) =>
        result == AssumptionState.DoesNotHold || (result == AssumptionState.CannotTell && expected == AssumptionState.Holds);

    private readonly record struct BuildRange(int? From, int? Before)
    {
        public string Words =>
            string.Join(", ", new[] { From is { } from ? $"from {from}" : null, Before is { } before ? $"before {before}" : null }.OfType<string>()) is
            { Length: > 0 } builds ? $"holds {builds}" : "holds";

        public bool Contains(int build) => build >= (From ?? 0) && build < (Before ?? int.MaxValue);
    }
}
