using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Http;

/// <summary>
/// How the time of a stream was spent at the end that sent it, from its trailer. The peer reports these numbers: check
/// <see cref="Possible"/>.
/// </summary>
internal sealed record StreamTimes
{
    /// <summary>Time to make messages, nanoseconds.</summary>
    internal required long FetchNs { get; init; }

    /// <summary>Time inside the calls that pass the messages on, until the calls returned, nanoseconds.</summary>
    internal required long SendNs { get; init; }

    /// <summary>Time spent waiting for a flush after its call had returned, for the stream's window or for the socket, nanoseconds.</summary>
    internal required long WaitNs { get; init; }

    /// <summary>Time to make messages while a flush was in progress, nanoseconds; part of <see cref="FetchNs"/>.</summary>
    internal required long OverlapNs { get; init; }

    /// <summary>Time from the first message to the end of the last flush, nanoseconds.</summary>
    internal required long ElapsedNs { get; init; }

    /// <summary>Time of the longest flush, call and wait together, nanoseconds.</summary>
    internal required long LongestNs { get; init; }

    /// <summary>Number of flushes.</summary>
    internal required long Flushes { get; init; }

    /// <summary>The connection's options at that end.</summary>
    internal required EndState State { get; init; }

    /// <summary>The kernel's counters before the first message.</summary>
    internal required KernelCounters Start { get; init; }

    /// <summary>The kernel's counters after the last flush.</summary>
    internal required KernelCounters End { get; init; }

    /// <summary>The value of the trailer, in hexadecimal.</summary>
    internal string Write()
    {
        WireWriter writer = new WireWriter().I64(FetchNs).I64(SendNs).I64(WaitNs).I64(OverlapNs).I64(LongestNs);
        RunResult rest = new() { Messages = Flushes, Bytes = 0, ResidenceNs = ElapsedNs, State = State, Start = Start, End = End };
        return Convert.ToHexString([.. writer.Written, .. rest.Write()]);
    }

    /// <summary>Null for a value that is not what <see cref="Write"/> writes.</summary>
    internal static StreamTimes? Read(string? trailer)
    {
        if (trailer is null || trailer.Length > 2 * Wire.MaxPayload || !IsHex(trailer))
        {
            return null;
        }

        try
        {
            byte[] payload = Convert.FromHexString(trailer);
            WireReader reader = new(payload, "the stream's times");
            (long fetch, long send, long wait, long overlap, long longest) = (reader.I64(), reader.I64(), reader.I64(), reader.I64(), reader.I64());
            RunResult rest = RunResult.Read(payload.AsSpan(5 * sizeof(long)));
            return new StreamTimes
            {
                FetchNs = fetch,
                SendNs = send,
                WaitNs = wait,
                OverlapNs = overlap,
                LongestNs = longest,
                ElapsedNs = rest.ResidenceNs,
                Flushes = rest.Messages,
                State = rest.State,
                Start = rest.Start,
                End = rest.End,
            };
        }
        catch (ProtocolException)
        {
            return null;
        }
    }

    /// <summary>True when these times fit into the time the whole request took here. The clocks of both ends run at about the same rate.</summary>
    /// <param name="requestNs">Nanoseconds from the request to the last byte, at this end.</param>
    /// <param name="connected">Time since the connection was made.</param>
    internal bool Possible(long requestNs, TimeSpan connected)
    {
        const double Drift = 1.001;
        const long Grain = 1_000_000;
        bool counted = Start.CanBeAfter(connected) && End.CanBeAfter(connected);
        bool parts = counted && FetchNs >= 0 && SendNs >= 0 && WaitNs >= 0 && OverlapNs >= 0 && OverlapNs <= FetchNs && LongestNs >= 0
            && LongestNs <= ElapsedNs;
        return parts && ElapsedNs <= (requestNs * Drift) + Grain && (double)FetchNs + SendNs + WaitNs <= (ElapsedNs * Drift) + Grain;
    }

    private static bool IsHex(string text) => text.Length % 2 == 0 && text.All(char.IsAsciiHexDigit);
}
