using System.Net;
using System.Net.Sockets;
using System.Text;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Http;

/// <summary>The HTTP side of the responder, asked by the client of the sweeps and by strangers.</summary>
public sealed class StreamResponders
{
    private const string Token = "a token of good length";
    private static readonly MeasurementPlan Plan = new() { ReplyTimeout = TimeSpan.FromSeconds(10) };

    private static HttpResponder Start(string? token = null, ResponderLimits? limits = null, int port = 0) => HttpResponderLoader.Start(
        new ResponderOptions
        {
            Addresses = [IPAddress.Loopback],
            Port = port,
            Token = token is null ? null : SharedToken.Parse(token, "the test"),
            Limits = limits ?? new ResponderLimits(),
        }, TimeProvider.System);

    private static MeasurementTarget Target(HttpResponder responder, string? token = null) =>
        new("here", responder.Endpoints[0], token is null ? null : SharedToken.Parse(token, "the test"), IsLoopback: false);

    private static async Task<StreamSample> Fetch(MeasurementTarget target, StreamRequest asked, int? window = null)
    {
        using StreamClient client = new(target, window, Plan, Rig.Context);
        await client.OpenAsync(TestContext.Current.CancellationToken);
        return await client.FetchAsync(asked, TestContext.Current.CancellationToken);
    }

    private static HttpClient Stranger(HttpResponder responder, Version version) => new()
    {
        BaseAddress = new Uri($"http://{responder.Endpoints[0]}"),
        DefaultRequestVersion = version,
        DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
    };

    [Theory]
    [InlineData(1, 8, 1, false)]
    [InlineData(1000, 1000, 1, false)]
    [InlineData(1000, 1000, 7, true)]
    [InlineData(3, 1 << 20, 1, true)]
    public async Task Stream_ArrivesWhole_WithTimesThatFit(int messages, int size, int perWrite, bool ahead)
    {
        using HttpResponder responder = Start(Token);

        StreamSample sample = await Fetch(Target(responder, Token), new StreamRequest(messages, size, perWrite, ahead));

        Assert.False(sample.Refused);
        StreamTimes times = Assert.IsType<StreamTimes>(sample.Times);
        Assert.True(times.Possible(sample.ResponseNs, TimeSpan.FromMinutes(1)), $"{times} in {sample.ResponseNs}");
        Assert.Equal((messages + perWrite - 1) / perWrite, times.Flushes);
        Assert.True(times.FetchNs > 0 && times.ElapsedNs >= times.FetchNs && sample.ResponseNs >= sample.FirstNs, $"{times}");
        Assert.True(ahead || times.OverlapNs == 0, $"{times}");
        Assert.Equal(1, responder.Served);
        if (OperatingSystem.IsLinux())
        {
            Assert.Equal("TCP_INFO", times.End.Source);
            // A single message may still be on its way to the kernel.
            Assert.True(messages == 1 || times.End.SegmentsOut > times.Start.SegmentsOut, $"{times.Start} {times.End}");
        }
    }

    [Theory]
    [InlineData(65_535)]
    [InlineData(64 * 1024)]
    [InlineData(1 << 20)]
    public async Task Window_ThatIsFixed_DoesNotGrow(int window)
    {
        using HttpResponder responder = Start();
        using DelayedPath path = new(responder.Endpoints[0], TimeSpan.FromMilliseconds(10));
        MeasurementTarget target = Target(responder) with { Endpoint = path.Endpoint };
        using StreamClient still = new(target, window, Plan, Rig.Context);
        using StreamClient growing = new(target, null, Plan, Rig.Context);
        await still.OpenAsync(TestContext.Current.CancellationToken);
        await growing.OpenAsync(TestContext.Current.CancellationToken);

        for (int i = 0; i < 2; i++)
        {
            await still.FetchAsync(new StreamRequest(2_000, 1024, 16, Ahead: false), TestContext.Current.CancellationToken);
            await growing.FetchAsync(new StreamRequest(2_000, 1024, 16, Ahead: false), TestContext.Current.CancellationToken);
        }

        Assert.Equal(window, still.LargestWindow);
        Assert.True(growing.LargestWindow > 65_535, $"{growing.LargestWindow}");
    }

    [Theory]
    [InlineData(null, Token, "requires a token")]
    [InlineData(Token, null, "uses no token")]
    [InlineData("another token of length", Token, "did not prove that it knows the token")]
    public async Task Token_ThatDoesNotFit_IsRefused(string? ours, string? theirs, string said)
    {
        using HttpResponder responder = Start(theirs);

        PeerFailureException failure = await Assert.ThrowsAsync<PeerFailureException>(() => Fetch(Target(responder, ours), new StreamRequest(1, 8, 1, false)));

        Assert.Contains(said, failure.Message, StringComparison.Ordinal);
        Assert.Equal(0, responder.Served);
    }

    [Fact]
    public async Task Proof_OfAnotherConnection_IsWorthless()
    {
        using HttpResponder responder = Start(Token);
        StreamRequest asked = new(1, 8, 1, false);
        using HttpClient first = Stranger(responder, HttpVersion.Version20);
        using HttpClient second = Stranger(responder, HttpVersion.Version20);
        HttpResponseMessage hello = await first.GetAsync(StreamRequest.HelloPath, TestContext.Current.CancellationToken);
        await second.GetAsync(StreamRequest.HelloPath, TestContext.Current.CancellationToken);
        string nonce = hello.Headers.GetValues(StreamRequest.NonceHeader).Single();
        string clientNonce = new('A', 2 * StreamProof.NonceSize);
        HttpRequestMessage Proved(string target) => new(HttpMethod.Get, target)
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Headers = {
                { StreamRequest.ClientNonceHeader, clientNonce },
                { StreamRequest.ClientProofHeader, StreamProof.OfClient(SharedToken.Parse(Token, "the test"), nonce, clientNonce, asked.Target) } },
        };

        HttpStatusCode own = (await first.SendAsync(Proved(asked.Target), TestContext.Current.CancellationToken)).StatusCode;
        HttpStatusCode others = (await second.SendAsync(Proved(asked.Target), TestContext.Current.CancellationToken)).StatusCode;
        HttpStatusCode changed = (await first.SendAsync(Proved((asked with { Messages = 2 }).Target), TestContext.Current.CancellationToken)).StatusCode;

        Assert.Equal((HttpStatusCode.OK, HttpStatusCode.Unauthorized, HttpStatusCode.Unauthorized), (own, others, changed));
    }

    [Theory]
    [InlineData("/latencytuner/stream?messages=0", 400)]
    [InlineData("/latencytuner/stream?messages=99999999999", 400)]
    [InlineData("/latencytuner/stream?messages=x", 400)]
    [InlineData("/latencytuner/stream?size=7", 400)]
    [InlineData("/latencytuner/stream?size=1048577", 400)]
    [InlineData("/latencytuner/stream?size=1024&per-write=1025", 400)]
    [InlineData("/latencytuner/stream?messages=2000000&size=1024", 400)]
    [InlineData("/latencytuner/stream?ahead=2", 400)]
    [InlineData("/latencytuner/stream?rm=1", 400)]
    [InlineData("/latencytuner/stream?messages", 400)]
    [InlineData("/etc/passwd", 404)]
    [InlineData("/", 200)]
    public async Task Target_OutOfRange_IsRefusedOverBothVersions(string target, int status)
    {
        using HttpResponder responder = Start();
        foreach (Version version in new[] { HttpVersion.Version11, HttpVersion.Version20 })
        {
            using HttpClient client = Stranger(responder, version);

            HttpResponseMessage response = await client.GetAsync(target, TestContext.Current.CancellationToken);

            Assert.Equal((status, version), ((int)response.StatusCode, response.Version));
            Assert.NotEqual("", await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        }
    }

    [Fact]
    public async Task Stranger_WithoutTheToken_GetsNothingButTheGreeting()
    {
        using HttpResponder responder = Start(Token);
        using HttpClient client = Stranger(responder, HttpVersion.Version11);

        HttpResponseMessage root = await client.GetAsync("/", TestContext.Current.CancellationToken);
        HttpResponseMessage stream = await client.GetAsync(new StreamRequest(1, 8, 1, false).Target, TestContext.Current.CancellationToken);

        Assert.Equal((HttpStatusCode.Unauthorized, HttpStatusCode.Unauthorized, 2L), (root.StatusCode, stream.StatusCode, responder.Refused));
    }

    [Fact]
    public async Task Streams_BeyondTheLimit_AreRefused()
    {
        using HttpResponder responder = Start(limits: new ResponderLimits { Connections = 1, StreamBytes = 1 << 30 });
        using HttpClient client = Stranger(responder, HttpVersion.Version20);
        using HttpResponseMessage first =
            await client.GetAsync(
                new StreamRequest(100_000, 4096, 1, false).Target, HttpCompletionOption.ResponseHeadersRead, TestContext.Current.CancellationToken);

        using HttpClient other = Stranger(responder, HttpVersion.Version11);
        HttpResponseMessage second = await other.GetAsync(new StreamRequest(1, 8, 1, false).Target, TestContext.Current.CancellationToken);

        Assert.Equal(HttpStatusCode.OK, first.StatusCode);
        await AssertBusy(second, "(--max-connections)");
    }

    private static async Task AssertBusy(HttpResponseMessage response, string says)
    {
        Assert.Equal(HttpStatusCode.ServiceUnavailable, response.StatusCode);
        Assert.Contains(says, await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    /// <summary>The limit of memory counts what is held between two flushes, and gives it back; the places of one client likewise.</summary>
    [Fact]
    public async Task Streams_BeyondMemoryOrTheClientsPlaces_AreRefusedUntilThereIsRoom()
    {
        ResponderLimits limits = new() { TotalMemoryBytes = 1 << 20, ConnectionsPerClient = 1, StreamBytes = 1 << 30 };
        using HttpResponder responder = Start(limits: limits);
        using HttpClient client = Stranger(responder, HttpVersion.Version20);
        using HttpClient other = Stranger(responder, HttpVersion.Version11);
        string small = new StreamRequest(1, 8, 1, false).Target;

        await AssertBusy(
            await client.GetAsync(new StreamRequest(1, 1 << 20, 1, true).Target, TestContext.Current.CancellationToken), "(--max-memory)");
        using (await client.GetAsync(
            new StreamRequest(100_000, 4096, 1, false).Target, HttpCompletionOption.ResponseHeadersRead, TestContext.Current.CancellationToken))
        {
            await AssertBusy(await other.GetAsync(small, TestContext.Current.CancellationToken), "(--max-per-client)");
        }

        HttpStatusCode after;
        do
        {
            // The stream that was left is ended by its reset, which is on its way.
            after = (await other.GetAsync(small, TestContext.Current.CancellationToken)).StatusCode;
        }
        while (after == HttpStatusCode.ServiceUnavailable);

        Assert.Equal(HttpStatusCode.OK, after);
    }

    /// <summary>More greeted connections than places: the oldest go, and a client with the token is served each time.</summary>
    [Theory]
    [InlineData("1.1")]
    [InlineData("2.0")]
    public async Task Strangers_HoweverMany_LockNobodyOut(string version)
    {
        using HttpResponder responder = Start(Token, new ResponderLimits { Connections = 2, HttpStrangers = 8 });
        List<HttpClient> strangers = [];
        try
        {
            for (int round = 0; round < 5; round++)
            {
                for (int i = 0; i < 8; i++)
                {
                    strangers.Add(Stranger(responder, Version.Parse(version)));
                    HttpResponseMessage hello = await strangers[^1].GetAsync(StreamRequest.HelloPath, TestContext.Current.CancellationToken);
                    Assert.False(hello.Headers.Contains(StreamRequest.OsHeader));
                }

                StreamSample sample = await Fetch(Target(responder, Token), new StreamRequest(10, 100, 1, false));
                Assert.False(sample.Refused);
            }
        }
        finally
        {
            strangers.ForEach(s => s.Dispose());
        }

        Assert.Equal(5, responder.Served);
    }

    /// <summary>A client that showed the token in its greeting is told what answers, and is no stranger any more.</summary>
    [Fact]
    public async Task Client_AfterItsGreetings_IsKnown()
    {
        using HttpResponder responder = Start(Token, new ResponderLimits { HttpStrangers = 1 });
        using StreamClient client = new(Target(responder, Token), null, Plan, Rig.Context);
        await client.OpenAsync(TestContext.Current.CancellationToken);
        for (int i = 0; i < 4; i++)
        {
            using HttpClient stranger = Stranger(responder, HttpVersion.Version11);
            await stranger.GetAsync(StreamRequest.HelloPath, TestContext.Current.CancellationToken);
        }

        Assert.False((await client.FetchAsync(new StreamRequest(10, 100, 1, false), TestContext.Current.CancellationToken)).Refused);
        Assert.StartsWith("latencytuner", client.Software, StringComparison.Ordinal);
    }

    /// <summary>Any number of files that a process may open leaves room for clients and for strangers.</summary>
    [Theory]
    [InlineData(null, 64, 2048, 512)]
    [InlineData(1_048_576L, 64, 2048, 512)]
    [InlineData(2048L, 64, 912, 512)]
    [InlineData(1024L, 64, 400, 400)]
    [InlineData(256L, 40, 40, 40)]
    [InlineData(64L, 8, 8, 8)]
    public void Limits_FitTheFilesOfTheProcess(long? files, int connections, int handshakes, int strangers)
    {
        ResponderLimits limits = new ResponderLimits().FitInto(files, ports: 2);

        Assert.Equal((connections, handshakes, strangers), (limits.Connections, limits.Handshakes, limits.HttpStrangers));
    }

    [Theory]
    [InlineData("")]
    [InlineData("PRI * HTTP/2.0\r\n\r\n")]
    public async Task Stranger_WhoKeepsTheFirstBytesBack_IsDropped(string begin)
    {
        using HttpResponder responder = Start(limits: new ResponderLimits { Handshake = TimeSpan.FromMilliseconds(100) });
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(responder.Endpoints[0], TestContext.Current.CancellationToken);
        await socket.SendAsync(Encoding.ASCII.GetBytes(begin), TestContext.Current.CancellationToken);

        int count;
        try
        {
            count = await socket.ReceiveAsync(new byte[100], TestContext.Current.CancellationToken).AsTask()
                .WaitAsync(TimeSpan.FromSeconds(10), TestContext.Current.CancellationToken);
        }
        catch (SocketException)
        {
            count = 0;
        }

        Assert.Equal(0, count);
    }
}
