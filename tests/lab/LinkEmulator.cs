using System.Runtime.InteropServices;

namespace LatencyTuner.Lab;

/// <summary>
/// Joins the two hosts of a <see cref="LabNetwork"/>: one thread of its own forwards Ethernet frames between the TAP devices by
/// <see cref="EmulatorCore"/>. It sleeps until 100 microseconds before a frame is due and polls from there, so that a frame is neither
/// early nor late by a timer's coarseness and an idle link costs no processor time.
/// </summary>
public sealed class LinkEmulator : IDisposable
{
    private const long PollNs = 100_000;
    private const int Batch = 16;
    private readonly object _gate = new();
    private readonly List<LabDrop> _drops = [];
    private readonly TapDevice[] _taps = new TapDevice[2];
    private readonly PcapFile?[] _pcaps = new PcapFile?[2];
    private readonly long[] _frames = new long[2];
    private readonly FramePool _pool;
    private readonly EmulatorCore _core;
    private readonly Thread _thread;
    private readonly int _stopFd;
    private long _delivered;
    private long _lateness;
    private long _maxLateness;
    private long _latest;
    private long _writeFailures;
    private volatile bool _stop;
    private bool _disposed;

    /// <summary>Attaches to the devices and starts to forward.</summary>
    /// <param name="network">The hosts. Dispose the emulator before the network.</param>
    /// <param name="options">What is emulated.</param>
    /// <exception cref="ArgumentOutOfRangeException">A value of <paramref name="options"/> is out of its range.</exception>
    /// <exception cref="LabException">A device cannot be attached; another emulator may have it.</exception>
    public LinkEmulator(LabNetwork network, LinkEmulatorOptions? options = null)
    {
        options ??= new LinkEmulatorOptions();
        _pool = new FramePool(network.Mtu + 64);
        _core = new EmulatorCore(options, _pool) { Sent = OnSent, Arrived = OnArrived, Dropped = OnDropped };
        _stopFd = Libc.EventFd(0, Libc.NonBlocking | Libc.CloseOnExec);
        try
        {
            _taps[0] = TapDevice.Open(network.ClientNamespace, LabNetwork.ClientDevice);
            _taps[1] = TapDevice.Open(network.ServerNamespace, LabNetwork.ServerDevice);
            if (options.ClientPcap is { } client)
            {
                _pcaps[0] = new PcapFile(client, options.SnapLength);
            }

            if (options.ServerPcap is { } server)
            {
                _pcaps[1] = new PcapFile(server, options.SnapLength);
            }
        }
        catch
        {
            Release();
            throw;
        }

        WarmUp(options);
        _thread = new Thread(Run) { IsBackground = true, Name = "link emulator" };
        _thread.Start();
    }

    /// <summary>Why the emulator stopped by itself; null while it runs and after disposal.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>What was done so far. May be called from any thread, also after disposal.</summary>
    public EmulatorStatistics Statistics()
    {
        lock (_gate)
        {
            return new EmulatorStatistics
            {
                ClientFrames = _frames[0],
                ServerFrames = _frames[1],
                ClientAcksHeld = _core.AcksHeld(LabHost.Client),
                ServerAcksHeld = _core.AcksHeld(LabHost.Server),
                WriteFailures = _writeFailures,
                MeanLatenessNs = _delivered == 0 ? 0 : _lateness / _delivered,
                MaxLatenessNs = _maxLateness,
                Drops = [.. _drops],
            };
        }
    }

    /// <summary>The largest time between when a frame was due and when it was handed over since the last call, nanoseconds.</summary>
    public long TakeLatestNs()
    {
        lock (_gate)
        {
            long latest = _latest;
            _latest = 0;
            return latest;
        }
    }

    /// <summary>Stops forwarding; frames on their way are lost. Closes the pcap files. May be called again.</summary>
    public unsafe void Dispose()
    {
        if (_disposed)
        {
            return;
        }

        _disposed = true;
        _stop = true;
        ulong one = 1;
        _ = Libc.Write(_stopFd, (byte*)&one, 8);
        _thread.Join();
        Release();
    }

    private void Release()
    {
        foreach (TapDevice tap in _taps)
        {
            tap?.Dispose();
        }

        foreach (PcapFile? pcap in _pcaps)
        {
            pcap?.Dispose();
        }

        if (_stopFd >= 0)
        {
            _ = Libc.Close(_stopFd);
        }
    }

    private void Run()
    {
        try
        {
            Prioritise();
            while (!_stop)
            {
                Wait();
                bool more;
                do
                {
                    // The lock is free unless somebody reads the statistics; taken per batch so that reading them never waits long.
                    lock (_gate)
                    {
                        more = ReadBatch(LabHost.Client);
                        more |= ReadBatch(LabHost.Server);
                        _core.Advance(Libc.MonotonicNs());
                    }
                }
                while (more && !_stop);
            }
        }
        catch (Exception e) when (e is LabException or IOException)
        {
            Failure = e;
        }
    }

    /// <summary>
    /// One nanosecond of timer slack instead of 50 microseconds, and the lowest real-time priority, because the hosts' own processes would
    /// otherwise take the processor at the moment a frame is due. Where that is refused the emulator is less precise and works the same.
    /// </summary>
    private static unsafe void Prioritise()
    {
        const int SetTimerSlack = 29;
        const int FirstInFirstOut = 1;
        _ = Libc.ProcessControl(SetTimerSlack, 1);
        int priority = 1;
        _ = Libc.SetScheduler(0, FirstInFirstOut, &priority);
    }

    /// <summary>Lets the code be compiled before the first frame, which would otherwise be a millisecond or two late.</summary>
    private static void WarmUp(LinkEmulatorOptions options)
    {
        FramePool pool = new(64);
        EmulatorCore core = new(options, pool) { Sent = (_, _) => { }, Arrived = (_, _, _) => { }, Dropped = (_, _, _) => { } };
        byte[] frame = new byte[55];
        frame[12] = 0x08;
        frame[14] = 0x45;
        frame[17] = 41;
        frame[23] = 6;
        frame[46] = 0x50;
        frame[47] = (byte)TcpControl.Ack;
        for (int i = 0; i < 64; i++)
        {
            frame[17] = (byte)(40 + (i % 2)); // with and without payload
            frame[41] = frame[45] = (byte)i;
            core.FromHost((LabHost)(i / 2 % 2), pool.Rent(frame), i * 1_000_000L);
            core.Advance(Math.Min(core.NextDueNs, i * 1_000_000L));
        }
    }

    private unsafe void Wait()
    {
        long due;
        lock (_gate)
        {
            due = _core.NextDueNs;
        }

        long sleep = due == long.MaxValue ? long.MaxValue : due - Libc.MonotonicNs() - PollNs;
        if (sleep <= 0)
        {
            return;
        }

        Libc.PollFd* fds = stackalloc Libc.PollFd[3];
        fds[0] = new Libc.PollFd { Fd = _taps[0].Fd, Events = Libc.PollIn };
        fds[1] = new Libc.PollFd { Fd = _taps[1].Fd, Events = Libc.PollIn };
        fds[2] = new Libc.PollFd { Fd = _stopFd, Events = Libc.PollIn };
        Libc.TimeSpec timeout = new() { Seconds = sleep / 1_000_000_000, Nanoseconds = sleep % 1_000_000_000 };
        if (Libc.Poll(fds, 3, due == long.MaxValue ? null : &timeout, null) < 0 && Marshal.GetLastPInvokeError() != Libc.Interrupted)
        {
            throw new LabException($"Waiting for frames failed: {Libc.LastError()}.");
        }
    }

    private bool ReadBatch(LabHost host)
    {
        for (int i = 0; i < Batch; i++)
        {
            FrameBuffer frame = _pool.Rent();
            int length = _taps[(int)host].Read(frame.Bytes);
            if (length == 0)
            {
                _pool.Return(frame);
                return false;
            }

            frame.SetLength(length);
            long now = Libc.MonotonicNs();
            _core.FromHost(host, frame, now);
            if (_core.NextDueNs <= now)
            {
                _core.Advance(now);
            }
        }

        return true;
    }

    private void OnSent(LabHost host, FrameBuffer frame)
    {
        _frames[(int)host]++;
        _pcaps[(int)host]?.Write(Libc.RealtimeNs(), frame.Frame);
    }

    private void OnArrived(LabHost host, FrameBuffer frame, long dueNs)
    {
        // Before the write: the write runs the receiving host's stack, which may answer before it returns.
        _pcaps[(int)host]?.Write(Libc.RealtimeNs(), frame.Frame);
        long late = Libc.MonotonicNs() - dueNs;
        _delivered++;
        _lateness += late;
        _maxLateness = Math.Max(_maxLateness, late);
        _latest = Math.Max(_latest, late);
        if (!_taps[(int)host].Write(frame.Frame))
        {
            _writeFailures++;
        }
    }

    private void OnDropped(LabHost host, FrameBuffer frame, DropReason reason) =>
        _drops.Add(new LabDrop(host, Libc.RealtimeNs(), frame.Tcp.Sequence, frame.Tcp.PayloadLength, reason));
}
