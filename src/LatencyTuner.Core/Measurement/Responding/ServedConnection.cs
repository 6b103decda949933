using System.Buffers.Binary;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>
/// Serves one connection on its own thread: receive a request, wait the think time, stamp the residence time into the reply, send it.
/// Nothing is allocated per message, and memory does not grow with the message size.
/// </summary>
internal sealed unsafe class ServedConnection : IDisposable
{
    /// <summary>Messages are received and sent in pieces of at most this many bytes.</summary>
    internal const int ChunkBytes = 64 * 1024;

    private const int SpinsPerClockCheck = 1024;
    private readonly Socket _socket;
    private readonly ServerHandshake _handshake;
    private readonly SetupRequest _setup;
    private readonly ResponderOptions _options;
    private readonly TimeProvider _time;
    private readonly ISocketPlatform _platform;
    private readonly bool _buffersBeforeListen;
    private readonly byte[] _receive;
    private readonly byte[] _send;
    private readonly double _nsPerTick;
    private readonly HostWatch _watch;
    private volatile bool _stop;
    private StallClock? _clock;
    private bool _rearm;
    private long _nextNote;
    private long _runInside;
    private long _stallInside;
    private nint _handle;
    private long _bytes;
    private long _residenceNs;

    internal ServedConnection(
        PendingHandshake pending, SetupRequest setup, bool buffersBeforeListen, bool spin, ResponderOptions options, TimeProvider time,
        ISocketPlatform platform, HostWatch watch)
    {
        _watch = watch;
        _socket = pending.Socket;
        _handshake = pending.Handshake;
        Peer = pending.Peer;
        _setup = setup;
        _buffersBeforeListen = buffersBeforeListen;
        Spins = spin;
        _options = options;
        _time = time;
        _platform = platform;
        _nsPerTick = 1e9 / time.TimestampFrequency;
        _receive = GC.AllocateArray<byte>(setup.OneWay ? ChunkBytes : Math.Min(setup.RequestSize, ChunkBytes), pinned: true);
        _send = GC.AllocateArray<byte>(Math.Clamp(setup.ReplySize, Wire.ReplyHeaderSize, ChunkBytes), pinned: true);
    }

    internal string Peer { get; }

    internal bool Spins { get; }

    internal long Messages { get; private set; }

    public void Dispose() => _socket.Dispose();

    internal void Stop()
    {
        _stop = true;
        _platform.Interrupt(_socket);
    }

    /// <summary>Serves until the client closes, is silent for too long, or the responder stops.</summary>
    /// <returns>How it ended, for the log.</returns>
    internal string Run()
    {
        if (!_setup.Watch)
        {
            return Serve(null);
        }

        _clock = _watch.Join();
        try
        {
            return Serve(_watch.Look(_clock));
        }
        finally
        {
            _watch.Leave();
        }
    }

    private string Serve(HostSample? before)
    {
        int? pinned = _options.AllowPin && _setup.Pin is { } processor && _platform.TryPinThread(processor) ? processor : null;
        using IDisposable timers = _platform.RaiseTimerResolution();
        _platform.SetBlocking(_socket, true);
        _platform.SetTimeouts(_socket, (int)_options.Limits.Idle.TotalMilliseconds);
        if (!_buffersBeforeListen)
        {
            SocketOptionsApplied.SetBuffers(_socket, _setup.SendBuffer, _setup.ReceiveBuffer);
        }

        EndState state = SocketOptionsApplied.Apply(
            _socket, _platform, _setup.NoDelay, _setup.ImmediateAck, Spins, pinned, _buffersBeforeListen);
        _rearm = state.Ack == AckEffect.Immediate && _platform.ImmediateAckNeedsRearming;
        _handle = _socket.Handle;
        if (!SendFrame(_handshake.Frame(FrameType.Ready, new ReadyReply(state, 0, 0, _options.Software, _options.Os).Write())))
        {
            return EndedEarly();
        }

        KernelCounters start = _platform.ReadCounters(_socket);
        if (Spins)
        {
            _platform.SetBlocking(_socket, false);
        }

        string ended = _setup.OneWay ? Drain() : Answer();
        if (ended.Length > 0)
        {
            return ended;
        }

        _platform.SetBlocking(_socket, true);
        KernelCounters end = _platform.ReadCounters(_socket);
        RunResult result = new()
        {
            Messages = Messages,
            Bytes = _bytes,
            ResidenceNs = _residenceNs,
            State = state,
            Start = start,
            End = end,
            Host = before is null ? null : _watch.Between(before, _watch.Look(_clock!)),
        };
        if (!SendFrame(_handshake.Frame(FrameType.Result, result.Write())))
        {
            return EndedEarly();
        }

        _socket.Shutdown(SocketShutdown.Send);
        return ClientEvent.EndedByClient;
    }

    /// <summary>Uses the system's own call: the call of .NET would wait forever after the send timeout has passed.</summary>
    private bool SendFrame(byte[] frame)
    {
        fixed (byte* bytes = frame)
        {
            for (int sent = 0; sent < frame.Length;)
            {
                int count = _platform.Send(_handle, bytes + sent, frame.Length - sent, out _);
                if (count < 0)
                {
                    return false;
                }

                sent += count;
            }
        }

        return true;
    }

    private string Answer()
    {
        fixed (byte* receive = _receive)
        fixed (byte* send = _send)
        {
            bool cleanEnd;
            while (AnswerOne(receive, send, out cleanEnd))
            {
            }

            return cleanEnd ? "" : EndedEarly();
        }
    }

    // A separate method, called once per request: the runtime recompiles often-called methods, but never the loop around them.
    private bool AnswerOne(byte* receive, byte* send, out bool cleanEnd)
    {
        if (!ReceiveRequest(receive, out cleanEnd))
        {
            return false;
        }

        long received = _time.GetTimestamp();
        if (_setup.ThinkNs > 0)
        {
            NoteReceived();
            Think(received);
        }

        long residence = (long)((_time.GetTimestamp() - received) * _nsPerTick);
        _residenceNs += residence;
        BinaryPrimitives.WriteUInt32LittleEndian(_send, (uint)Messages);
        BinaryPrimitives.WriteUInt32LittleEndian(_send.AsSpan(4), Wire.ReplyMagic);
        BinaryPrimitives.WriteInt64LittleEndian(_send.AsSpan(8), residence);
        if (!SendReply(send))
        {
            return false;
        }

        Messages++;
        if (_clock is not null && _setup.ReplySize >= Wire.WaitsHeaderSize)
        {
            NoteWaits(received);
        }

        return true;
    }

    /// <summary>
    /// Separates the waits before a request was received from those in its think time, which its residence time includes already. The think
    /// time hides the cost of the reading; without a think time nothing needs to be separated.
    /// </summary>
    private void NoteReceived()
    {
        if (_clock is not null)
        {
            (long run, long stall) = Waits();
            _runInside -= run;
            _stallInside -= stall;
        }
    }

    /// <summary>Reads the waits for the next reply, after this one was sent: a reading costs about a microsecond, which delays no request here.</summary>
    private void NoteWaits(long now)
    {
        bool thinks = _setup.ThinkNs > 0;
        if (now < _nextNote && !thinks)
        {
            return;
        }

        _nextNote = now + (long)(RequestLog.LookEveryNs / _nsPerTick);
        (long run, long stall) = Waits();
        if (thinks)
        {
            _runInside += run;
            _stallInside += stall;
        }

        BinaryPrimitives.WriteUInt32LittleEndian(_send.AsSpan(Wire.ReplyHeaderSize), Wire.WaitsMagic);
        BinaryPrimitives.WriteInt64LittleEndian(_send.AsSpan(Wire.ReplyHeaderSize + 8), run < 0 ? -1 : run - _runInside);
        BinaryPrimitives.WriteInt64LittleEndian(_send.AsSpan(Wire.ReplyHeaderSize + 16), stall - _stallInside);
    }

    private (long Run, long Stall) Waits() => (_platform.ReadRunDelayNs() ?? -1, _clock!.StalledNs);

    private bool ReceiveRequest(byte* buffer, out bool cleanEnd)
    {
        cleanEnd = false;
        int left = _setup.RequestSize;
        while (left > 0)
        {
            int count = Receive(buffer, Math.Min(left, _receive.Length));
            if (count <= 0)
            {
                cleanEnd = count == 0 && left == _setup.RequestSize && !_stop;
                return false;
            }

            left -= count;
        }

        return true;
    }

    private string Drain()
    {
        fixed (byte* buffer = _receive)
        {
            while (true)
            {
                int count = Receive(buffer, _receive.Length);
                if (count <= 0)
                {
                    Messages = _bytes / _setup.RequestSize;
                    return count == 0 && !_stop ? "" : EndedEarly();
                }
            }
        }
    }

    private int Receive(byte* buffer, int length)
    {
        long idleSince = 0;
        for (int spins = 1; ; spins++)
        {
            int count = _platform.Receive(_handle, buffer, length, out SocketError failure);
            if (count > 0)
            {
                _bytes += count;
                if (_rearm)
                {
                    _platform.RearmImmediateAck(_handle);
                }

                return count;
            }

            if (count == 0 || failure != SocketError.WouldBlock || !Spins || _stop)
            {
                return count;
            }

            if (spins % SpinsPerClockCheck == 0)
            {
                long now = _time.GetTimestamp();
                idleSince = idleSince == 0 ? now : idleSince;
                if (_time.GetElapsedTime(idleSince, now) > _options.Limits.Idle)
                {
                    return -1;
                }
            }
        }
    }

    private bool SendReply(byte* buffer)
    {
        int part = _setup.ReplySize / _setup.ReplyWrites;
        for (int i = 0; i < _setup.ReplyWrites; i++)
        {
            int length = i == _setup.ReplyWrites - 1 ? _setup.ReplySize - (part * i) : part;
            if (!SendPart(buffer, i * part, length))
            {
                return false;
            }
        }

        return true;
    }

    private bool SendPart(byte* buffer, int replyOffset, int length)
    {
        while (length > 0)
        {
            // Past the buffer's end the filler repeats, without the stamp.
            int offset = replyOffset < _send.Length ? replyOffset : Wire.ReplyHeaderSize;
            int count = _platform.Send(_handle, buffer + offset, Math.Min(length, _send.Length - offset), out SocketError failure);
            if (count < 0)
            {
                if (failure == SocketError.WouldBlock && Spins && WaitForRoom())
                {
                    continue;
                }

                return false;
            }

            length -= count;
            replyOffset += count;
        }

        return true;
    }

    /// <summary>Waits until a full non-blocking socket takes data again; false when the client reads nothing for too long.</summary>
    private bool WaitForRoom()
    {
        Span<bool> ready = stackalloc bool[1];
        long since = _time.GetTimestamp();
        while (!_stop && _time.GetElapsedTime(since) <= _options.Limits.Idle)
        {
            if (_platform.Wait([new PollEntry(_handle, false, true)], ready, 10_000_000) > 0)
            {
                return true;
            }
        }

        return false;
    }

    private void Think(long since)
    {
        long until = since + (long)(_setup.ThinkNs / _nsPerTick);
        while (!_stop)
        {
            long leftNs = (long)((until - _time.GetTimestamp()) * _nsPerTick);
            if (leftNs <= 0)
            {
                return;
            }

            // Spins at the end: a wait ends late by an amount that the scheduler decides.
            if (leftNs > 1_200_000)
            {
                _platform.Wait([], [], Math.Min(leftNs - 1_000_000, 100_000_000));
            }
        }
    }

    private string EndedEarly() => _stop ? "stopped" : "the client disconnected, reset the connection, or sent nothing for too long";
}
