using System.Net;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>Traces made here from the description of the format, by code the reader shares nothing with.</summary>
public sealed class WrittenTraces
{
    private static readonly Guid Provider = new("11111111-2222-3333-4444-555555555555");

    internal static (List<(EtwEventHeader Header, byte[] Payload)> Events, EtlReader Reader) ReadAll(byte[] trace, EtlReaderOptions? options = null)
    {
        EtlReader reader = EtlReader.Open(trace, "made.etl", options);
        List<(EtwEventHeader, byte[])> events = [];
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) => events.Add((header, payload.ToArray())));
        return (events, reader);
    }

    [Theory]
    [InlineData(8, false, true)]
    [InlineData(4, false, false)]
    [InlineData(8, true, true)]
    [InlineData(4, true, false)]
    public void EveryHeaderForm_IsReadWithItsPayload(int pointerSize, bool compressed, bool indexStyle)
    {
        byte[] payload = [1, 2, 3, 4, 5];
        EtlWriter writer = new() { PointerSize = pointerSize, Compressed = compressed, ProcessorIndexStyle = indexStyle };
        long t = writer.Origin;
        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll(writer.Add(
            EtlRecord.Manifest(t + 10, 3, Provider, 42, 2, payload, pointerSize, level: 5, opcode: 7, keyword: 0x200000000),
            EtlRecord.Manifest(t + 20, 3, Provider, 43, 0, payload, 12 - pointerSize, items: [(1, new byte[16]), (6, new byte[24])]),
            EtlRecord.Manifest(t + 30, 3, Provider, 0, 0, payload, pointerSize, items: [(11, [9, 9, 9]), (12, new byte[5])]),
            EtlRecord.Classic(t + 40, 3, Provider, 9, 3, payload, pointerSize),
            EtlRecord.Classic(t + 50, 3, Provider, 10, 1, payload, pointerSize, instance: true),
            EtlRecord.Kernel(t + 60, 3, 6, 10, 2, payload, pointerSize),
            EtlRecord.Kernel(t + 70, 3, 3, 10, 2, payload, pointerSize, compact: true),
            EtlRecord.PerfInfo(t + 80, 3, 8, 27, 2, payload, pointerSize),
            EtlRecord.PerfInfo(t + 90, 3, 15, 46, 2, payload, pointerSize, counters: 3, extra: true)).ToArray());

        Assert.Empty(reader.Counts.Damages);
        Assert.Equal(10, events.Count);
        Assert.All(events.Skip(1), e => Assert.Equal(payload, e.Payload));
        Assert.All(events.Skip(1), e => Assert.Equal(3, e.Header.Processor));
        Assert.Equal(Enumerable.Range(0, 10).Select(i => i * 1000L), events.Select(e => e.Header.TimeNs));
        List<EtwEventHeader> h = events.Select(e => e.Header).ToList();
        Assert.Equal(
            (Provider, 42, 2, 5, 7, 0x200000000ul, EtwEventKind.Manifest),
            (h[1].Provider, h[1].Id, h[1].Version, h[1].Level, h[1].Opcode, h[1].Keyword, h[1].Kind));
        Assert.Equal((12 - pointerSize, false), (h[2].PointerSize, h[2].HasInlineSchema));
        Assert.True(h[3].HasInlineSchema);
        Assert.Equal((9, 3, EtwEventKind.Classic), (h[4].EventNumber, h[4].Version, h[4].Kind));
        Assert.Equal((4_242, 777, Provider), (h[5].ProcessId, h[5].ThreadId, h[5].Provider));
        Assert.Equal((new Guid("9a280ac0-c8e0-11d1-84e2-00c04fb998a2"), 10, 4_242), (h[6].Provider, h[6].EventNumber, h[6].ProcessId));
        Assert.Equal(new Guid("2cb15d1d-5fc1-11d2-abe1-00a0c911f518"), h[7].Provider);
        Assert.Equal((new Guid("bf3a50c5-a9c9-4988-a005-2df0b7c80f80"), EtwEventHeader.Unknown), (h[8].Provider, h[8].ProcessId));
        Assert.All(h.Where((_, i) => i != 2), e => Assert.Equal(pointerSize, e.PointerSize));
    }

    [Theory]
    [InlineData(1, 10_000_000, 10, 1_000)]
    [InlineData(1, 2_994_853, 2_994_853, 1_000_000_000)]
    [InlineData(1, 14_318_180, 1, 69)]
    [InlineData(2, 1, 10, 1_000)]
    [InlineData(3, 1, 2_600, 1_000)]
    public void EveryClock_GivesNanoseconds(uint clockType, long frequency, long units, long expectedNs)
    {
        DateTime start = new(2026, 11, 20, 8, 30, 0, DateTimeKind.Utc);
        long origin = clockType == 2 ? start.ToFileTimeUtc() : 123_456_789_012;
        EtlWriter writer = new() { ClockType = clockType, Frequency = frequency, Origin = origin, StartUtc = start };
        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll(
            writer.Add(EtlRecord.Manifest(origin + units, 0, Provider, 1, 0, [])).ToArray());

        Assert.Equal((EtlClockKind)clockType, reader.Clock.Kind);
        Assert.True(reader.Clock.IsKnown);
        Assert.Equal(expectedNs, events[1].Header.TimeNs);
        Assert.Equal(start, reader.Clock.StartUtc);
        Assert.Equal(start.AddTicks(expectedNs / 100), reader.Clock.ToUtc(events[1].Header.TimeNs)!.Value.UtcDateTime);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Processors_AreMergedInOrderOfTime(bool compressed)
    {
        Random random = new(7);
        EtlWriter writer = new() { BufferBytes = 2_048, Compressed = compressed };
        long time = writer.Origin;
        for (int i = 0; i < 20_000; i++)
        {
            time += random.Next(3);
            writer.Add(EtlRecord.Manifest(time, random.Next(16), Provider, (ushort)(i & 0xFFFF), 0, new byte[random.Next(40)]));
        }

        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll(writer.ToArray());

        Assert.Equal(20_001, events.Count);
        Assert.True(reader.Counts.IsComplete);
        Assert.Equal(events.Select(e => e.Header.Timestamp).Order(), events.Select(e => e.Header.Timestamp));
        Assert.Equal(20_000, events.Skip(1).Select(e => e.Header.Id).Distinct().Count());
        Assert.True(reader.Counts.Buffers > 500);
    }

    [Fact]
    public void BuffersOfAWrappedFile_AreReadInOrderOfTime()
    {
        EtlWriter writer = new() { BufferBytes = 1_024, Mode = 2 };
        for (int i = 1; i <= 1_000; i++)
        {
            writer.Add(EtlRecord.Manifest(writer.Origin + i, 0, Provider, (ushort)i, 0, new byte[8]));
        }

        byte[] trace = writer.ToArray();

        // A circular file keeps its first buffer and turns the others around.
        byte[] turned = trace[..1_024].Concat(trace[40_960..]).Concat(trace[1_024..40_960]).ToArray();
        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll(turned);

        Assert.True(reader.LogHeader!.IsCircular);
        Assert.Equal(Enumerable.Range(1, 1_000), events.Skip(1).Select(e => (int)e.Header.Id));
        Assert.Empty(reader.Counts.Damages);
    }

    [Fact]
    public void ManyOverlappingBuffers_AreHeldToTheLimitAndTheDisorderIsCounted()
    {
        EtlWriter writer = new() { BufferBytes = 4_096 };
        for (int i = 1; i <= 3_000; i++)
        {
            writer.Add(EtlRecord.Manifest(writer.Origin + i, i % 50, Provider, 1, 0, new byte[16]));
        }

        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll(writer.ToArray(), new EtlReaderOptions { MaxHeldBytes = 20_000 });

        Assert.Equal(3_001, events.Count);
        Assert.True(reader.Counts.Damages[EtlDamageKind.Order] > 0);
        Assert.False(reader.Counts.IsComplete);
    }

    [Fact]
    public void Losses_AreReported()
    {
        byte[] trace = new EtlWriter
        {
            EventsLost = 41,
            BuffersLost = 2,
            Unfinished = true,
        }.Add(EtlRecord.Manifest(5_000_000_001, 0, Provider, 1, 0, [])).ToArray();

        // Flag 2 of the second buffer: events were lost before it.
        trace[16_384 + 0x34] |= 2;
        (List<(EtwEventHeader Header, byte[] Payload)> _, EtlReader? reader) = ReadAll(trace);

        Assert.Equal((41, 2, 1, true), (reader.Counts.EventsLost, reader.Counts.BuffersLost, reader.Counts.BuffersAfterLoss, reader.Counts.IsUnfinished));
        Assert.False(reader.Counts.IsComplete);
    }

    /// <summary>A session that leaves the kind of clock out: dates are taken as such, anything else as the counter.</summary>
    [Theory]
    [InlineData(true, EtlClockKind.SystemTime, 1_000)]
    [InlineData(false, EtlClockKind.PerformanceCounter, 2_793)]
    public void ClockOfOldSessions_IsToldByItsValues(bool dates, EtlClockKind kind, long expectedNs)
    {
        DateTime start = new(2009, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        long origin = dates ? start.ToFileTimeUtc() + 50_000 : 77_000_000;
        EtlWriter writer = new() { ClockType = 0, Frequency = 3_579_545, Origin = origin, StartUtc = start, Build = 6_001, PointerSize = 4 };
        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll(
            writer.Add(EtlRecord.Classic(origin + 10, 0, Provider, 1, 0, [1], 4)).ToArray());

        Assert.Equal((kind, true, expectedNs), (reader.Clock.Kind, reader.Clock.IsKnown, events[1].Header.TimeNs));
        Assert.Equal(dates ? start.AddTicks(50_000) : start, reader.Clock.StartUtc!.Value.UtcDateTime);
    }

    /// <summary>
    /// A merged trace has the head of each of its sessions among its events, 32-bit events beside 64-bit ones, and classic events nobody describes.
    /// </summary>
    [Fact]
    public void SeveralSessionsMerged_AreOneTrace()
    {
        EtlWriter writer = new() { LoggerName = "Relogger" };
        long t = writer.Origin;
        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll(writer.Add(
            EtlRecord.Kernel(t + 5, 1, 0, 0, 2, new byte[0x118]),
            EtlRecord.Kernel(t + 6, 1, 0, 5, 2, new byte[32]),
            EtlRecord.Kernel(t + 7, 1, 0, 0x50, 2, new byte[8], pointerSize: 4),
            EtlRecord.Classic(t + 8, 2, Provider, 200, 7, new byte[7_000]),
            EtlRecord.Manifest(t + 9, 2, Provider, 0, 0, [1, 2], 4, items: [(12, [5, 0, 65, 66, 0]), (11, [9, 0, 0x81, 0x02, 65, 0, 66, 0, 4])]),
            EtlRecord.PerfInfo(t + 10, 3, 15, 46, 2, new byte[12], pointerSize: 4)).ToArray());

        Assert.Equal(7, events.Count);
        Assert.Empty(reader.Counts.Damages);
        Assert.Equal(writer.StartUtc, reader.Clock.StartUtc!.Value.UtcDateTime);
        Assert.Equal([8, 8, 8, 4, 8, 4, 4], events.Select(e => (int)e.Header.PointerSize));
        Assert.True(events[5].Header.HasInlineSchema);
        Assert.Equal((1, ("AB", "A")), (events[5].Header.InlineSchema, reader.InlineNames(1)));
        Assert.Null(new EtwLayouts().Find(events[4].Header));
        Assert.Equal((0, 0), (new TcpEventDecoder(reader.ReadLayouts()).Counts.Decoded, reader.ReadLayouts().FromTrace.Count));
    }

    /// <summary>A session may reserve its file ahead; what it did not come to is zero, and no damage.</summary>
    [Theory]
    [InlineData(100)]
    [InlineData(1_000)]
    [InlineData(300_000)]
    public void RestOfAReservedFile_IsNoDamage(int zeros)
    {
        EtlWriter writer = new() { BufferBytes = 1_024 };
        for (int i = 1; i <= 100; i++)
        {
            writer.Add(EtlRecord.Manifest(writer.Origin + i, 0, Provider, (ushort)i, 0, new byte[8]));
        }

        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll([.. writer.ToArray(), .. new byte[zeros]]);

        Assert.Equal(101, events.Count);
        Assert.True(reader.Counts.IsComplete);
    }

    /// <summary>Zeros in the middle are damage, and what is behind them is found at its very byte.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(6)]
    [InlineData(70_001)]
    public void ZerosBetweenBuffers_AreSteppedOver(int zeros)
    {
        EtlWriter writer = new() { BufferBytes = 1_024 };
        for (int i = 1; i <= 100; i++)
        {
            writer.Add(EtlRecord.Manifest(writer.Origin + i, 0, Provider, (ushort)i, 0, new byte[8]));
        }

        byte[] trace = writer.ToArray();
        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll([.. trace[..3_072], .. new byte[zeros], .. trace[3_072..]]);

        Assert.Equal(101, events.Count);
        Assert.Equal(zeros, reader.Counts.SkippedBytes);
    }

    [Fact]
    public void FirstBufferOfWindows7_HasItsLengthInTheOtherField()
    {
        byte[] trace = new EtlWriter { Build = 7_601 }.Add(EtlRecord.Manifest(5_000_000_001, 0, Provider, 1, 0, [])).ToArray();
        trace.AsSpan(4, 4).Clear();

        Assert.Equal(7_601, ReadAll(trace).Reader.LogHeader!.Build);
    }

    [Fact]
    public void EventsBeforeTheFirst_HaveNegativeTimes()
    {
        EtlWriter writer = new();
        (List<(EtwEventHeader Header, byte[] Payload)>? events, EtlReader? reader) = ReadAll(
            writer.Add(EtlRecord.Manifest(writer.Origin - 25, 0, Provider, 1, 0, [])).ToArray());

        Assert.Equal([-2_500, 0], events.Select(e => e.Header.TimeNs));
        Assert.Equal(writer.StartUtc.AddTicks(-25), reader.Clock.ToUtc(-2_500)!.Value.UtcDateTime);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(4)]
    public void TcpipSequence_IsDecodedFieldByField(int pointerSize)
    {
        IPEndPoint local = new(IPAddress.Parse("10.0.0.12"), 7117), remote = new(IPAddress.Parse("fe80::1"), 50_000);
        ulong tcb = pointerSize == 8 ? 0xFFFF_A000_1234_5670 : 0x8123_4560;
        EtlWriter writer = new() { PointerSize = pointerSize };
        writer.Add(new TcpipEvents(writer.Origin, pointerSize)
            .Connected(1, tcb, local, remote, 1_234, version: 0)
            .Accepted(2, tcb, remote, local, 4_321)
            .SendPosted(3, tcb, 200, 1_000)
            .DataSent(4, tcb, 100, 1_000, cwnd: 14_600, sndWnd: 65_535, srtt: 7, rto: 300, rcvWnd: 9)
            .DataSent(5, tcb, 100, 1_000, rcvWnd: null)
            .CumulativeAck(6, tcb, 100, 1_100)
            .TimerStarted(7, tcb, TcpipEvents.DelayedAckTimer, 40)
            .TimerExpired(8, tcb, TcpipEvents.DelayedAckTimer)
            .SwsAvoidance(9, tcb, begins: true, 100, 300)
            .OptionSet(10, tcb, 1)
            .SocketOptionSet(11, tcb, 4_097)
            .TemplateParameters(12, tcb, 4, 2)
            .TemplateParameters(13, tcb, 4, 2, oldBuild: true)
            .DeliveryIndicated(14, tcb, 77, 5)
            .Rundown(15, tcb, local, remote, 1_234).Records);
        using EtlReader reader = EtlReader.Open(writer.ToArray(), "made.etl");
        List<TcpEvent> events = [];
        List<(ulong Ticks, bool Rack)> templates = [];
        TcpEventCounts counts = TcpEventDecoder.Read(reader, (in TcpEvent e, EtwPayload fields) =>
        {
            events.Add(e);
            if (e.Kind == TcpEventKind.TemplateParameters)
            {
                templates.Add((fields.TryGetNumber("DelayedAckTicks", out ulong ticks) ? ticks : 0, fields.TryGetNumber("Rack", out _)));
            }

            if (e.Kind == TcpEventKind.SendPosted)
            {
                Assert.True(fields.TryGetText("Injected", out string? text) && text == "application");
            }
        });

        Assert.Equal((15, 0, 15), (counts.Decoded, counts.Undecoded, counts.Unverified));
        Assert.Equal(Enumerable.Range(1, 15).Select(i => i * 1_000L), events.Select(e => e.TimeNs));
        Assert.All(events, e => Assert.Equal((tcb, false, 4_242), (e.Tcb, e.IsVerified, e.RunningProcessId)));
        Assert.Equal(
            (TcpEventKind.Connected, 1_234u, "10.0.0.12:7117", "[fe80::1]:50000"),
            (events[0].Kind, events[0].ProcessId, events[0].Local.ToString(), events[0].Remote.ToString()));
        Assert.Equal((TcpEventKind.Accepted, 4_321u, "[fe80::1]:50000"), (events[1].Kind, events[1].ProcessId, events[1].Local.ToString()));
        Assert.Equal((TcpEventKind.SendPosted, 200ul, 1_000u), (events[2].Kind, events[2].Bytes, events[2].Sequence));
        Assert.Equal(
            (TcpEventKind.DataSent, 100ul, 14_600u, 65_535u, 7u, 300u, 9u),
            (events[3].Kind, events[3].Bytes, events[3].Cwnd, events[3].SendWindow, events[3].Srtt, events[3].Rto, events[3].ReceiveWindow));
        Assert.False(events[4].Has(TcpFields.ReceiveWindow));
        Assert.Equal((TcpEventKind.CumulativeAck, 100ul, 1_100u), (events[5].Kind, events[5].Bytes, events[5].Sequence));
        Assert.Equal((TcpEventKind.TimerStarted, 2u, 40u), (events[6].Kind, events[6].TimerType, events[6].WaitMs));
        Assert.Equal((TcpEventKind.TimerExpired, 2u), (events[7].Kind, events[7].TimerType));
        Assert.Equal((TcpEventKind.SwsAvoidanceStarted, 100ul, 300u), (events[8].Kind, events[8].Bytes, events[8].Available));
        Assert.Equal((1u, 4_097u), (events[9].Option, events[10].Option));
        Assert.Equal([(4ul, true), (4ul, false)], templates);
        Assert.Equal((77ul, 5u), (events[13].Bytes, events[13].Sequence));
        Assert.Equal((TcpEventKind.Rundown, 1_234u, 4u), (events[14].Kind, events[14].ProcessId, events[14].NewState));
    }
}
