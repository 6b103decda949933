namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>A client's request to the responder for one connection.</summary>
internal sealed record SetupRequest
{
    /// <summary>False: requests and replies. True: messages one way, counted at the end.</summary>
    internal bool OneWay { get; init; }

    internal int RequestSize { get; init; } = 64;

    internal int ReplySize { get; init; } = 64;

    internal int ReplyWrites { get; init; } = 1;

    internal long ThinkNs { get; init; }

    internal bool? NoDelay { get; init; }

    internal bool ImmediateAck { get; init; }

    internal int? SendBuffer { get; init; }

    internal int? ReceiveBuffer { get; init; }

    internal bool Spin { get; init; }

    /// <summary>Processor to bind the serving thread to; only a responder inside the client's own process obeys it.</summary>
    internal int? Pin { get; init; }

    /// <summary>True when the client can follow the responder to a listener that has the requested buffer sizes.</summary>
    internal bool MayRedirect { get; init; }

    /// <summary>Ticket of that listener; 0 for none.</summary>
    internal ulong Ticket { get; init; }

    /// <summary>True to request processor use and scheduling delays of the responder's machine; older responders ignore the flag.</summary>
    internal bool Watch { get; init; }

    /// <summary>True for the connection that keeps a responder of <c>serve --once</c> alive; it carries renewals and nothing else.</summary>
    internal bool Lease { get; init; }

    internal byte[] Write() => new WireWriter()
        .U8((byte)((OneWay ? 1 : 0) | (ImmediateAck ? 2 : 0) | (Spin ? 4 : 0) | (MayRedirect ? 8 : 0) | (Watch ? 16 : 0) | (Lease ? 32 : 0)))
        .I32(RequestSize).I32(ReplySize).I32(ReplyWrites).I64(ThinkNs)
        .U8(NoDelay switch { null => 0, false => 1, true => 2 })
        .I32(SendBuffer ?? -1).I32(ReceiveBuffer ?? -1).I32(Pin ?? -1).U64(Ticket).Written.ToArray();

    internal static SetupRequest Read(ReadOnlySpan<byte> payload)
    {
        WireReader reader = new(payload, "the setup");
        byte flags = reader.U8();
        SetupRequest setup = new()
        {
            OneWay = (flags & 1) != 0,
            ImmediateAck = (flags & 2) != 0,
            Spin = (flags & 4) != 0,
            MayRedirect = (flags & 8) != 0,
            Watch = (flags & 16) != 0,
            Lease = (flags & 32) != 0,
            RequestSize = reader.I32(),
            ReplySize = reader.I32(),
            ReplyWrites = reader.I32(),
            ThinkNs = reader.I64(),
            NoDelay = reader.U8() switch
            {
                0 => null,
                1 => false,
                2 => true,
                var other => throw new ProtocolException($"the setup requests TCP_NODELAY {other}; 0, 1 or 2 was expected"),
            },
            SendBuffer = Optional(reader.I32(), "send buffer"),
            ReceiveBuffer = Optional(reader.I32(), "receive buffer"),
            Pin = Optional(reader.I32(), "processor"),
            Ticket = reader.U64(),
        };
        if (setup.RequestSize < 1 || setup.ReplySize < 1 || setup.ReplyWrites < 1 || setup.ReplyWrites > setup.ReplySize || setup.ThinkNs < 0)
        {
            throw new ProtocolException(
                $"the setup requests {setup.RequestSize} bytes per request and {setup.ReplySize} bytes per reply, in {setup.ReplyWrites} writes after "
                + $"{setup.ThinkNs} ns; sizes and writes must be positive, each write at least 1 byte, and the time not negative");
        }

        return setup;
    }

    private static int? Optional(int value, string what) => value switch
    {
        -1 => null,
        >= 0 => value,
        _ => throw new ProtocolException($"the setup requests a {what} of {value}; 0 or more, or -1 for none, was expected"),
    };
}
