using System.Net;
using System.Text;
using LatencyTuner.Core.Etw;

namespace LatencyTuner.Tests.Etw;

/// <summary>Events of Winsock-AFD and of Microsoft-Windows-Kernel-Process between those of TCP.</summary>
internal sealed partial class TcpipEvents
{
    internal const uint Pending = 0x103;

    private static readonly Guid KernelProcess = new("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");

    internal TcpipEvents SocketCreated(long us, ulong endpoint, uint processId) =>
        Socket(us, 1000, endpoint, true, w => w.U32(2).U32(1).U32(6).Pointer(processId, pointerSize).U32(0));

    internal TcpipEvents SocketClosed(long us, ulong endpoint) => Socket(us, 1001, endpoint, true, w => w.U32(0));

    internal TcpipEvents SocketConnect(long us, ulong endpoint, IPEndPoint remote, bool enters = true) =>
        Socket(us, 1018, endpoint, enters, w => w.Pointer(0, pointerSize).U32(0).U32(0).U32((uint)SocketAddress(remote).Length).Raw(SocketAddress(remote)));

    internal TcpipEvents SocketAccept(long us, ulong listener, ulong accepted, IPEndPoint remote) =>
        Socket(
            us, 1027, listener, false,
            w =>
                w.Pointer(0, pointerSize).U32(0).U32(0).U32((uint)SocketAddress(remote).Length).Raw(SocketAddress(remote)).Pointer(accepted, pointerSize)
                    .U32(0));

    internal TcpipEvents SocketSend(long us, ulong endpoint, bool enters, uint bytes, uint status = 0, uint location = 0) =>
        Call(us, 1003, endpoint, enters, bytes, status, location);

    internal TcpipEvents SocketReceive(long us, ulong endpoint, bool enters, uint bytes, uint status = 0) => Call(us, 1004, endpoint, enters, bytes, status);

    internal TcpipEvents SocketData(long us, ulong endpoint, uint bytes) => Socket(us, 3003, endpoint, true, w => w.Pointer(0, pointerSize).U32(bytes));

    internal TcpipEvents SocketOption(long us, ulong endpoint, uint option, uint value) =>
        Socket(us, 1035, endpoint, true, w => w.U32(option).U32(value).U32(0));

    /// <summary>ProcessStart (1), or the rundown of one that runs (15).</summary>
    internal TcpipEvents ProcessNamed(long us, uint processId, string path, ushort id = 15) =>
        Add(us, id, 0, new ByteWriter().U32(processId).U64(0).U32(4).U32(0).U32(0).Raw(Encoding.Unicode.GetBytes(path + "\0")), provider: KernelProcess);

    private TcpipEvents Call(long us, ushort id, ulong endpoint, bool enters, uint bytes, uint status, uint location = 0) =>
        Socket(us, id, endpoint, enters, w => w.U32(1).Pointer(0, pointerSize).U32(bytes).U32(status), location);

    private TcpipEvents Socket(long us, ushort id, ulong endpoint, bool enters, Func<ByteWriter, ByteWriter> tail, uint location = 0) =>
        Add(
            us, id, 0, tail(new ByteWriter().U32(enters ? 0u : 1u).U32(location).Pointer(0, pointerSize).Pointer(endpoint, pointerSize)),
            provider: TcpEventDecoder.AfdProvider);
}
