namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The responder refuses, and why.</summary>
internal sealed record Refusal(RefusalReason Reason, string Text)
{
    internal byte[] Write() => new WireWriter().U16((ushort)Reason).Text(Text).Written.ToArray();

    internal static Refusal Read(ReadOnlySpan<byte> payload)
    {
        WireReader reader = new(payload, "the responder's refusal");
        return new Refusal((RefusalReason)reader.U16(), reader.Text());
    }
}
