using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>
/// ICMP echo requests, one at a time, through the system's own function (icmpapi.h), which needs no privilege. The calling thread waits, so that no
/// other thread's wake-up is in the time it measures, and another thread can end the wait.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed unsafe class WindowsEcho(IPAddress address) : SystemEcho
{
    /// <summary>ERROR_IO_PENDING, winerror.h: the request is on its way.</summary>
    private const int Pending = 997;

    /// <summary>IP_REQ_TIMED_OUT, ipexport.h.</summary>
    private const uint TimedOut = 11010;

    /// <summary>Room for the reply's structure, its data, an ICMP error and the status block of the driver.</summary>
    private const int ReplyBytes = 1024;

    // Where the status stands in ICMP_ECHO_REPLY (behind the address) and in ICMPV6_ECHO_REPLY (behind an address of 26 bytes, aligned).
    private const int StatusAt = 4;
    private const int StatusAtV6 = 28;
    private const int SocketAddressV6Bytes = 28;
    private const short FamilyV6 = 23;

    /// <summary>INVALID_HANDLE_VALUE.</summary>
    private const nint None = -1;

    /// <summary>The function keeps its own timeout; when it does not, the wait ends this much later.</summary>
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    private readonly AutoResetEvent _done = new(false);
    private readonly ManualResetEvent _stop = new(false);
    private readonly byte* _reply = (byte*)NativeMemory.AllocZeroed(ReplyBytes);
    private nint _handle = None;
    private bool _underWay;

    private bool V6 => address.AddressFamily == AddressFamily.InterNetworkV6;

    /// <inheritdoc/>
    public override uint Ask(ReadOnlySpan<byte> payload, TimeSpan timeout)
    {
        if (_handle == None && (_handle = V6 ? WindowsNative.Icmp6CreateFile() : WindowsNative.IcmpCreateFile()) == None)
        {
            return (uint)Marshal.GetLastPInvokeError();
        }

        uint most = (uint)Math.Clamp(timeout.TotalMilliseconds, 1, int.MaxValue);
        if (Send(payload, most) == 0)
        {
            int error = Marshal.GetLastPInvokeError();
            if (error != Pending)
            {
                return (uint)error;
            }

            _underWay = true;
            int ended = WaitHandle.WaitAny([_done, _stop], TimeSpan.FromMilliseconds(most) + Grace);
            ObjectDisposedException.ThrowIf(ended == 1, this);
            if (ended != 0)
            {
                return TimedOut;
            }

            _underWay = false;
        }

        uint replies = V6 ? WindowsNative.Icmp6ParseReplies(_reply, ReplyBytes) : WindowsNative.IcmpParseReplies(_reply, ReplyBytes);
        return replies == 0 ? (uint)Marshal.GetLastPInvokeError() : *(uint*)(_reply + (V6 ? StatusAtV6 : StatusAt));
    }

    /// <inheritdoc/>
    public override void Interrupt() => _stop.Set();

    /// <inheritdoc/>
    protected override void Close()
    {
        if (_handle != None)
        {
            _ = WindowsNative.IcmpCloseHandle(_handle);
        }

        // The system may still write to the buffer of a request that nobody waits for any more.
        if (!_underWay)
        {
            NativeMemory.Free(_reply);
        }

        _done.Dispose();
        _stop.Dispose();
    }

    private uint Send(ReadOnlySpan<byte> payload, uint timeoutMs)
    {
        nint done = _done.SafeWaitHandle.DangerousGetHandle();
        fixed (byte* data = payload)
        {
            if (!V6)
            {
                uint to = BinaryPrimitives.ReadUInt32LittleEndian(address.GetAddressBytes());
                return WindowsNative.IcmpSendEcho(
                    _handle, done, null, null, to, data, (ushort)payload.Length, null, _reply, ReplyBytes, timeoutMs);
            }

            // Two sockaddr_in6 (ws2ipdef.h): from any address, to this one.
            Span<byte> addresses = stackalloc byte[2 * SocketAddressV6Bytes];
            addresses.Clear();
            BinaryPrimitives.WriteInt16LittleEndian(addresses, FamilyV6);
            Span<byte> target = addresses[SocketAddressV6Bytes..];
            BinaryPrimitives.WriteInt16LittleEndian(target, FamilyV6);
            _ = address.TryWriteBytes(target[8..], out _);
            BinaryPrimitives.WriteUInt32LittleEndian(target[24..], (uint)address.ScopeId);
            fixed (byte* from = addresses)
            {
                return WindowsNative.Icmp6SendEcho(
                    _handle, done, null, null, from, from + SocketAddressV6Bytes, data, (ushort)payload.Length, null, _reply, ReplyBytes, timeoutMs);
            }
        }
    }
}
