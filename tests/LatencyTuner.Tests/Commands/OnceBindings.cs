using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using LatencyTuner.Commands;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>Where <c>serve --once</c> listens: on --bind, else where the ssh session arrived, else everywhere.</summary>
public sealed class OnceBindings
{
    private const string SessionHere = "127.0.0.9 50000 127.0.0.3 22";

    [Theory]
    [InlineData("127.0.0.2", false, null, "--bind", "127.0.0.2")]
    [InlineData("127.0.0.2", false, SessionHere, "--bind", "127.0.0.2")]
    [InlineData("127.0.0.2 ::1", false, null, "--bind", "127.0.0.2", "--bind", "::1")]
    [InlineData("127.0.0.3", false, SessionHere)]
    [InlineData("::1", false, "::1 50000 ::1 22")]
    [InlineData(null, true, null)]
    [InlineData(null, true, "192.0.2.9 50000 192.0.2.7 22")]
    [InlineData(null, true, "not a session")]
    public void Listens_WhereItShould(string? addresses, bool everywhere, string? session, params string[] options)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "All of 127.0.0.0/8 is this machine on Linux only.");
        using Once once = new(session, options);

        Assert.Equal(everywhere, once.Line["allAddresses"]!.GetValue<bool>());
        if (addresses is not null)
        {
            Assert.Equal(addresses, string.Join(' ', once.Line["addresses"]!.AsArray().Select(a => a!.GetValue<string>())));
        }

        // What it says is what it does.
        string[] expected = addresses?.Split(' ') ?? ["127.0.0.1", "127.0.0.2", "127.0.0.3", .. Socket.OSSupportsIPv6 ? (string[])["::1"] : []];
        Assert.All(expected, a => Assert.True(Connects(a, once.Port), a));
        Assert.Equal(everywhere, Connects("127.0.0.4", once.Port));
        Assert.Equal(0, once.End());
    }

    [Fact]
    public void Bind_OfAnotherMachine_IsASentence() => CliRun.Of("serve", "--once", "--bind", "192.0.2.7").Failed(5, "192.0.2.7", "--bind");

    [Fact]
    public void Http_ServesNobodyBeforeTheLeaseIsHeld()
    {
        using Once once = new(null, ["--http-port", "0"]);
        int port = once.Line["httpPort"]!.GetValue<int>();
        Assert.NotEqual(once.Port, port);
        using HttpClient client = new();
        foreach (string path in new[] { "/", "/latencytuner/hello", "/latencytuner/stream?bytes=1" })
        {
            using HttpResponseMessage answer = client.Send(new HttpRequestMessage(HttpMethod.Get, $"http://127.0.0.1:{port}{path}"));
            Assert.Equal(HttpStatusCode.ServiceUnavailable, answer.StatusCode);
        }

        Assert.Equal(0, once.End());
        Assert.False(Connects("127.0.0.1", port));
    }

    private static bool Connects(string address, int port)
    {
        IPAddress parsed = IPAddress.Parse(address);
        using Socket socket = new(parsed.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Connect(parsed, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>A run of <c>serve --once</c> in this process.</summary>
    private sealed class Once : IDisposable
    {
        private readonly CancellationTokenSource _end = new();
        private readonly FirstLine _out = new();
        private readonly Task<int> _run;

        internal Once(string? session, string[] options)
        {
            StringWriter error = new();
            CliHost host = new() { Out = _out, Error = error, SshConnection = session };
            _run = Task.Run(() => Cli.RunAsync(["serve", "--once", "--for", "60s", .. options], host, _end.Token));
            Assert.True(_out.Written.Wait(TimeSpan.FromSeconds(30)), error.ToString());
            Line = JsonNode.Parse(_out.Text["LATENCYTUNER1 ".Length..])!;
        }

        internal JsonNode Line { get; }

        internal int Port => Line["port"]!.GetValue<int>();

        internal int End()
        {
            _end.Cancel();
            return _run.GetAwaiter().GetResult();
        }

        public void Dispose()
        {
            _end.Cancel();
            _run.Wait();
            _end.Dispose();
            _out.Dispose();
        }
    }

    /// <summary>Keeps the first line that is written.</summary>
    private sealed class FirstLine() : StringWriter(CultureInfo.InvariantCulture)
    {
        internal ManualResetEventSlim Written { get; } = new();

        internal string Text { get; private set; } = "";

        public override Encoding Encoding => Encoding.UTF8;

        public override void WriteLine(string? value)
        {
            Text = value ?? "";
            Written.Set();
        }

        protected override void Dispose(bool disposing)
        {
            Written.Dispose();
            base.Dispose(disposing);
        }
    }
}
