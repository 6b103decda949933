using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using Xunit;

namespace LatencyTuner.Tests.Etw;

public sealed class ReaderAllocations
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Read_DoesNotAllocatePerEvent(bool compressed)
    {
        long few = Allocated(Trace(20_000, compressed));
        long many = Allocated(Trace(120_000, compressed));

        // A buffer costs its cursor; an event must cost nothing.
        Assert.True(many - few < 100_000, $"{few} bytes for 20,000 events, {many} for 120,000");
    }

    private static byte[] Trace(int events, bool compressed)
    {
        EtlWriter writer = new() { BufferBytes = 1 << 20, Compressed = compressed };
        TcpipEvents tcpip = new(writer.Origin);
        for (int i = 0; i < events; i++)
        {
            tcpip.DataSent(i, 1, 100, (uint)i);
        }

        return writer.Add(tcpip.Records).ToArray();
    }

    private static long Allocated(byte[] trace)
    {
        using EtlReader reader = EtlReader.Open(trace, "made.etl", new EtlReaderOptions { Threads = 1 });
        TcpEventDecoder decoder = new(reader.ReadLayouts());
        ulong sum = 0;
        void OnEvent(in EtwEventHeader header, ReadOnlySpan<byte> payload) => sum += decoder.TryDecode(header, payload, out TcpEvent e, out _) ? e.Bytes : 0;
        EtwEventCallback callback = OnEvent;
        reader.Read(callback);
        long before = GC.GetAllocatedBytesForCurrentThread();
        reader.Read(callback);
        Assert.NotEqual(0ul, sum);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
