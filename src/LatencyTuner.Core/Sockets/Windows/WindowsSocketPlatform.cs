using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>The socket calls through Winsock.</summary>
[SupportedOSPlatform("windows")]
internal sealed unsafe class WindowsSocketPlatform : ISocketPlatform
{
    /// <summary>The first build whose WSAPoll reports a connect that failed (sdk-api, winsock2.h, WSAPoll): Windows 10 2004.</summary>
    private const int PollReportsFailedConnects = 19041;

    private static readonly TcpInfoSupport InfoVersions = new();

    private readonly bool _pollMissesFailedConnects = !OperatingSystem.IsWindowsVersionAtLeast(10, 0, PollReportsFailedConnects);

    public bool ImmediateAckNeedsRearming => false;

    public int Send(nint handle, byte* buffer, int length, out SocketError failure)
    {
        int sent = WindowsNative.Send(handle, buffer, length, 0);
        failure = sent >= 0 ? SocketError.Success : LastError();
        return sent;
    }

    public int Receive(nint handle, byte* buffer, int length, out SocketError failure)
    {
        int received = WindowsNative.Receive(handle, buffer, length, 0);
        if (received >= 0)
        {
            failure = SocketError.Success;
            return received;
        }

        failure = LastError();
        return -1;
    }

    public SocketError StartConnect(nint handle, ReadOnlySpan<byte> address)
    {
        fixed (byte* bytes = address)
        {
            SocketError error = WindowsNative.Connect(handle, bytes, address.Length) == 0 ? SocketError.Success : (SocketError)Marshal.GetLastPInvokeError();
            return error == SocketError.WouldBlock ? SocketError.Success : error;
        }
    }

    /// <summary>
    /// Reports an expired receive timeout as "no data yet", as Linux does. Unlike on Linux, the state of the connection is then undefined
    /// (SOL_SOCKET options, SO_RCVTIMEO): every caller ends it. A connection that TCP gave up retransmitting on has the same error code.
    /// </summary>
    private static SocketError LastError() =>
        (SocketError)Marshal.GetLastPInvokeError() is var error && error == SocketError.TimedOut ? SocketError.WouldBlock : error;

    public int Wait(ReadOnlySpan<PollEntry> entries, Span<bool> ready, long timeoutNs)
    {
        // WSAPoll refuses an empty set and counts in milliseconds; the caller spins the rest.
        int milliseconds = (int)Math.Min(timeoutNs / 1_000_000, int.MaxValue);
        if (entries.IsEmpty)
        {
            if (timeoutNs > 0 && !WindowsThreadTimer.TryWait(timeoutNs))
            {
                Thread.Sleep(milliseconds);
            }

            return 0;
        }

        if (_pollMissesFailedConnects && HasConnect(entries))
        {
            return WindowsSelect.Wait(entries, ready, timeoutNs);
        }

        WindowsNative.PollDescriptor[] rented = System.Buffers.ArrayPool<WindowsNative.PollDescriptor>.Shared.Rent(entries.Length);
        fixed (WindowsNative.PollDescriptor* all = rented)
        {
            for (int i = 0; i < entries.Length; i++)
            {
                all[i].Socket = entries[i].Handle;
                all[i].Events = (short)((entries[i].Read ? WindowsNative.PollReadNormal : 0) | (entries[i].Write ? WindowsNative.PollWriteNormal : 0));
                all[i].Returned = 0;
                ready[i] = false;
            }

            int count = WindowsNative.Poll(all, (uint)entries.Length, milliseconds);
            for (int i = 0; count > 0 && i < entries.Length; i++)
            {
                ready[i] = all[i].Returned != 0;
            }

            System.Buffers.ArrayPool<WindowsNative.PollDescriptor>.Shared.Return(rented);
            return Math.Max(count, 0);
        }
    }

    private static bool HasConnect(ReadOnlySpan<PollEntry> entries)
    {
        foreach (PollEntry entry in entries)
        {
            if (entry.Write)
            {
                return true;
            }
        }

        return false;
    }

    public SystemEcho OpenEcho(IPAddress address) => new WindowsEcho(address);

    public AckEffect RequestImmediateAck(Socket socket)
    {
        try
        {
            // TCP_ACK_FREQUENCY_PARAMETERS is one byte; callers in the field pass a 4-byte integer, which is accepted as well.
            _ = socket.IOControl(WindowsNative.SioTcpSetAckFrequency, [1, 0, 0, 0], null);
            return AckEffect.Unknown;
        }
        catch (SocketException)
        {
            return AckEffect.Unsupported;
        }
    }

    public void RearmImmediateAck(nint handle)
    {
        // The ioctl is permanent on Windows.
    }

    public void SetBlocking(Socket socket, bool blocking) => socket.Blocking = blocking;

    public void SetTimeouts(Socket socket, int milliseconds)
    {
        socket.ReceiveTimeout = milliseconds;
        socket.SendTimeout = milliseconds;
    }

    public KernelCounters ReadCounters(Socket socket)
    {
        for (int version = InfoVersions.Newest; version >= 0; version--)
        {
            byte[] info = new byte[version == 1 ? WindowsTcpInfo.SizeV1 : WindowsTcpInfo.SizeV0];
            try
            {
                int length = socket.IOControl(WindowsNative.SioTcpInfo, [(byte)version, 0, 0, 0], info);
                InfoVersions.Answered(version);
                return WindowsTcpInfo.Decode(info.AsSpan(0, Math.Clamp(length, 0, info.Length)));
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.OperationNotSupported or SocketError.InvalidArgument)
            {
                InfoVersions.Refused(version);
            }
            catch (SocketException)
            {
                // A closed connection does not show what the system supports: the next connection tries again.
            }
            catch (ObjectDisposedException)
            {
                break;
            }
        }

        return KernelCounters.Unsupported;
    }

    public bool TryPinThread(int processor)
    {
        // Groups need not be full: 72 processors may be two groups of 36.
        ushort groups = WindowsNative.GetProcessorGroupCount();
        for (ushort group = 0; group < groups && processor >= 0; group++)
        {
            int size = (int)WindowsNative.GetProcessorCount(group);
            if (processor < size)
            {
                WindowsNative.GroupAffinity affinity = new() { Mask = (nuint)1 << processor, Group = group };
                return WindowsNative.SetThreadGroupAffinity(WindowsNative.GetCurrentThread(), &affinity, null) != 0;
            }

            processor -= size;
        }

        return false;
    }

    public IDisposable RaiseTimerResolution() => new WindowsTimerResolution();

    public TimerInForce ReadTimer()
    {
        uint coarsest, finest, current;
        // Units of 100 ns.
        bool known = WindowsNative.QueryTimerResolution(&coarsest, &finest, &current) == 0;
        return new(WindowsThreadTimer.TryWait(1), known ? current * 100L : null);
    }

    public void LimitUnsent(Socket socket, int bytes)
    {
        // Windows has no option for it: the system buffers about what the path can hold (ideal send backlog).
    }

    public ProcessorTimes ReadProcessorTimes()
    {
        // FILETIME: units of 100 ns. The kernel's time of the whole machine includes the idle one.
        long idle = 0, kernel = 0, user = 0, created, exited, processKernel, processUser;
        // On a machine with several groups of processors the call speaks of one of them only, and which load that leaves out is not known.
        bool machine = WindowsNative.GetProcessorGroupCount() == 1 && WindowsNative.GetSystemTimes(&idle, &kernel, &user) != 0;
        bool process = WindowsNative.GetProcessTimes(-1, &created, &exited, &processKernel, &processUser) != 0;
        return new ProcessorTimes(
            process ? (processKernel + processUser) * 100 : null,
            machine ? Math.Max(kernel + user - idle, 0) * 100 : null,
            machine ? (kernel + user) * 100 : null);
    }

    public long? ReadRunDelayNs() => null;

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

        if (!socket.SafeHandle.IsClosed)
        {
            // A shutdown alone does not end a receive that already waits.
            _ = WindowsNative.CancelIo(socket.Handle, null);
        }
    }
}
