using System.Net;

namespace LatencyTuner.Tests.Etw.Live;

/// <summary>Events that a live trace is fed with.</summary>
internal static class LiveEvents
{
    internal static readonly Guid KernelProcess = new("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.0.0.9"), 1433);

    /// <summary>Ten requests in two writes, the second of which waits for an acknowledgement that takes 200 ms.</summary>
    internal static EtlRecord[] NagleAndDelayedAck(uint processId = 77, ushort port = 50_000, bool connects = true)
    {
        ulong tcb = 0xFFFF_8000_0000_0000 + port;
        TcpipEvents events = new();
        if (connects)
        {
            events.Connected(0, tcb, new IPEndPoint(IPAddress.Parse("10.0.0.5"), port), Server, processId);
        }

        uint at = 1000;
        for (int i = 0; i < 10; i++, at += 200)
        {
            long t = 10_000 + (i * 500_000L);
            events.SendPosted(t, tcb, 100, at).DataSent(t + 5, tcb, 100, at).SendPosted(t + 60, tcb, 100, at + 100)
                .CumulativeAck(t + 200_000, tcb, 100, at + 100).DataSent(t + 200_010, tcb, 100, at + 100)
                .CumulativeAck(t + 201_200, tcb, 100, at + 200).DataReceived(t + 201_300, tcb, 50, (uint)(i * 50));
        }

        return events.Records;
    }

    /// <summary>The connection of those requests, begun before the session.</summary>
    internal static EtlRecord Connection(uint processId = 77, ushort port = 50_000) =>
        new TcpipEvents().Rundown(0, 0xFFFF_8000_0000_0000 + port, new IPEndPoint(IPAddress.Parse("10.0.0.5"), port), Server, processId).Records[0];

    /// <summary>A process that ran before the session: ProcessRundown of Microsoft-Windows-Kernel-Process.</summary>
    internal static EtlRecord Process(uint processId, string path) => EtlRecord.Manifest(
        5_000_000_000, 0, KernelProcess, 15, 1, new ByteWriter().U32(processId).U32(0).I64(0).U32(4).U32(0).U32(0).Text(path).ToArray());
}
