using System.Net.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Sockets;

namespace LatencyTuner.Tests.Measurement;

/// <summary>The sockets of this system, except that one thread's calls come to a bug after a while.</summary>
/// <param name="thread">Name of that thread.</param>
/// <param name="after">How many of its sends and receives work.</param>
internal sealed unsafe class FailingPlatform(string thread, int after) : ISocketPlatform
{
    private readonly ISocketPlatform _real = SocketPlatform.Current;
    private int _calls;

    internal string Message => $"a bug on the thread {thread}";

    public bool ImmediateAckNeedsRearming => _real.ImmediateAckNeedsRearming;

    public int Send(nint handle, byte* buffer, int length, out SocketError failure)
    {
        Step();
        return _real.Send(handle, buffer, length, out failure);
    }

    public int Receive(nint handle, byte* buffer, int length, out SocketError failure)
    {
        Step();
        return _real.Receive(handle, buffer, length, out failure);
    }

    public SocketError StartConnect(nint handle, ReadOnlySpan<byte> address) => _real.StartConnect(handle, address);

    public int Wait(ReadOnlySpan<PollEntry> entries, Span<bool> ready, long timeoutNs) => _real.Wait(entries, ready, timeoutNs);

    public AckEffect RequestImmediateAck(Socket socket) => _real.RequestImmediateAck(socket);

    public void RearmImmediateAck(nint handle) => _real.RearmImmediateAck(handle);

    public void SetBlocking(Socket socket, bool blocking) => _real.SetBlocking(socket, blocking);

    public void SetTimeouts(Socket socket, int milliseconds) => _real.SetTimeouts(socket, milliseconds);

    public KernelCounters ReadCounters(Socket socket) => _real.ReadCounters(socket);

    public bool TryPinThread(int processor) => _real.TryPinThread(processor);

    public IDisposable RaiseTimerResolution() => _real.RaiseTimerResolution();

    public TimerInForce ReadTimer() => _real.ReadTimer();

    public void LimitUnsent(Socket socket, int bytes) => _real.LimitUnsent(socket, bytes);

    public ProcessorTimes ReadProcessorTimes() => _real.ReadProcessorTimes();

    public long? ReadRunDelayNs() => _real.ReadRunDelayNs();

    public void Interrupt(Socket socket) => _real.Interrupt(socket);

    private void Step()
    {
        if (Thread.CurrentThread.Name == thread && Interlocked.Increment(ref _calls) > after)
        {
            throw new InvalidOperationException(Message);
        }
    }
}
