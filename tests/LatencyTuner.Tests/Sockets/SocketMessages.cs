using System.Buffers.Binary;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Sockets.Linux;
using Xunit;

#pragma warning disable CA1416 // Messages are read the same on every system; only asking for them needs Linux.

namespace LatencyTuner.Tests.Sockets;

/// <summary>Answers of sock_diag and lines of /proc/net/tcp by offset, whole and cut off.</summary>
public sealed class SocketMessages
{
    [Fact]
    public void Read_TakesEachFieldFromItsOffset()
    {
        DiagnosedSocket socket = DiagnosedSocket.Read(Message())!;

        Assert.Equal(SocketState.CloseWait, socket.State);
        Assert.Equal("10.1.2.3:443", socket.Local.ToString());
        Assert.Equal("10.4.5.6:50000", socket.Remote.ToString());
        Assert.Equal((0x1122334455667788UL, 33u, 987_654u), (socket.Cookie, socket.User, socket.Inode));
        Assert.Equal("cubic", socket.CongestionControl);
        Assert.Equal((131_072L, 87_040L), (socket.ReceiveBufferBytes, socket.SendBufferBytes));
        Assert.Equal(8, socket.Info.Length);
    }

    [Fact]
    public void Read_OfAnyBeginning_NeverThrows()
    {
        byte[] message = Message();
        for (int length = 0; length <= message.Length; length++)
        {
            Assert.Equal(length >= 72, DiagnosedSocket.Read(message.AsSpan(0, length)) is not null);
        }

        message[72] = 3;
        Assert.Null(DiagnosedSocket.Read(message)!.CongestionControl);
    }

    [Fact]
    public void Take_KnowsTheEndAndTheError()
    {
        byte[] netlink = [.. Header(16 + Message().Length, 20), .. Message()];
        List<DiagnosedSocket> sockets = [];

        Assert.Null(SocketDiagnostics.Take(netlink, sockets));
        Assert.True(SocketDiagnostics.Take([.. netlink, .. Header(20, 3), 0, 0, 0, 0], sockets));
        Assert.False(SocketDiagnostics.Take([.. Header(36, 2), .. new byte[20]], sockets));
        Assert.False(SocketDiagnostics.Take(Header(4_000, 20), sockets));
        Assert.False(SocketDiagnostics.Take(Header(3, 20), sockets));
        Assert.Equal(2, sockets.Count);
    }

    [Theory]
    [InlineData(
        "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12345 1 0000 100 0 0 10 0", "127.0.0.1:8080", "Listen")]
    [InlineData(
        "   1: 0000000000000000FFFF00000100007F:0050 0000000000000000FFFF00000200007F:C350 01 00000000:00000000 00:0 00000000  1000        0 7 1 0000",
        "127.0.0.1:80", "Established")]
    [InlineData("   1: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 0:0 00:0 0  1000        0 7 1 0", "[::1]:80", "Listen")]
    public void Read_OfALine_HasEndsAndState(string line, string local, string state)
    {
        DiagnosedSocket socket = ListedSockets.Read(line)!;

        Assert.Equal((local, state), (socket.Local.ToString(), socket.State.ToString()));
        Assert.Equal(0u, (uint)socket.Cookie);
    }

    [Theory]
    [InlineData("")]
    [InlineData("   0: 0100007F:1F90")]
    [InlineData("   0: 0100007:1F90 00000000:0000 0A 0:0 00:0 0 1000 0 12345 1")]
    [InlineData("   0: 0100007F:1F90 ZZZZZZZZ:0000 0A 0:0 00:0 0 1000 0 12345 1")]
    [InlineData("   0: 0100007F:1F90 00000000:0000 0A 0:0 00:0 0 -1 0 12345 1")]
    public void Read_OfAnythingElse_IsNothing(string line) => Assert.Null(ListedSockets.Read(line));

    [Theory]
    [InlineData("nginx", true)]
    [InlineData("NGINX.exe", true)]
    [InlineData("nginx.service", true)]
    [InlineData("ngin", false)]
    public void Takes_ANameWithoutItsEnding(string name, bool takes) =>
        Assert.Equal(takes, new SocketSelection { Names = [name] }.Takes(7, "nginx", null));

    private static byte[] Message()
    {
        byte[] message = new byte[72 + 12 + 12 + 40];
        message[0] = 2;
        message[1] = 8;
        BinaryPrimitives.WriteUInt16BigEndian(message.AsSpan(4), 443);
        BinaryPrimitives.WriteUInt16BigEndian(message.AsSpan(6), 50_000);
        new byte[] { 10, 1, 2, 3 }.CopyTo(message, 8);
        new byte[] { 10, 4, 5, 6 }.CopyTo(message, 24);
        BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan(44), 0x1122334455667788);
        BinaryPrimitives.WriteUInt32LittleEndian(message.AsSpan(64), 33);
        BinaryPrimitives.WriteUInt32LittleEndian(message.AsSpan(68), 987_654);
        Attribute(message.AsSpan(72), 4, "cubic\0"u8);
        Attribute(message.AsSpan(84), 2, new byte[8]);
        byte[] memory = new byte[36];
        BinaryPrimitives.WriteUInt32LittleEndian(memory.AsSpan(4), 131_072);
        BinaryPrimitives.WriteUInt32LittleEndian(memory.AsSpan(12), 87_040);
        Attribute(message.AsSpan(96), 7, memory);
        return message;
    }

    private static void Attribute(Span<byte> at, ushort number, ReadOnlySpan<byte> value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(at, (ushort)(4 + value.Length));
        BinaryPrimitives.WriteUInt16LittleEndian(at[2..], number);
        value.CopyTo(at[4..]);
    }

    private static byte[] Header(int length, ushort type)
    {
        byte[] header = new byte[16];
        BinaryPrimitives.WriteInt32LittleEndian(header, length);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(4), type);
        return header;
    }
}
