namespace LatencyTuner.Lab;

/// <summary>A connection seen from one host.</summary>
internal readonly record struct FlowKey(UInt128 Local, UInt128 Remote, ushort LocalPort, ushort RemotePort)
{
    public static FlowKey OfSent(in TcpFrame tcp) => new(tcp.Source, tcp.Destination, tcp.SourcePort, tcp.DestinationPort);

    public static FlowKey OfDelivered(in TcpFrame tcp) => new(tcp.Destination, tcp.Source, tcp.DestinationPort, tcp.SourcePort);
}
