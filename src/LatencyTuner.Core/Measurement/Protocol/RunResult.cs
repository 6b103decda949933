using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>The result that the responder reports after the client has closed its direction.</summary>
internal sealed record RunResult
{
    internal required long Messages { get; init; }

    internal required long Bytes { get; init; }

    /// <summary>Sum of the residence times in nanoseconds.</summary>
    internal required long ResidenceNs { get; init; }

    internal required EndState State { get; init; }

    internal required KernelCounters Start { get; init; }

    internal required KernelCounters End { get; init; }

    /// <summary>Processor use and scheduling delays of the responder's machine; null when not requested or not supported.</summary>
    internal HostUse? Host { get; init; }

    /// <summary>
    /// The result without figures that cannot be: kernel counters and the host's use are evidence of causes, and whoever answers may say anything.
    /// </summary>
    /// <param name="age">Time since the connection was made, by this end's clock.</param>
    internal RunResult PossibleAfter(TimeSpan age)
    {
        bool counters = Start.CanBeAfter(age) && End.CanBeAfter(age);
        bool host = Host is null || Host.ElapsedNs <= (age.TotalSeconds + 1) * 1e9;
        return counters && host ? this : this with
        {
            Start = counters ? Start : KernelCounters.Impossible,
            End = counters ? End : KernelCounters.Impossible,
            Host = host ? Host : null,
            Impossible = true,
        };
    }

    /// <summary>True when figures were left out because they cannot be.</summary>
    internal bool Impossible { get; private init; }

    internal byte[] Write()
    {
        WireWriter writer = new WireWriter().I64(Messages).I64(Bytes).I64(ResidenceNs);
        State.Write(writer);
        WriteCounters(writer, Start);
        WriteCounters(writer, End);
        HostUseWire.Write(writer, Host);
        return writer.Written.ToArray();
    }

    internal static RunResult Read(ReadOnlySpan<byte> payload)
    {
        WireReader reader = new(payload, "the responder's result");
        return new RunResult
        {
            Messages = NotNegative(reader.I64(), "messages"),
            Bytes = NotNegative(reader.I64(), "bytes"),
            ResidenceNs = NotNegative(reader.I64(), "nanoseconds of residence"),
            State = EndState.Read(ref reader),
            Start = ReadCounters(ref reader),
            End = ReadCounters(ref reader),
            Host = HostUseWire.Read(ref reader),
        };
    }

    private static void WriteCounters(WireWriter writer, KernelCounters counters)
    {
        writer.Text(counters.Source);
        foreach (long? value in (ReadOnlySpan<long?>)
            [counters.RttUs, counters.MinRttUs, counters.RetransmittedSegments, counters.RetransmittedBytes, counters.RwndLimitedUs,
            counters.SndbufLimitedUs, counters.CwndLimitedUs, counters.BusyUs, counters.SegmentsOut, counters.SegmentsIn,
            counters.DataSegmentsOut, counters.DataSegmentsIn, counters.MssBytes])
        {
            writer.I64(value ?? -1);
        }
    }

    private static KernelCounters ReadCounters(ref WireReader reader) => new()
    {
        Source = reader.Text(),
        RttUs = Optional(reader.I64()),
        MinRttUs = Optional(reader.I64()),
        RetransmittedSegments = Optional(reader.I64()),
        RetransmittedBytes = Optional(reader.I64()),
        RwndLimitedUs = Optional(reader.I64()),
        SndbufLimitedUs = Optional(reader.I64()),
        CwndLimitedUs = Optional(reader.I64()),
        BusyUs = Optional(reader.I64()),
        SegmentsOut = Optional(reader.I64()),
        SegmentsIn = Optional(reader.I64()),
        DataSegmentsOut = Optional(reader.I64()),
        DataSegmentsIn = Optional(reader.I64()),
        MssBytes = Optional(reader.I64()),
    };

    private static long NotNegative(long value, string what) => value >= 0
        ? value
        : throw new ProtocolException($"the responder's result has a negative count: {value} {what}");

    private static long? Optional(long value) => value < 0 ? null : value;
}
