using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Loops;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Measurement.Scheduling;
using LatencyTuner.Tests.Measurement.Responding;
using Xunit;

namespace LatencyTuner.Tests.Measurement;

/// <summary>
/// The loops run on the test's own thread, so that the runtime's count of bytes allocated by this thread is theirs alone and exact: a run of
/// 5 N messages may take hardly more than one of N.
/// </summary>
public sealed class Allocations
{
    private const int Few = 300;
    private const int Many = 5 * Few;

    public static TheoryData<string> Workloads => ["single", "split", "gap", "spin", "large", "immediate ack"];

    private static Workload WorkloadOf(string name) => name switch
    {
        "split" => new Workload { Writes = [16, 48], NoDelay = true, PeerNoDelay = true, PeerWrites = 3 },
        "gap" => new Workload { Writes = [16, 48], NoDelay = true, Gap = TimeSpan.FromMicroseconds(150) },
        "spin" => new Workload { Spin = true },
        "large" => new Workload { Writes = [100_000], ReplySize = 200_000, NoDelay = true, PeerNoDelay = true },
        "immediate ack" => new Workload { Ack = AckBehaviour.Immediate, PeerAck = AckBehaviour.Immediate },
        _ => new Workload { NoDelay = true },
    };

    private static LatencyRecorder Recorder(bool openLoop) => new(openLoop, 1e9 / TimeProvider.System.TimestampFrequency, LatencyRecorder.FirstSamples);

    private static void AssertNothingPerMessage(Func<int, long> allocatedBy)
    {
        allocatedBy(Few);
        long few = allocatedBy(Few);
        long many = allocatedBy(Many);
        // What is taken once in a while, such as a look at the machine each second, grows with the time and not with the messages; an
        // object is 24 bytes at least.
        Assert.True(many - few < Many - Few, $"{few} bytes for {Few} messages, {many} for {Many}");
    }

    [Theory]
    [MemberData(nameof(Workloads))]
    public void ClosedLoop_PerMessage_Nothing(string workload) => AssertNothingPerMessage(count =>
    {
        using Responder responder = Rig.Serve();
        MeasurementPlan plan = Rig.Patient(count, WorkloadOf(workload));
        using MeasuredConnection connection = Rig.Open(Rig.TargetOf(responder), plan, blocking: !plan.Workload.Spin);
        LatencyRecorder recorder = Recorder(false);
        RunControl control = new();
        ClosedLoop loop = new(connection, plan, "peer", control, recorder, TimeProvider.System, SocketPlatform.Current);
        long before = GC.GetAllocatedBytesForCurrentThread();
        loop.Run(count, 0);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Null(control.Failure);
        Assert.Equal(count, recorder.Sent);
        return allocated;
    });

    [Theory]
    [InlineData(1, false)]
    [InlineData(8, false)]
    [InlineData(1, true)]
    public void OpenLoop_PerMessage_Nothing(int connections, bool split) => AssertNothingPerMessage(count =>
    {
        using Responder responder = Rig.Serve();
        MeasurementPlan plan = Rig.Patient(count, WorkloadOf(split ? "split" : "single")) with { RatePerSecond = 5000, InFlight = 64 };
        List<MeasuredConnection> open = [.. Enumerable.Range(0, connections).Select(_ => Rig.Open(Rig.TargetOf(responder), plan, blocking: false))];
        LatencyRecorder recorder = Recorder(true);
        RunControl control = new();
        SendSchedule schedule = new(5000, Arrivals.Poisson, count, 1);
        OpenLoop loop = new(open, plan, schedule, "peer", control, recorder, TimeProvider.System, SocketPlatform.Current);
        long before = GC.GetAllocatedBytesForCurrentThread();
        loop.Run();
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        open.ForEach(c => c.Dispose());
        Assert.Null(control.Failure);
        Assert.Equal(count, recorder.Sent);
        return allocated;
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void StreamLoop_PerMessage_Nothing(bool paced) => AssertNothingPerMessage(count =>
    {
        using Responder responder = Rig.Serve();
        MeasurementPlan plan = Rig.Patient(count, new Workload { Pattern = WritePattern.Stream, Writes = [10, 1000] });
        using MeasuredConnection connection = Rig.Open(Rig.TargetOf(responder), plan, blocking: true);
        LatencyRecorder recorder = Recorder(paced);
        RunControl control = new();
        SendSchedule? schedule = paced ? new SendSchedule(10_000, Arrivals.Constant, count, 1) : null;
        StreamLoop loop = new(connection, plan, "peer", control, recorder, TimeProvider.System, SocketPlatform.Current);
        long before = GC.GetAllocatedBytesForCurrentThread();
        loop.Run(count, schedule);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Null(control.Failure);
        Assert.Equal(count, recorder.Sent);
        return allocated;
    });

    [Theory]
    [InlineData("single", false)]
    [InlineData("split", false)]
    [InlineData("spin", false)]
    [InlineData("large", false)]
    [InlineData("immediate ack", false)]
    [InlineData("single", true)]
    public void ServedConnection_PerMessage_Nothing(string name, bool oneWay) => AssertNothingPerMessage(count =>
    {
        Workload workload = WorkloadOf(name);
        SetupRequest setup = new()
        {
            OneWay = oneWay,
            RequestSize = workload.RequestSize,
            ReplySize = workload.ReplySize,
            ReplyWrites = workload.PeerWrites,
            ThinkNs = name == "split" ? 10_000 : 0,
            ImmediateAck = name == "immediate ack",
            NoDelay = true,
        };
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        using RawClient client = new((IPEndPoint)listener.LocalEndPoint!);
        ResponderOptions options = new() { Addresses = [] };
        PendingHandshake pending = new(
            listener.Accept(), new ServerHandshake(ScriptedResponder.Hello(), null, options.Limits), 0, 0, "peer", IPAddress.Loopback);
        using ServedConnection served = new(
            pending, setup, false, name == "spin", options, TimeProvider.System, SocketPlatform.Current,
            new HostWatch(TimeProvider.System, SocketPlatform.Current));
        Thread sender = new(() =>
        {
            Rig.ReadFrame(client.Socket);
            byte[] request = new byte[setup.RequestSize];
            byte[] reply = new byte[setup.ReplySize];
            for (int i = 0; i < count; i++)
            {
                client.Socket.Send(request);
                if (!oneWay)
                {
                    Rig.ReceiveExactly(client.Socket, reply);
                }
            }

            client.Socket.Shutdown(SocketShutdown.Send);
            Rig.ReadFrame(client.Socket);
        });
        sender.Start();
        long before = GC.GetAllocatedBytesForCurrentThread();
        served.Run();
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        sender.Join();
        Assert.Equal(count, served.Messages);
        return allocated;
    });

    [Fact]
    public void Recorder_RecordAndSwap_Nothing()
    {
        LatencyRecorder recorder = Recorder(true);
        IntervalHistograms interval = new(true);
        recorder.Collect(interval);
        recorder.Record(0, 1, 2, 0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 10_000; i++)
        {
            recorder.Record(i, i + 5, i + 1000, 3);
            if (i % 100 == 0)
            {
                interval.Reset();
                recorder.Collect(interval);
            }
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}
