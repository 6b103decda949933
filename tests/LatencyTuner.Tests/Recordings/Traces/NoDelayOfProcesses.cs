using System.Net;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Commands;
using LatencyTuner.Tests.Etw;
using LatencyTuner.Tests.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>TCP_NODELAY per process: by the values of event 1544, or by a document of sockets, in <c>analyze</c> and in <c>trace</c>.</summary>
public sealed class NoDelayOfProcesses
{
    private const uint Orders = 77;
    private const uint Quick = 78;
    private static readonly IPEndPoint Server = new(IPAddress.Parse("10.0.0.9"), 443);

    /// <summary>Five connections: option on, off, set and cleared, cleared and set, never touched; and a process that no event tells of.</summary>
    private static TcpipEvents Events(bool told)
    {
        TcpipEvents events = new();
        for (uint i = 0; i < 5; i++)
        {
            events.Connected(i, Tcb(i), Client(i), Server, Orders).DataReceived(900_000 + i, Tcb(i), 100, 0);
        }

        events.Connected(10, Tcb(9), Client(9), Server, Quick).DataReceived(900_010, Tcb(9), 100, 0);
        return !told ? events : events.SocketOptionValue(1_000, Tcb(0), 6, 1, 1, 0, 0, 0).SocketOptionValue(1_100, Tcb(1), 6, 1, 0, 0, 0, 0)
            .SocketOptionValue(1_200, Tcb(2), 6, 1, 1, 0, 0, 0).SocketOptionValue(800_000, Tcb(2), 6, 1, 0, 0, 0, 0)
            .SocketOptionValue(1_300, Tcb(3), 6, 1, 0, 0, 0, 0).SocketOptionValue(800_100, Tcb(3), 6, 1, 1, 0, 0, 0)
            .SocketOptionValue(1_400, Tcb(4), 6, 3, 1, 0, 0, 0);
    }

    private static ulong Tcb(uint number) => 0xFFFF_8000_0000_0000 + (number * 0x1000);

    private static IPEndPoint Client(uint number) => new(IPAddress.Parse("10.0.0.5"), 50_000 + (int)number);

    private static HostSocket[] Sockets =>
    [
        .. Enumerable.Range(0, 3).Select(i => SampleReports.Held with
        {
            Pid = (int)Orders, Process = "orders.exe", Local = new("10.0.0.5", 50_000 + i), Remote = new("10.0.0.9", 443), NoDelay = i == 0,
        }),
        SampleReports.Held with { Pid = (int)Quick, Process = "quick.exe", Local = new("10.0.0.5", 50_009), Remote = new("10.0.0.9", 443), NoDelay = true },
    ];

    [Fact]
    public void Event1544_CountsTheLastValueOfEachConnection()
    {
        AnalysisReport report = TraceRun.Report(TraceRun.Result(Events(told: true)));

        AnalysedProcess orders = report.Processes.Single(p => p.ProcessId == Orders);
        Assert.Equal((5L, 2L, 2L), (orders.Connections, orders.NoDelayConnections!.Value, orders.NagleConnections!.Value));
        AnalysedProcess quick = report.Processes.Single(p => p.ProcessId == Quick);
        Assert.Equal((null, null), (quick.NoDelayConnections, quick.NagleConnections));
    }

    [Fact]
    public void WithoutTheEvent_TheSocketsTell()
    {
        AnalysisReport report = AnalysisReportBuilder.From(TraceRun.Result(Events(told: false)), new AnalysisOptions { Sockets = Sockets });

        Assert.Equal(
            [(1L, 2L), (1L, 0L)],
            new[] { Orders, Quick }.Select(id => report.Processes.Single(p => p.ProcessId == id))
                .Select(p => (p.NoDelayConnections!.Value, p.NagleConnections!.Value)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Trace_ShowsThemAsAnalyzeDoes(bool told)
    {
        using TempFolder folder = new();
        folder.Write("made.etl", new EtlWriter().Add(Events(told).Records).ToArray());
        folder.Write("sockets.json", ReportJson.SerializeAny(Judged.Sealed(SampleReports.Sockets with { Sockets = Sockets })));
        string[] with = told ? [] : ["--sockets", folder["sockets.json"]];
        JsonNode analysed = JsonNode.Parse(CliRun.Of(["analyze", folder["made.etl"], .. with, "--format", "json"]).Out)!["processes"]!;
        CliHost Live(TextWriter output, TextWriter error) => new()
        {
            Out = output,
            Error = error,
            LiveTrace = (_, _) => TraceRun.Result(Events(told)),
        };

        CliRun traced = CliRun.On(Live, TestContext.Current.CancellationToken, ["trace", .. with, "--quiet", "--format", "json"]);

        Assert.Equal(analysed.ToJsonString(), JsonNode.Parse(traced.Out)!["processes"]!.ToJsonString());
        Assert.Equal(2, analysed.AsArray().Single(p => p!["processId"]!.GetValue<uint>() == Orders)!["nagleConnections"]!.GetValue<int>());
        string text = CliRun.Of(["analyze", folder["made.etl"], .. with, "--details"]).Out;
        Assert.Contains("Nagle on", text, StringComparison.Ordinal);
        Assert.Contains(told ? "2 of 4" : "2 of 3", text, StringComparison.Ordinal);
    }
}
