using System.Net;
using System.Text;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Tests.Commands;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>Whose connections they are: rundown, start and end of processes, ids that are used again, and the choice of one process.</summary>
public sealed class ProcessOwners
{
    private const ulong Tcb = 0xFFFF_8000_0000_1000;
    private const ulong OtherTcb = 0xFFFF_8000_0000_2000;
    private const string Folder = @"\Device\HarddiskVolume3\Windows\";
    private static readonly Guid KernelClass = new("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
    private static readonly IPEndPoint Client = new(IPAddress.Parse("10.0.0.5"), 50_000);
    private static readonly IPEndPoint Other = new(IPAddress.Parse("10.0.0.5"), 50_001);
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.0.0.9"), 1433);

    [Theory]
    [InlineData(0)] // before the connection
    [InlineData(5_000_000)] // when the session ends
    public void Rundown_NamesTheProcess(long us) =>
        Assert.Equal("sql.exe", End(new TcpipEvents().Connected(1_000, Tcb, Client, Server, 77).ProcessNamed(us, 77, Folder + "sql.exe")).Process);

    [Fact]
    public void ProcessThatHappensToRun_IsNotTheOwner()
    {
        ConnectionEnd end =
            End(new TcpipEvents().On(4, 99).Connected(1_000, Tcb, Client, Server, 77).SendPosted(2_000, Tcb, 10, 0).DataSent(2_010, Tcb, 10, 1000));

        Assert.Equal((77, (string?)null), ((int)end.ProcessId!, end.Process));
    }

    /// <summary>A process ends and its id is given to another: each keeps its name and its connections.</summary>
    [Fact]
    public void IdUsedAgain_IsAnotherProcess()
    {
        TcpipEvents events = new TcpipEvents().ProcessNamed(0, 77, Folder + "first.exe").Connected(1_000, Tcb, Client, Server, 77)
            .Disconnected(2_000, Tcb, Client, Server, 77)
            .ProcessNamed(3_000, 77, Folder + "second.exe", id: 1).Connected(4_000, OtherTcb, Other, Server, 77).ProcessNamed(9_000, 77, Folder + "second.exe");

        AnalysisReport report = TraceRun.Report(TraceRun.Result(events));

        Assert.Equal(["first.exe", "second.exe"], report.Connections.OrderBy(c => c.Client.Port).Select(c => c.Ends[0].Process));
        Assert.Equal(
            [("first.exe", 1L, 1L), ("second.exe", 1L, 0L)],
            report.Processes.OrderBy(p => p.Process, StringComparer.Ordinal).Select(p => (p.Process, p.Connects, p.Disconnects)));
    }

    /// <summary>The start of the second was not captured, or lost: its other name tells.</summary>
    [Fact]
    public void IdUsedAgain_WithoutAStart_IsToldByTheName()
    {
        TcpipEvents events = new TcpipEvents().ProcessNamed(0, 77, Folder + "first.exe").Connected(1_000, Tcb, Client, Server, 77)
            .ProcessNamed(3_000, 77, Folder + "second.exe").Connected(4_000, OtherTcb, Other, Server, 77);

        Assert.Equal(
            ["first.exe", "second.exe"], TraceRun.Report(TraceRun.Result(events)).Connections.OrderBy(c => c.Client.Port).Select(c => c.Ends[0].Process));
    }

    [Fact]
    public void IdWithoutAName_BeforeItsStart_StaysWithout()
    {
        TcpipEvents events = new TcpipEvents().Connected(1_000, Tcb, Client, Server, 77).ProcessNamed(3_000, 77, Folder + "second.exe", id: 1)
            .Connected(4_000, OtherTcb, Other, Server, 77);

        Assert.Equal([null, "second.exe"], TraceRun.Report(TraceRun.Result(events)).Connections.OrderBy(c => c.Client.Port).Select(c => c.Ends[0].Process));
    }

    /// <summary>The kernel's own events: start (1) and the rundown when a session begins and ends (3, 4), in the versions since XP.</summary>
    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 3)]
    [InlineData(3, 3)]
    [InlineData(4, 4)]
    public void KernelsProcessEvents_NameTheProcess(byte version, byte opcode)
    {
        ProcessNames names = new();
        ByteWriter payload = version switch
        {
            1 => new ByteWriter().Pointer(0x1000, 8).U32(77).U32(4).U32(0).U32(0),
            2 => new ByteWriter().Pointer(0x1000, 8).U32(77).U32(4).U32(0).U32(0),
            3 => new ByteWriter().Pointer(0x1000, 8).U32(77).U32(4).U32(0).U32(0).Pointer(0x2000, 8),
            _ => new ByteWriter().Pointer(0x1000, 8).U32(77).U32(4).U32(0).U32(0).Pointer(0x2000, 8).U32(0),
        };
        payload.U32(0).Raw(Encoding.ASCII.GetBytes("sql.exe\0"));
        names.Take(
            new EtwEventHeader { Provider = KernelClass, Kind = EtwEventKind.Classic, Opcode = opcode, Version = version, PointerSize = 8 }, payload.ToArray());

        Assert.Equal("sql.exe", names.Find(77));
    }

    [Fact]
    public void KernelsProcessEvents_WithASecurityId_NameTheProcess()
    {
        ProcessNames names = new();
        ByteWriter payload = new ByteWriter().Pointer(0x1000, 8).U32(77).U32(4).U32(0).U32(0).Pointer(0x2000, 8).U32(0)
            .Pointer(0x3000, 8).Pointer(0, 8).U8(1).U8(1).Zeros(6).U32(18).Raw(Encoding.ASCII.GetBytes("svchost.exe\0"));
        names.Take(new EtwEventHeader { Provider = KernelClass, Kind = EtwEventKind.Classic, Opcode = 3, Version = 4, PointerSize = 8 }, payload.ToArray());

        Assert.Equal("svchost.exe", names.Find(77));
    }

    [Fact]
    public void Process_AloneIsJudged()
    {
        TcpipEvents events = new TcpipEvents().Connected(0, Tcb, Client, Server, 77).Connected(1, OtherTcb, Other, Server, 88);
        foreach (ulong tcb in new[] { Tcb, OtherTcb })
        {
            events.SendPosted(995, tcb, 100, 1000).DataSent(1_000, tcb, 100, 1000).RetransmitRound(301_000, tcb, 1000, 1, 300);
        }

        Assert.Equal(["process 77", "process 88"], Of(RecordingFilter.All).Select(f => f.Process).Order());
        Assert.Equal(["process 88"], Of(RecordingFilter.All with { Processes = [88] }).Select(f => f.Process));

        // What names neither end nor process is judged by the connection it is about.
        Assert.Equal(["process 77"], Of(RecordingFilter.All with { Ports = [new PortRange(50_000, 50_000)] }).Select(f => f.Process));
        Assert.Empty(Of(RecordingFilter.All with { Hosts = [IPNetwork.Parse("10.0.0.77/32")] }));

        IEnumerable<Finding> Of(RecordingFilter filter) => TraceRun.Findings(events, filter).Where(f => f.Cause == Cause.LossRto);
    }

    [Fact]
    public void Process_WithoutConnections_CannotBeJudged()
    {
        RecordingResult result = TraceRun.Result(new TcpipEvents().Connected(0, Tcb, Client, Server, 77), RecordingFilter.All with { Processes = [99] });

        Assert.True(result.CannotTell);
        Assert.Contains(result.Findings[0].For, s => s.Contains("process 99", StringComparison.Ordinal));
        Assert.Empty(TraceRun.Report(result).Connections);
    }

    [Fact]
    public void Command_TakesAProcess()
    {
        using TempFolder folder = new();
        File.WriteAllBytes(
            folder["a.etl"],
            new EtlWriter().Add(new TcpipEvents().Connected(0, Tcb, Client, Server, 77).Connected(1, OtherTcb, Other, Server, 88).Records).ToArray());

        string shown = CliRun.Of("analyze", folder["a.etl"], "--pid", "88", "--format", "csv").Done().Out;
        Assert.True(!shown.Contains(":50000", StringComparison.Ordinal), shown);
        Assert.Contains("no connection", CliRun.Of("analyze", folder["a.etl"], "--pid", "5", "--details").Done(7).Out, StringComparison.Ordinal);
    }

    private static ConnectionEnd End(TcpipEvents events) =>
        Assert.Single(Assert.Single(TraceRun.Report(TraceRun.Result(events)).Connections).Ends);
}
