using System.Buffers.Binary;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Sockets.Linux;
using LatencyTuner.Core.Sockets.Windows;
using LatencyTuner.Tests.Measurement;
using Xunit;

namespace LatencyTuner.Tests.Sockets;

public sealed class TcpInfoLayouts
{
    /// <summary>The members of Linux <c>struct tcp_info</c> (include/uapi/linux/tcp.h) in order with their sizes: the offsets follow.</summary>
    private static readonly (string Name, int Size)[] LinuxFields =
    [
        ("state", 1), ("ca_state", 1), ("retransmits", 1), ("probes", 1), ("backoff", 1), ("options", 1), ("wscale", 1), ("flags", 1),
        ("rto", 4), ("ato", 4), ("snd_mss", 4), ("rcv_mss", 4), ("unacked", 4), ("sacked", 4), ("lost", 4), ("retrans", 4), ("fackets", 4),
        ("last_data_sent", 4), ("last_ack_sent", 4), ("last_data_recv", 4), ("last_ack_recv", 4), ("pmtu", 4), ("rcv_ssthresh", 4),
        ("rtt", 4), ("rttvar", 4), ("snd_ssthresh", 4), ("snd_cwnd", 4), ("advmss", 4), ("reordering", 4), ("rcv_rtt", 4), ("rcv_space", 4),
        ("total_retrans", 4), ("pacing_rate", 8), ("max_pacing_rate", 8), ("bytes_acked", 8), ("bytes_received", 8), ("segs_out", 4),
        ("segs_in", 4), ("notsent_bytes", 4), ("min_rtt", 4), ("data_segs_in", 4), ("data_segs_out", 4), ("delivery_rate", 8),
        ("busy_time", 8), ("rwnd_limited", 8), ("sndbuf_limited", 8), ("delivered", 4), ("delivered_ce", 4), ("bytes_sent", 8),
        ("bytes_retrans", 8), ("dsack_dups", 4), ("reord_seen", 4), ("rcv_ooopack", 4), ("snd_wnd", 4),
    ];

    private static readonly (string Name, Func<KernelCounters, long?> Value)[] LinuxDecoded =
    [
        ("snd_mss", c => c.MssBytes), ("rtt", c => c.RttUs), ("total_retrans", c => c.RetransmittedSegments), ("segs_out", c => c.SegmentsOut),
        ("segs_in", c => c.SegmentsIn), ("min_rtt", c => c.MinRttUs), ("data_segs_in", c => c.DataSegmentsIn), ("data_segs_out", c => c.DataSegmentsOut),
        ("busy_time", c => c.BusyUs), ("rwnd_limited", c => c.RwndLimitedUs), ("sndbuf_limited", c => c.SndbufLimitedUs),
        ("bytes_retrans", c => c.RetransmittedBytes), ("bytes_acked", c => c.AckedBytes),
    ];

    private static (int Offset, int Size) LinuxField(string name)
    {
        int offset = 0;
        foreach ((string field, int size) in LinuxFields)
        {
            if (field == name)
            {
                Assert.Equal(0, offset % size);
                return (offset, size);
            }

            offset += size;
        }

        throw new ArgumentOutOfRangeException(nameof(name), name, null);
    }

    private static byte[] LinuxSample()
    {
        byte[] info = new byte[600];
        foreach ((string name, _) in LinuxFields)
        {
            (int offset, int size) = LinuxField(name);
            long value = 1000 + offset;
            BitConverter.GetBytes(value).AsSpan(0, size).CopyTo(info.AsSpan(offset));
        }

        return info;
    }

    [Fact]
    public void Linux_EveryLength_FieldThereOrNull()
    {
        byte[] sample = LinuxSample();
        for (int length = 0; length <= 512; length++)
        {
            KernelCounters counters = LinuxTcpInfo.Decode(sample.AsSpan(0, length));
            foreach ((string name, Func<KernelCounters, long?> value) in LinuxDecoded)
            {
                (int offset, int size) = LinuxField(name);
                long? expected = length >= 104 && length >= offset + size ? 1000 + offset : null;
                Assert.True(expected == value(counters), $"{name} of {length} bytes: {value(counters)}, expected {expected}");
            }

            Assert.Equal(length < 104 ? "unsupported" : "TCP_INFO", counters.Source);
        }
    }

    [Fact]
    public void Linux_NoMinimumYet_Null()
    {
        byte[] sample = LinuxSample();
        sample.AsSpan(LinuxField("min_rtt").Offset, 4).Fill(0xFF);
        Assert.Null(LinuxTcpInfo.Decode(sample).MinRttUs);
    }

    /// <summary>Offsets of TCP_INFO_v0 and v1 (mstcpip.h), computed from the declared types.</summary>
    private static readonly (int Offset, int From, long Scale, Func<KernelCounters, long?> Value)[] WindowsDecoded =
    [
        (4, 88, 1, c => c.MssBytes), (20, 88, 1, c => c.RttUs), (24, 88, 1, c => c.MinRttUs), (68, 88, 1, c => c.RetransmittedBytes),
        (92, 136, 1000, c => c.RwndLimitedUs), (108, 136, 1000, c => c.CwndLimitedUs),
    ];

    [Fact]
    public void Windows_EveryLength_FieldThereOrNull()
    {
        byte[] sample = new byte[600];
        for (int offset = 0; offset + 4 <= 152; offset += 4)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(sample.AsSpan(offset), (uint)(1000 + offset));
        }

        for (int length = 0; length <= 512; length++)
        {
            KernelCounters counters = WindowsTcpInfo.Decode(sample.AsSpan(0, length));
            foreach ((int offset, int from, long scale, Func<KernelCounters, long?> value) in WindowsDecoded)
            {
                Assert.Equal(length >= from ? (1000 + offset) * scale : null, value(counters));
            }

            Assert.Equal(length < 88 ? "unsupported" : length < 136 ? "SIO_TCP_INFO v0" : "SIO_TCP_INFO v1", counters.Source);
        }
    }

    [Fact]
    public void AnyBytes_AnyLength_NeverThrowNeverNegative()
    {
        Random random = new(11);
        for (int length = 0; length <= 512; length++)
        {
            byte[] bytes = new byte[length];
            random.NextBytes(bytes);
            Check(bytes);
            bytes.AsSpan().Fill(0xFF);
            Check(bytes);
        }

        static void Check(byte[] bytes)
        {
            foreach (KernelCounters counters in new[] { LinuxTcpInfo.Decode(bytes), WindowsTcpInfo.Decode(bytes) })
            {
                Assert.All(LinuxDecoded, f => Assert.False(f.Value(counters) < 0));
                Assert.False(counters.CwndLimitedUs < 0);
            }
        }
    }

    [Fact]
    public void Linux_OfARealConnection_AgreesWithWhatWasSent()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "TCP_INFO is a Linux socket option.");
        using Responder responder = Rig.Serve();

        MeasurementResult result = Rig.Run(Rig.TargetOf(responder), Rig.Patient(100));

        (KernelCounters start, KernelCounters end) = Assert.Single(result.LocalCounters);
        // One segment for each request of 64 bytes at least; the peer's figures mirror them.
        Assert.True(end.DataSegmentsOut - start.DataSegmentsOut >= 100);
        Assert.True(end.DataSegmentsIn - start.DataSegmentsIn >= 100);
        Assert.True(end.RttUs > 0);
        Assert.InRange(end.MssBytes ?? 0, 536, 65535);
        (KernelCounters peerStart, KernelCounters peerEnd) = Assert.Single(result.PeerCounters);
        // The responder samples when it has said that it is ready: the first request may have come by then.
        Assert.True(peerEnd.DataSegmentsIn - peerStart.DataSegmentsIn >= 99);
    }
}
