using System.Buffers.Binary;
using System.Net;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Sockets.Windows;
using Xunit;

namespace LatencyTuner.Tests.Sockets;

/// <summary>The structures of Windows by size and offset.</summary>
public sealed class AfdStructures
{
    [Fact]
    public void WriteQuery_HasEachFieldAtItsOffset()
    {
        byte[] query = new byte[AfdLayouts.TransportQuerySize];
        Array.Fill(query, (byte)0xEE);

        AfdLayouts.WriteQuery(query, AfdLayouts.GetOption, AfdLayouts.LevelTcp, AfdLayouts.TcpNoDelay, 0x1122334455667788, 4);

        Assert.Equal(32, query.Length);
        Assert.Equal([2, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 4, 0, 0, 0, 0, 0, 0, 0], query);
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(1u)]
    [InlineData(4u)]
    public void WriteQuery_NeverSets(uint type) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => AfdLayouts.WriteQuery(new byte[32], type, AfdLayouts.LevelTcp, AfdLayouts.TcpNoDelay, 0, 0));

    [Theory]
    [InlineData(0, false, false, false)]
    [InlineData(1, true, false, false)]
    [InlineData(1 << 14, false, true, false)]
    [InlineData(1 << 15, false, false, true)]
    [InlineData(0x3FFE, false, false, false)]
    public void ReadShared_TakesTheFlagsFromTheirBits(int flags, bool listens, bool receive, bool send)
    {
        AfdShared shared = AfdLayouts.ReadShared(Shared((ushort)flags))!.Value;

        Assert.Equal(new AfdShared(listens, 65_536, 32_768, receive, send), shared);
    }

    [Fact]
    public void ReadShared_OfAnotherSocketOrCutOff_IsNothing()
    {
        byte[] udp = Shared(0);
        udp[8] = 2;
        udp[12] = 17;

        Assert.Null(AfdLayouts.ReadShared(udp));
        Assert.Null(AfdLayouts.ReadShared(Shared(0).AsSpan(0, AfdLayouts.SharedSize - 1)));
        Assert.NotNull(AfdLayouts.ReadShared(Shared(0).AsSpan(0, AfdLayouts.SharedSize)));
        Assert.Null(AfdLayouts.ReadShared([]));
    }

    [Fact]
    public void ReadHandles_HasValueAndType_AndNoMoreThanThereAre()
    {
        byte[] snapshot = new byte[16 + (2 * AfdLayouts.HandleEntrySize)];
        BinaryPrimitives.WriteUInt64LittleEndian(snapshot, 2);
        BinaryPrimitives.WriteUInt64LittleEndian(snapshot.AsSpan(16), 0x1C4);
        BinaryPrimitives.WriteUInt32LittleEndian(snapshot.AsSpan(16 + 28), 37);
        BinaryPrimitives.WriteUInt64LittleEndian(snapshot.AsSpan(16 + 40), 0x1C8);
        BinaryPrimitives.WriteUInt32LittleEndian(snapshot.AsSpan(16 + 40 + 28), 5);

        Assert.Equal([((nint)0x1C4, 37u), ((nint)0x1C8, 5u)], AfdLayouts.ReadHandles(snapshot));
        Assert.Single(AfdLayouts.ReadHandles(snapshot.AsSpan(0, 16 + 79)));
        BinaryPrimitives.WriteUInt64LittleEndian(snapshot, ulong.MaxValue);
        Assert.Equal(2, AfdLayouts.ReadHandles(snapshot).Count);
        Assert.Empty(AfdLayouts.ReadHandles([]));
    }

    [Fact]
    public void ReadRows_HasEndsStateAndProcess()
    {
        byte[] table = new byte[AfdLayouts.FirstRow + AfdLayouts.RowSize];
        table[0] = 1;
        Span<byte> row = table.AsSpan(AfdLayouts.FirstRow);
        row[0] = 5;
        new byte[] { 10, 0, 0, 5 }.CopyTo(row[4..]);
        new byte[] { 0x01, 0xBB }.CopyTo(row[8..]);
        new byte[] { 10, 0, 0, 21 }.CopyTo(row[12..]);
        new byte[] { 0xC3, 0x50 }.CopyTo(row[16..]);
        BinaryPrimitives.WriteUInt32LittleEndian(row[20..], 812);

        Assert.Equal(
            new OwnedRow(SocketState.Established, IPEndPoint.Parse("10.0.0.5:443"), IPEndPoint.Parse("10.0.0.21:50000"), 812),
            Assert.Single(AfdLayouts.ReadRows(table, isIPv6: false)));
        table[0] = 9;
        Assert.Single(AfdLayouts.ReadRows(table, isIPv6: false));
        Assert.Empty(AfdLayouts.ReadRows(table.AsSpan(0, table.Length - 1), isIPv6: false));
    }

    [Fact]
    public void ReadRows_OfIPv6_HasEndsStateAndProcess()
    {
        byte[] table = new byte[AfdLayouts.FirstRow + AfdLayouts.Row6Size];
        table[0] = 1;
        Span<byte> row = table.AsSpan(AfdLayouts.FirstRow);
        IPAddress.Parse("2001:db8::5").GetAddressBytes().CopyTo(row);
        new byte[] { 0x1F, 0x90 }.CopyTo(row[20..]);
        IPAddress.Parse("::ffff:10.0.0.21").GetAddressBytes().CopyTo(row[24..]);
        new byte[] { 0xC3, 0x50 }.CopyTo(row[44..]);
        row[48] = 8;
        BinaryPrimitives.WriteUInt32LittleEndian(row[52..], 4_242);

        Assert.Equal(
            new OwnedRow(SocketState.CloseWait, IPEndPoint.Parse("[2001:db8::5]:8080"), IPEndPoint.Parse("10.0.0.21:50000"), 4_242),
            Assert.Single(AfdLayouts.ReadRows(table, isIPv6: true)));
    }

    [Fact]
    public void Codes_AreThoseOfTheFacts()
    {
        Assert.Equal((0x12043u, 0x1202Fu, 0x1203Fu, 0x120BFu), (
            AfdLayouts.GetContext, AfdLayouts.GetAddress, AfdLayouts.GetRemoteAddress, AfdLayouts.TransportIoctl));
        Assert.Equal((40, 160, 192, 46), (AfdLayouts.HandleEntrySize, AfdLayouts.RowSize, AfdLayouts.Row6Size, AfdLayouts.SharedSize));
    }

    private static byte[] Shared(ushort flags)
    {
        byte[] shared = new byte[120];
        shared[0] = 3;
        shared[4] = 2;
        shared[8] = 1;
        shared[12] = 6;
        BinaryPrimitives.WriteUInt32LittleEndian(shared.AsSpan(36), 65_536);
        BinaryPrimitives.WriteUInt32LittleEndian(shared.AsSpan(40), 32_768);
        BinaryPrimitives.WriteUInt16LittleEndian(shared.AsSpan(44), flags);
        return shared;
    }
}
