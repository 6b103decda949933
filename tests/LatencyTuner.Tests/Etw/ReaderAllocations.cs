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
        var few = Allocated(Trace(20_000, compressed));
        var many = Allocated(Trace(120_000, compressed));

        // A buffer costs its cursor; an event must cost nothing.
        Assert.True(many - few < 100_000, $"{few} bytes for 20,000 events, {many} for 120,000");
    }

    private static byte[] Trace(int events, bool compressed)
    {
        var writer = new EtlWriter { BufferBytes = 1 << 20, Compressed = compressed };
        var tcpip = new TcpipEvents(writer.Origin);
        for (var i = 0; i < events; i++)
            tcpip.DataSent(i, 1, 100, (uint)i);

        return writer.Add(tcpip.Records).ToArray();
    }

    private static long Allocated(byte[] trace)
    {
        using var reader = EtlReader.Open(trace, "made.etl", new EtlReaderOptions { Threads = 1 });
        var decoder = new TcpEventDecoder(reader.ReadLayouts());
        ulong sum = 0;
        void OnEvent(in EtwEventHeader header, ReadOnlySpan<byte> payload) => sum += decoder.TryDecode(header, payload, out TcpEvent e, out _) ? e.Bytes : 0;
        EtwEventCallback callback = OnEvent;
        reader.Read(callback);
        var before = GC.GetAllocatedBytesForCurrentThread();
        reader.Read(callback);
        Assert.NotEqual(0ul, sum);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
