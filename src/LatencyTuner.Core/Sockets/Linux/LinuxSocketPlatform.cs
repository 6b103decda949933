using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>Linux socket calls.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class LinuxSocketPlatform : ISocketPlatform
{
    public bool ImmediateAckNeedsRearming => true;

    public int Send(nint handle, byte* buffer, int length, out SocketError failure)
    {
        while (true)
        {
            nint sent = LinuxNative.Send((int)handle, buffer, (nuint)length, LinuxNative.MsgNoSignal);
            if (sent >= 0)
            {
                failure = SocketError.Success;
                return (int)sent;
            }

            int errno = Marshal.GetLastSystemError();
            if (errno != LinuxNative.ErrnoInterrupted)
            {
                failure = Map(errno);
                return -1;
            }
        }
    }

    public int Receive(nint handle, byte* buffer, int length, out SocketError failure)
    {
        while (true)
        {
            nint received = LinuxNative.Receive((int)handle, buffer, (nuint)length, 0);
            if (received >= 0)
            {
                failure = SocketError.Success;
                return (int)received;
            }

            int errno = Marshal.GetLastSystemError();
            if (errno != LinuxNative.ErrnoInterrupted)
            {
                failure = Map(errno);
                return -1;
            }
        }
    }

    public SocketError StartConnect(nint handle, ReadOnlySpan<byte> address)
    {
        fixed (byte* bytes = address)
        {
            int errno = LinuxNative.Connect((int)handle, bytes, (uint)address.Length) == 0 ? 0 : Marshal.GetLastSystemError();
            return errno is 0 or LinuxNative.ErrnoInProgress or LinuxNative.ErrnoInterrupted ? SocketError.Success : Map(errno);
        }
    }

    public int Wait(ReadOnlySpan<PollEntry> entries, Span<bool> ready, long timeoutNs)
    {
        const int OnStack = 64;
        LinuxNative.PollDescriptor* descriptors = stackalloc LinuxNative.PollDescriptor[Math.Min(entries.Length, OnStack)];
        LinuxNative.PollDescriptor[]? rented = entries.Length > OnStack
            ? System.Buffers.ArrayPool<LinuxNative.PollDescriptor>.Shared.Rent(entries.Length)
            : null;
        fixed (LinuxNative.PollDescriptor* fromPool = rented)
        {
            LinuxNative.PollDescriptor* all = rented is null ? descriptors : fromPool;
            for (int i = 0; i < entries.Length; i++)
            {
                all[i].Descriptor = (int)entries[i].Handle;
                all[i].Events = (short)((entries[i].Read ? LinuxNative.PollIn : 0) | (entries[i].Write ? LinuxNative.PollOut : 0));
                all[i].Returned = 0;
                ready[i] = false;
            }

            LinuxNative.TimeSpec timeout = new() { Seconds = timeoutNs / 1_000_000_000, Nanoseconds = timeoutNs % 1_000_000_000 };
            int count = LinuxNative.PPoll(all, (nuint)entries.Length, &timeout, null);
            for (int i = 0; count > 0 && i < entries.Length; i++)
            {
                ready[i] = all[i].Returned != 0;
            }

            if (rented is not null)
            {
                System.Buffers.ArrayPool<LinuxNative.PollDescriptor>.Shared.Return(rented);
            }

            return Math.Max(count, 0);
        }
    }

    public AckEffect RequestImmediateAck(Socket socket)
    {
        RearmImmediateAck(socket.Handle);
        Span<byte> value = stackalloc byte[4];
        try
        {
            return socket.GetRawSocketOption(LinuxNative.IpProtoTcp, LinuxNative.TcpQuickAck, value) == 4 && value[0] != 0
                ? AckEffect.Immediate
                : AckEffect.Unsupported;
        }
        catch (SocketException)
        {
            return AckEffect.Unsupported;
        }
    }

    public void RearmImmediateAck(nint handle)
    {
        int one = 1;
        _ = LinuxNative.SetSocketOption((int)handle, LinuxNative.IpProtoTcp, LinuxNative.TcpQuickAck, &one, sizeof(int));
    }

    public void SetBlocking(Socket socket, bool blocking)
    {
        socket.Blocking = blocking;
        int flags = LinuxNative.Fcntl((int)socket.Handle, LinuxNative.FcntlGetFlags, 0);
        flags = blocking ? flags & ~LinuxNative.OpenNonBlocking : flags | LinuxNative.OpenNonBlocking;
        _ = LinuxNative.Fcntl((int)socket.Handle, LinuxNative.FcntlSetFlags, flags);
    }

    public void SetTimeouts(Socket socket, int milliseconds)
    {
        Span<long> time = [milliseconds / 1000, milliseconds % 1000 * 1000L];
        socket.SetRawSocketOption(LinuxNative.SolSocket, LinuxNative.SoReceiveTimeout, MemoryMarshal.AsBytes(time));
        socket.SetRawSocketOption(LinuxNative.SolSocket, LinuxNative.SoSendTimeout, MemoryMarshal.AsBytes(time));
    }

    public KernelCounters ReadCounters(Socket socket)
    {
        Span<byte> info = stackalloc byte[LinuxTcpInfo.Size];
        try
        {
            int length = socket.GetRawSocketOption(LinuxNative.IpProtoTcp, LinuxNative.TcpInfo, info);
            return LinuxTcpInfo.Decode(info[..Math.Clamp(length, 0, info.Length)]);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return KernelCounters.Unsupported;
        }
    }

    public bool TryPinThread(int processor)
    {
        if (processor is < 0 or >= 1024)
        {
            return false;
        }

        byte* mask = stackalloc byte[128];
        new Span<byte>(mask, 128).Clear();
        mask[processor / 8] = (byte)(1 << (processor % 8));
        return LinuxNative.SetAffinity(0, 128, mask) == 0;
    }

    public IDisposable RaiseTimerResolution() => new LinuxTimerSlack();

    public TimerInForce ReadTimer() => new(true, LinuxNative.Prctl(LinuxNative.PrGetTimerSlack, 0, 0, 0, 0) is > 0 and var slack ? slack : null);

    public void LimitUnsent(Socket socket, int bytes)
    {
        _ = LinuxNative.SetSocketOption((int)socket.Handle, LinuxNative.IpProtoTcp, LinuxNative.TcpNotSentLowWater, &bytes, sizeof(int));
    }

    public ProcessorTimes ReadProcessorTimes() => LinuxProcessors.Read();

    public long? ReadRunDelayNs() => LinuxRunDelay.ReadNs();

    public void Interrupt(Socket socket)
    {
        try
        {
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Already closed, as intended.
        }
    }

    private static SocketError Map(int errno) => errno switch
    {
        LinuxNative.ErrnoAgain => SocketError.WouldBlock,
        LinuxNative.ErrnoPipe => SocketError.Shutdown,
        LinuxNative.ErrnoConnectionReset => SocketError.ConnectionReset,
        LinuxNative.ErrnoNotConnected => SocketError.NotConnected,
        LinuxNative.ErrnoTimedOut => SocketError.TimedOut,
        LinuxNative.ErrnoHostUnreachable => SocketError.HostUnreachable,
        LinuxNative.ErrnoNetworkUnreachable => SocketError.NetworkUnreachable,
        LinuxNative.ErrnoConnectionRefused => SocketError.ConnectionRefused,
        _ => SocketError.SocketError,
    };
}

/// <summary>Sets the calling thread's timer slack to the minimum and restores it; the default of 50 µs would be added to every wait.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxTimerSlack : IDisposable
{
    private readonly int _before = LinuxNative.Prctl(LinuxNative.PrGetTimerSlack, 0, 0, 0, 0);

    internal LinuxTimerSlack() => _ = LinuxNative.Prctl(LinuxNative.PrSetTimerSlack, 1, 0, 0, 0);

    public void Dispose()
    {
        if (_before > 0)
        {
            _ = LinuxNative.Prctl(LinuxNative.PrSetTimerSlack, (nuint)_before, 0, 0, 0);
        }
    }
}
