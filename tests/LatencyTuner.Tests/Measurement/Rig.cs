using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement;

/// <summary>What the tests of the measurement engine share.</summary>
internal static class Rig
{
    internal static readonly MeasuringContext Context = new(TimeProvider.System, SocketPlatform.Current, RandomNumberGenerator.Create());

    internal static readonly SharedToken Token = SharedToken.Parse("correct horse battery staple", "the test");

    internal static readonly SharedToken OtherToken = SharedToken.Parse("another horse, another stable", "the test");

    /// <summary>A plan that ends by count and gives up quickly on a peer that misbehaves.</summary>
    internal static MeasurementPlan Plan(int count, Workload? workload = null) => new()
    {
        Workload = workload ?? new Workload { NoDelay = true, PeerNoDelay = true },
        Duration = null,
        Count = count,
        Warmup = TimeSpan.Zero,
        ReplyTimeout = TimeSpan.FromSeconds(1),
        ConnectTimeout = TimeSpan.FromSeconds(5),
        HandshakeTimeout = TimeSpan.FromMilliseconds(1500),
    };

    /// <summary>The same for a peer that is expected to behave: noise of the machine must not end the run.</summary>
    internal static MeasurementPlan Patient(int count, Workload? workload = null) => Plan(count, workload) with
    {
        ReplyTimeout = TimeSpan.FromSeconds(20),
        HandshakeTimeout = TimeSpan.FromSeconds(20),
    };

    internal static MeasurementResult Run(MeasurementTarget target, MeasurementPlan plan, CancellationToken cancellation = default) =>
        PingPong.Run(target, plan, Context, cancellation);

    /// <summary>Runs with a bound, so that a hang is a failure of one test and not of the whole suite.</summary>
    internal static Task<MeasurementResult> RunBounded(MeasurementTarget target, MeasurementPlan plan, CancellationToken cancellation = default) =>
        Task.Factory.StartNew(() => Run(target, plan, cancellation), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)
            .WaitAsync(TimeSpan.FromSeconds(20), CancellationToken.None);

    internal static Responder Serve(SharedToken? token = null, ResponderLimits? limits = null, Action<ClientEvent>? log = null, IPAddress? address = null) =>
        Responder.Start(
        new ResponderOptions { Addresses = [address ?? IPAddress.Loopback], Token = token, Limits = limits ?? new ResponderLimits(), Log = log },
        TimeProvider.System,
        RandomNumberGenerator.Create());

    internal static MeasurementTarget TargetOf(Responder responder, SharedToken? token = null) => new("peer", responder.Endpoints[0], token, false);

    /// <summary>Opens one connection as a run does.</summary>
    internal static MeasuredConnection Open(MeasurementTarget target, MeasurementPlan plan, bool blocking)
    {
        PeerConnection peer = PeerConnection.Open(target, plan, null, Context, CancellationToken.None);
        Context.Platform.SetTimeouts(peer.Socket, (int)plan.ReplyTimeout.TotalMilliseconds);
        Context.Platform.SetBlocking(peer.Socket, blocking);
        return new MeasuredConnection(peer, plan.Workload, Context.Platform);
    }

    /// <summary>Waits until nothing is in progress, checks the counts, and measures once more.</summary>
    internal static void AssertServesStill(Responder responder, SharedToken? token = null)
    {
        MeasurementResult result = Run(TargetOf(responder, token), Patient(50));
        Assert.True(result.Complete, result.EndedBecause);
        Assert.Equal(50, result.Received);
        AssertSettles(responder);
    }

    internal static void AssertSettles(Responder responder)
    {
        bool settled = SpinWait.SpinUntil(
            () => responder.Statistics is { Active: 0, Handshakes: 0 } s && s.Accepted >= s.Refused + s.Served, TimeSpan.FromSeconds(15));
        Assert.True(settled, responder.Statistics.ToString());
    }

    /// <summary>One sentence for the user: a single line, ended by a full stop, nothing that steers a terminal.</summary>
    internal static void AssertSentence(string? text)
    {
        Assert.NotNull(text);
        Assert.EndsWith(".", text, StringComparison.Ordinal);
        Assert.False(text.EndsWith("..", StringComparison.Ordinal), text);
        Assert.DoesNotContain(text, c => char.IsControl(c) || c is '\u2028' or '\u2029' or '\u202E');
    }

    internal static ExpectedFailureException AssertFails(MeasurementTarget target, MeasurementPlan plan)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => Run(target, plan));
        Assert.Equal(ExitCode.Measurement, failure.Code);
        AssertSentence(failure.Message);
        return failure;
    }

    internal static void ReceiveExactly(Socket socket, Span<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            int count = socket.Receive(buffer);
            buffer = count > 0 ? buffer[count..] : throw new EndOfStreamException();
        }
    }

    internal static (FrameType Type, byte[] Payload) ReadFrame(Socket socket, bool signed = false)
    {
        byte[] head = new byte[Wire.HeaderSize];
        ReceiveExactly(socket, head);
        FrameHeader header = FrameHeader.Read(head);
        byte[] payload = new byte[header.PayloadLength + (signed ? Wire.MacSize : 0)];
        ReceiveExactly(socket, payload);
        return (header.Type, payload[..header.PayloadLength]);
    }

    internal static void SendFrame(Socket socket, FrameType type, byte[] payload) => socket.Send(FrameHeader.Frame(type, payload, []));
}
