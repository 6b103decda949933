namespace LatencyTuner.Lab;

/// <summary>A named network. <see cref="All"/> is the only place where they are defined.</summary>
/// <param name="Name">What <c>lab run</c> takes.</param>
/// <param name="Models">One sentence: what it stands for.</param>
/// <param name="Link">The link and the hold stages.</param>
/// <param name="ClientQuickAck">Whether the client's own stack acknowledges at once.</param>
/// <param name="ServerQuickAck">Whether the server's own stack acknowledges at once.</param>
public sealed record LabPreset(string Name, string Models, LinkEmulatorOptions Link, bool ClientQuickAck = true, bool ServerQuickAck = true)
{
    private const double Near = 0.2;
    private const double Far = 2.5;

    /// <summary>Every preset. Except in <c>*-linux</c> both hosts acknowledge at once, so that the named stage is the only delayed ACK.</summary>
    public static IReadOnlyList<LabPreset> All { get; } =
    [
        new("clean", "A wire without added delay between hosts that acknowledge at once.", Symmetric(new LinkSpec())),
        new("clean-linux", "A wire without added delay between Linux hosts with their own delayed ACK.", Symmetric(new LinkSpec()), false, false),
        new("delay-5ms", "A path of 5 ms round trip between hosts that acknowledge at once.", Symmetric(new LinkSpec { DelayMs = Far })),
        new(
            "delay-5ms-linux", "A path of 5 ms round trip between Linux hosts with their own delayed ACK.", Symmetric(new LinkSpec { DelayMs = Far }), false,
            false),
        Receiver("receiver-10ms", "A server whose delayed-ACK timer is 10 ms, as the Windows template Datacenter.", 10),
        Receiver("receiver-40ms", "A server whose delayed-ACK timer is 40 ms, as Linux and the template Internet of Windows Server 2019.", 40),
        Receiver("receiver-50ms", "A server whose delayed-ACK timer is 50 ms, as the template Internet of Windows Server 2012.", 50),
        Receiver("receiver-100ms", "A server whose delayed-ACK timer is 100 ms, as FreeBSD and macOS.", 100),
        Receiver("receiver-200ms", "A server whose delayed-ACK timer is 200 ms from the segment's arrival, as older Windows and the template Compat.", 200),
        Receiver("receiver-200ms-tick", "A server with a 200 ms delayed ACK counted in ticks of 100 ms, so that the wait is 100 to 200 ms.", 200, 100),
        new(
            "client-receiver-200ms",
            "A client whose delayed-ACK timer is 200 ms: replies written in pieces stall.",
            Symmetric(new LinkSpec { DelayMs = Near }) with { ClientHold = new AckHoldSpec { TimerMs = 200 } }),
        new("loss-1pct", "A path of 5 ms round trip that loses 1 % of the data segments each way.", Symmetric(new LinkSpec { DelayMs = Far, Loss = 0.01 })),
        new(
            "rate-10mbit-deep-queue",
            "A 10 Mbit/s bottleneck behind 512 KiB of queue: a bulk transfer adds up to 420 ms to every round trip.",
            Symmetric(new LinkSpec { DelayMs = Far, RateBitsPerSecond = 10_000_000, QueueBytes = 512 * 1024 })),
        new(
            "rate-10mbit-shallow-queue",
            "A 10 Mbit/s bottleneck behind 15 KiB of queue: a bulk transfer loses segments instead of waiting.",
            Symmetric(new LinkSpec { DelayMs = Far, RateBitsPerSecond = 10_000_000, QueueBytes = 15 * 1024 })),
        new(
            "jitter-5ms", "A path of 5 to 15 ms round trip that varies from frame to frame and keeps their order.",
            Symmetric(new LinkSpec { DelayMs = Far, JitterMs = 5 })),
        new(
            "swing-60s",
            "A path whose round trip swings between 5 and 15 ms once a minute, with up to 10 ms of jitter: something far away comes and goes.",
            Symmetric(new LinkSpec { DelayMs = 2 * Far, SwingMs = Far, SwingSeconds = 60, JitterMs = 5 })),
        new(
            "swing-3s",
            "The same within three seconds: for a test that cannot wait.",
            Symmetric(new LinkSpec { DelayMs = 2 * Far, SwingMs = Far, SwingSeconds = 3, JitterMs = 5 })),
    ];

    /// <summary>Finds a preset by its exact name; null where there is none.</summary>
    /// <param name="name">The name.</param>
    public static LabPreset? Find(string name) => All.FirstOrDefault(preset => preset.Name == name);

    private static LinkEmulatorOptions Symmetric(LinkSpec link) => new() { ClientToServer = link, ServerToClient = link };

    private static LabPreset Receiver(string name, string models, double timerMs, double tickMs = 0) => new(
        name,
        models,
        Symmetric(new LinkSpec { DelayMs = Near }) with { ServerHold = new AckHoldSpec { TimerMs = timerMs, TickMs = tickMs } });
}
