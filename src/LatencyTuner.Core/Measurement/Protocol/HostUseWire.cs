using LatencyTuner.Core.Measurement.Scheduling;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>
/// Processor use and scheduling delays of the responder's machine, at the end of its result: a length and that many numbers. Older versions
/// neither send nor expect them; newer ones may append more. The values come from the peer and are limited to what is possible.
/// </summary>
internal static class HostUseWire
{
    private const int Fields = 10;

    internal static void Write(WireWriter writer, HostUse? use)
    {
        if (use is null)
        {
            return;
        }

        writer.U8(Fields);
        foreach (long value in (ReadOnlySpan<long>)
            [use.ElapsedNs, use.Processors, PerMille(use.MachineBusyShare), PerMille(use.ProcessProcessors), use.DelayCount,
            use.DelayP50Ns ?? -1, use.DelayP99Ns ?? -1, use.DelayMaxNs ?? -1, use.GcPauseNs, use.GcCount])
        {
            writer.I64(value);
        }
    }

    internal static HostUse? Read(ref WireReader reader)
    {
        if (reader.Left == 0)
        {
            return null;
        }

        int fields = reader.U8();
        if (fields < Fields)
        {
            throw new ProtocolException($"the responder's result has {fields} numbers about its machine; {Fields} were expected");
        }

        Span<long> values = stackalloc long[Fields];
        for (int i = 0; i < Fields; i++)
        {
            values[i] = reader.I64();
        }

        long elapsed = Math.Max(values[0], 0);
        int processors = (int)Math.Clamp(values[1], 0, 1 << 16);
        return new HostUse
        {
            ElapsedNs = elapsed,
            Processors = processors,
            MachineBusyShare = values[2] < 0 ? null : Math.Min(values[2] / 1e3, 1),
            ProcessProcessors = values[3] < 0 ? null : Math.Min(values[3] / 1e3, Math.Max(processors, 1)),
            DelayCount = Math.Max(values[4], 0),
            DelayP50Ns = Delay(values[5], elapsed),
            DelayP99Ns = Delay(values[6], elapsed),
            DelayMaxNs = Delay(values[7], elapsed),
            GcPauseNs = Math.Clamp(values[8], 0, elapsed),
            GcCount = (int)Math.Clamp(values[9], 0, int.MaxValue),
        };
    }

    private static long PerMille(double? share) => share is { } value ? (long)Math.Round(value * 1e3) : -1;

    private static long? Delay(long ns, long elapsedNs) => ns < 0 ? null : Math.Min(ns, elapsedNs);
}
