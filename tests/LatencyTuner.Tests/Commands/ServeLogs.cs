using System.Net;
using LatencyTuner.Commands;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class ServeLogs
{
    [Fact]
    public void Add_ManyOfAClient_AreOneLineWithItsTime()
    {
        StringWriter error = new();
        using (ServeLog log = new(new CliHost { Out = TextWriter.Null, Error = error, Time = new FixedClock() }))
        {
            IPAddress client = IPAddress.Parse("10.0.0.5");
            IPAddress stranger = IPAddress.Parse("10.0.0.6");
            for (int i = 0; i < 3; i++)
            {
                log.Add(new(client, 500, ClientEvent.EndedByClient));
                log.Add(new(stranger, null, "it sent no request"));
            }

            log.Add(new(client, 1, "its reply could not be sent"));
            log.Add(new(IPAddress.IPv6Loopback, 1, ClientEvent.EndedByClient));
        }

        string[] lines = error.ToString().TrimEnd().Split(Environment.NewLine);
        Assert.All(lines, l => Assert.Matches(@"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC  ", l));
        Assert.Equal(
            [
                "10.0.0.5: 4 connections, 1,501 messages served; its reply could not be sent",
                "10.0.0.6: refused 3 times, it sent no request",
                "::1: 1 connection, 1 message served",
            ],
            lines.Select(l => l[25..]).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Serve_TellsOfItsClients()
    {
        using CancellationTokenSource ends = new();
        StringWriter said = new();
        Task<CliRun> serving = Task.Run(() => CliRun.On(
            (_, error) => new CliHost { Out = TextWriter.Synchronized(said), Error = error }, ends.Token, "serve", "--port", "0"),
            TestContext.Current.CancellationToken);
        Assert.True(SpinWait.SpinUntil(() => said.ToString().Contains("Listening on", StringComparison.Ordinal), TimeSpan.FromSeconds(20)));
        string target = said.ToString().Split("Listening on ")[1].Split(',')[0];

        _ = CliRun.Of(["measure", target, .. CliRun.Short]).Done();
        await ends.CancelAsync();

        Assert.Matches(
            @"\d UTC  127\.0\.0\.1: \d+ connections?, [\d,]+ messages served\r?\nStopped: ", (await serving).Error);
    }
}
