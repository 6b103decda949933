using System.Globalization;
using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Sockets.Windows;

namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Probes with sockets of this process on loopback; nothing leaves the machine.</summary>
internal sealed class SocketProbes(HostOs os, ISocketPlatform platform, TimeProvider time)
{
    private const int SplitRequests = 15;
    private const int ManySockets = 200;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);
    private double[]? _splitMs;

    internal IEnumerable<(string Id, Func<ProbeFinding> Probe)> All() =>
    [
        ("ack-frequency-ioctl", AckFrequency),
        ("tcp-info-v1", () => TcpInfo(os.Build >= 17763, "SIO_TCP_INFO v1", "This Windows is older than version 1 of SIO_TCP_INFO.")),
        ("tcp-info-v0-fallback", () => TcpInfo(
            os.Build is >= 15063 and < 17763, "SIO_TCP_INFO v0",
            os.Build < 15063 ? "This Windows is older than SIO_TCP_INFO (build 15063): no counters are expected."
                : "This Windows has version 1 of SIO_TCP_INFO.")),
        ("tcp-info-half-closed", HalfClosed),
        ("loopback-stalls", LoopbackStalls),
        ("delayed-ack-timer", DelayedAckTimer),
        ("refused-connect-time", RefusedConnect),
        ("interrupt-blocked-receive", InterruptedReceive),
        ("receive-timeout-granularity", ReceiveTimeout),
        ("port-taken-text", PortTaken),
        ("many-handshakes", Many),
        ("sockets-of-others", OfOthers),
    ];

    private ProbeFinding AckFrequency()
    {
        using LoopbackPair pair = new();
        AckEffect effect = platform.RequestImmediateAck(pair.Server);
        return effect == AckEffect.Unsupported
            ? ProbeFinding.Of(false, "The call was refused.")
            : ProbeFinding.Unknown(
                "The call was accepted. Only a capture on another host shows whether every segment is acknowledged at once.", $"effect: {effect}");
    }

    private ProbeFinding TcpInfo(bool isExpected, string source, string otherwise)
    {
        using LoopbackPair pair = new();
        pair.Client.NoDelay = true;
        pair.SplitRequest(new byte[2]);
        KernelCounters counters = platform.ReadCounters(pair.Client);
        string[] seen = counters.Source == KernelCounters.Unsupported.Source ? ["no version answered"]
            : [
                counters.Source,
                $"RTT {Shown(counters.RttUs)} us, minimum {Shown(counters.MinRttUs)} us, MSS {Shown(counters.MssBytes)} B, retransmitted "
                + $"{Shown(counters.RetransmittedBytes)} B"];
        return !isExpected ? ProbeFinding.Unknown(otherwise, seen)
            : ProbeFinding.Of(
                counters.Source == source && counters is { RttUs: >= 0 and < 10_000_000, MssBytes: > 0 and <= 65535 },
                "The counters of a connection on loopback were read after one request.", seen);
    }

    private static ProbeFinding OfOthers()
    {
        if (!OperatingSystem.IsWindows())
        {
            return ProbeFinding.Unknown("This is not Windows.");
        }

        string? disagreement = WindowsHostSockets.SelfCheck();
        return ProbeFinding.Of(
            disagreement is null, "Two connections of this program were read through AFD, as those of other processes are.",
            disagreement is null ? [] : [disagreement]);
    }

    private ProbeFinding HalfClosed()
    {
        using LoopbackPair pair = new();
        pair.SplitRequest(new byte[2]);
        KernelCounters before = platform.ReadCounters(pair.Server);
        pair.Client.Shutdown(SocketShutdown.Send);
        if (pair.Server.Receive(new byte[1]) != 0)
        {
            return ProbeFinding.Unknown("The end of the client's direction was not received.");
        }

        KernelCounters after = platform.ReadCounters(pair.Server);
        return before.Source == KernelCounters.Unsupported.Source ? ProbeFinding.Unknown("This system has no counters.")
            : ProbeFinding.Of(
                after.Source == before.Source, "The counters were read before and after the peer had closed.", $"before: {before.Source}",
                $"after: {after.Source}");
    }

    /// <summary>Times of requests in two writes with Nagle on, in milliseconds, in order of size.</summary>
    private double[] SplitMs()
    {
        if (_splitMs is not null)
        {
            return _splitMs;
        }

        using LoopbackPair pair = new();
        byte[] buffer = new byte[2];
        double[] times = new double[SplitRequests];
        for (int i = 0; i < times.Length; i++)
        {
            long start = time.GetTimestamp();
            pair.SplitRequest(buffer);
            times[i] = time.GetElapsedTime(start).TotalMilliseconds;
        }

        Array.Sort(times);
        return _splitMs = times;
    }

    private ProbeFinding LoopbackStalls()
    {
        double[] ms = SplitMs();
        return ProbeFinding.Of(ms[^1] >= 5, "Requests in two writes with Nagle on were timed on loopback.", Spread(ms));
    }

    private ProbeFinding DelayedAckTimer()
    {
        double[] ms = SplitMs();
        return ProbeFinding.Unknown("Loopback does not cross a network; the timer is seen from another host.", Spread(ms));
    }

    private ProbeFinding RefusedConnect()
    {
        using Socket closed = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        closed.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        using Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        long start = time.GetTimestamp();
        SocketError error = SocketError.Success;
        try
        {
            client.Connect(closed.LocalEndPoint!);
        }
        catch (SocketException failure)
        {
            error = failure.SocketErrorCode;
        }

        TimeSpan elapsed = time.GetElapsedTime(start);
        return ProbeFinding.Of(
            error == SocketError.ConnectionRefused && elapsed < Patience, "The probe connected to a port of its own on which nobody listens.",
            $"{error} after {elapsed.TotalMilliseconds:0} ms");
    }

    private ProbeFinding InterruptedReceive()
    {
        using LoopbackPair pair = new();
        pair.Server.ReceiveTimeout = 0;
        using ManualResetEventSlim begun = new();
        Thread waiting = new(() =>
        {
            begun.Set();
            try
            {
                _ = pair.Server.Receive(new byte[1]);
            }
            catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
            {
                // Any end of the receive is what the probe wants.
            }
        })
        { IsBackground = true };
        waiting.Start();
        begun.Wait(Patience);

        // The receive should be waiting by now, and not only about to.
        _ = waiting.Join(TimeSpan.FromMilliseconds(100));
        long start = time.GetTimestamp();
        platform.Interrupt(pair.Server);
        bool ended = waiting.Join(Patience);
        return ProbeFinding.Of(
            ended, "A receive that another thread waited in was interrupted.",
            ended ? $"ended after {time.GetElapsedTime(start).TotalMilliseconds:0} ms" : "it did not end");
    }

    private ProbeFinding ReceiveTimeout()
    {
        const int AskedMs = 200;
        using LoopbackPair pair = new();
        platform.SetTimeouts(pair.Server, AskedMs);
        long start = time.GetTimestamp();
        SocketError error = SocketError.Success;
        try
        {
            _ = pair.Server.Receive(new byte[1]);
        }
        catch (SocketException failure)
        {
            error = failure.SocketErrorCode;
        }

        double ms = time.GetElapsedTime(start).TotalMilliseconds;
        return ProbeFinding.Of(
            error is SocketError.TimedOut or SocketError.WouldBlock && ms is >= AskedMs - 20 and <= AskedMs + 500,
            "A receive with a time limit waited for data that never came.", $"{error} after {ms:0} ms; {AskedMs} ms were asked for");
    }

    private static ProbeFinding PortTaken()
    {
        using Socket first = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ExclusiveAddressUse = true };
        first.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        first.Listen(1);
        using Socket second = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ExclusiveAddressUse = true };
        try
        {
            second.Bind(first.LocalEndPoint!);
            second.Listen(1);
            return ProbeFinding.Of(false, "A port that is held exclusively was bound a second time.");
        }
        catch (SocketException failure)
        {
            return ProbeFinding.Of(
                failure.SocketErrorCode is SocketError.AddressAlreadyInUse or SocketError.AccessDenied,
                "The probe tried to bind a port that is held exclusively.", failure.SocketErrorCode.ToString());
        }
    }

    private static ProbeFinding Many()
    {
        List<LoopbackPair> pairs = [];
        try
        {
            for (int i = 0; i < ManySockets; i++)
            {
                pairs.Add(new());
            }

            _ = pairs[^1].Client.Send(new byte[1]);
            List<Socket> ready = [.. pairs.Select(p => p.Server)];
            Socket.Select(ready, null, null, Patience);
            return ProbeFinding.Of(
                ready.Count == 1 && ready[0] == pairs[^1].Server, $"One of {ManySockets} sockets had data.", $"sockets reported as ready: {ready.Count}");
        }
        finally
        {
            pairs.ForEach(p => p.Dispose());
        }
    }

    private static string Shown(long? figure) => figure?.ToString(CultureInfo.InvariantCulture) ?? "unknown";

    private static string Spread(double[] ms) => $"n={ms.Length}: {ms[0]:0.00} to {ms[^1]:0.00} ms, median {ms[ms.Length / 2]:0.00} ms";
}
