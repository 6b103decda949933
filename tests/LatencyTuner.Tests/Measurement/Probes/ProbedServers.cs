using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Measurement.Probes;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Probes;

public sealed class ProbedServers
{
    private const string Ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    // Long enough for a busy machine to accept a connection in it: what is waited for in vain is the answer.
    private static readonly HttpProbeOptions Short = new() { Timeout = TimeSpan.FromSeconds(3) };

    [Fact]
    public void Tcp_OpensOneConnectionForEachRequest()
    {
        using TestServer server = new((_, _) => Task.CompletedTask);

        ProbeSeries series = Asking.Run($"tcp://127.0.0.1:{server.Port}");

        Assert.Equal(series.Sent, series.Answered);
        Assert.InRange(series.Answered + series.Skipped, 4, 4);
        // The system accepts before the server's own thread does.
        Assert.True(SpinWait.SpinUntil(() => server.Connections >= series.Answered, TimeSpan.FromSeconds(30)));
        Assert.InRange(server.Connections, series.Answered, 5);
        Assert.Equal("connect", Assert.Single(series.Phases).Name);
    }

    [Fact]
    public void Http_Kept_UsesOneConnection()
    {
        using TestServer server = TestServer.Answering(Ok);

        ProbeSeries series = Asking.Run($"http://127.0.0.1:{server.Port}/");

        Assert.Equal(1, server.Connections);
        Assert.Equal(["first byte", "whole reply"], series.Phases.Select(p => p.Name));
        Assert.Equal(series.Answered, series.Statuses[200]);
        Assert.True(series.Phases[0].Times.MaxNs <= series.Phases[1].Times.MaxNs);
        Assert.Empty(series.Failures);
    }

    [Fact]
    public void Http_New_OpensOneForEachAndTimesTheConnect()
    {
        using TestServer server = TestServer.Answering(Ok);

        ProbeSeries series = Asking.Run($"http://127.0.0.1:{server.Port}/", new HttpProbeOptions { Kept = false });

        Assert.InRange(server.Connections, series.Answered, 5);
        Assert.Equal(["connect", "first byte", "whole reply"], series.Phases.Select(p => p.Name));
        Assert.True(series.Phases[0].Times.MinNs < series.Phases[1].Times.MinNs);
    }

    [Fact]
    public void Http_KeptConnectionClosedByTheServer_IsCountedAndNotTimed()
    {
        using TestServer server = new(async (stream, stop) =>
        {
            await TestServer.ReadRequest(stream, stop);
            await stream.WriteAsync(Encoding.ASCII.GetBytes("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), stop);
        });

        ProbeSeries series = Asking.Run($"http://127.0.0.1:{server.Port}/");

        Assert.Equal(0, series.Answered);
        Assert.InRange(series.Reconnected, 1, 4);
    }

    /// <summary>What is not read to its end takes the connection with it, and that is not the server's doing.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Http_LongBody_IsNotTimedToItsEnd(bool kept)
    {
        using TestServer server = TestServer.Answering("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n" + new string('x', 2_000_000));

        ProbeSeries series = Asking.Run($"http://127.0.0.1:{server.Port}/", new HttpProbeOptions { Kept = kept }, rounds: 2);

        Assert.True(series.Unfinished > 0);
        Assert.All(series.Phases.Where(p => p.Name == "whole reply"), p => Assert.Equal(0, p.Times.Count));
    }

    [Fact]
    public void Http_Redirect_IsTimedAndNotFollowed()
    {
        using TestServer elsewhere = TestServer.Answering(Ok);
        using TestServer server = TestServer.Answering($"HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:{elsewhere.Port}/\r\nContent-Length: 0\r\n\r\n");

        ProbeSeries series = Asking.Run($"http://127.0.0.1:{server.Port}/");

        Assert.Equal(series.Sent, series.Statuses[301]);
        Assert.Equal(0, elsewhere.Connections);
    }

    public static TheoryData<string, string, string> BadAnswers => new()
    {
        { "http", "HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n", "status" },
        { "http", "220 mail.example ESMTP\r\n\r\n", "protocol" },
        { "http", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort", "timeout" },
        { "http", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZZ\r\nshort\r\n", "protocol" },
        { "http", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", "protocol" },
        { "http", "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello", "protocol" },
        { "http", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello", "protocol" },
        { "http", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n", "protocol" },
        { "https", "220 mail.example ESMTP\r\n\r\n", "tls" },
        { "ws", Ok, "protocol" },
        { "ws", "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "status" },
        {
            "ws", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: bm90IHRoZSByaWdodCBvbmU=\r\n\r\n",
            "protocol" },
        { "ws", "HTTP/1.1 2\r\n\r\n", "protocol" },
    };

    [Theory]
    [MemberData(nameof(BadAnswers))]
    public void BadAnswer_IsCountedByItsKind(string scheme, string answer, string reason)
    {
        using TestServer server = new(async (stream, stop) =>
        {
            // A TLS client says more than one line without an empty one: the answer does not wait for it.
            if (scheme != "https")
            {
                await TestServer.ReadRequest(stream, stop);
            }

            await stream.WriteAsync(Encoding.ASCII.GetBytes(answer), stop);
            await Task.Delay(Timeout.Infinite, stop);
        });

        ProbeSeries series = Asking.Run($"{scheme}://127.0.0.1:{server.Port}/", new HttpProbeOptions(), rounds: 2);

        Assert.Equal(0, series.Answered);
        Assert.Equal(reason, Assert.Single(series.Failures).Key.ToString(), ignoreCase: true);
        Assert.All(series.Failures.Values, f => Assert.Matches(@"^\w+://127\.0\.0\.1:\d+/ .*\.$", f.Example));
    }

    [Theory]
    [InlineData("http")]
    [InlineData("https")]
    [InlineData("ws")]
    [InlineData("wss")]
    public void Silence_IsATimeout(string scheme)
    {
        using TestServer server = new((_, stop) => Task.Delay(Timeout.Infinite, stop));

        ProbeSeries series = Asking.Run($"{scheme}://127.0.0.1:{server.Port}/", Short, rounds: 1);

        Assert.Equal(ProbeFailure.Timeout, Assert.Single(series.Failures).Key);
        Assert.Contains(
            scheme switch { "http" => "complete answer", "https" => "TLS handshake", _ => "WebSocket handshake" }, series.Failures.Values.Single().Example,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http")]
    [InlineData("https")]
    [InlineData("ws")]
    public void Close_IsSaid(string scheme)
    {
        using TestServer server = new((_, _) => Task.CompletedTask);

        ProbeSeries series = Asking.Run($"{scheme}://127.0.0.1:{server.Port}/", rounds: 2);

        Assert.Equal(0, series.Answered);
        Assert.All(series.Failures.Keys, reason => Assert.Contains(reason, new[] { ProbeFailure.Closed, ProbeFailure.Tls }));
        Assert.NotEmpty(series.Failures);
    }

    [Theory]
    [InlineData("tcp")]
    [InlineData("http")]
    [InlineData("https")]
    [InlineData("ws")]
    public void NobodyThere_IsRefused(string scheme)
    {
        int port;
        using (TestServer server = new((_, _) => Task.CompletedTask))
        {
            port = server.Port;
        }

        ProbeSeries series = Asking.Run($"{scheme}://127.0.0.1:{port}", rounds: 2);

        Assert.Equal(ProbeFailure.Refused, Assert.Single(series.Failures).Key);
    }

    [Fact]
    public void Certificate_SelfSigned_IsRefusedUnlessAnyIsAccepted()
    {
        using X509Certificate2 certificate = SelfSigned("localhost");
        using TestServer server = new(async (stream, stop) =>
        {
            await using SslStream secure = new(stream);
            await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = certificate }, stop);
            while (await TestServer.ReadRequest(secure, stop) is not null)
            {
                await secure.WriteAsync(Encoding.ASCII.GetBytes(Ok), stop);
            }
        });
        string target = $"https://localhost:{server.Port}/";

        ProbeSeries refused = Asking.Run(target, rounds: 2);
        // On a busy machine the first TLS handshake of a process takes longer than a few rounds, which are left out then.
        ProbeSeries accepted = Asking.Run(target, new HttpProbeOptions { AnyCertificate = true, Kept = false }, rounds: 40);

        Assert.Equal(ProbeFailure.Certificate, Assert.Single(refused.Failures).Key);
        Assert.Contains("--insecure", refused.Failures.Values.Single().Example, StringComparison.Ordinal);
        Assert.Empty(accepted.Failures);
        Assert.Equal(["connect", "TLS", "first byte", "whole reply"], accepted.Phases.Select(p => p.Name));
        Assert.True(accepted.Phases[0].Times.MinNs < accepted.Phases[1].Times.MinNs);
    }

    [Theory]
    [InlineData("http")]
    [InlineData("https")]
    public void Http2_NotOffered_IsSaid(string scheme)
    {
        using X509Certificate2 certificate = SelfSigned("localhost");
        using TestServer server = new(async (stream, stop) =>
        {
            Stream inner = stream;
            if (scheme == "https")
            {
                SslStream secure = new(stream);
                await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = certificate }, stop);
                inner = secure;
            }

            await TestServer.ReadRequest(inner, stop);
            await inner.WriteAsync(Encoding.ASCII.GetBytes("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), stop);
        });

        ProbeSeries series = Asking.Run($"{scheme}://localhost:{server.Port}/", new HttpProbeOptions { Version = new(2, 0), AnyCertificate = true }, rounds: 2);

        Assert.Equal(0, series.Answered);
        Assert.Contains(ProbeFailure.Version, series.Failures.Keys);
    }

    /// <summary>What speaks HTTP/2 offers it, however its answer ends.</summary>
    [Theory]
    [InlineData(0x7, false, "\0\0\0\0\0\0\0\u000b", ProbeFailure.Closed, "ENHANCE_YOUR_CALM")]
    [InlineData(0x3, true, "\0\0\0\u0002", ProbeFailure.Closed, "INTERNAL_ERROR")]
    [InlineData(0x3, true, "\0\0\0\u0007", ProbeFailure.Closed, "REFUSED_STREAM")]
    [InlineData(0x3, true, "\0\0\u0012\u0034", ProbeFailure.Closed, "0x1234")]
    [InlineData(0x3, true, "\0\0\0\u000d", ProbeFailure.Version, "does not offer HTTP/2.")]
    public void Http2_EndedByAnError_IsSaidWithItsName(byte type, bool ofStream, string payload, ProbeFailure reason, string said)
    {
        using TestServer server = new(async (connection, stop) =>
        {
            await connection.ReadExactlyAsync(new byte[24], stop);
            await connection.WriteAsync(new byte[] { 0, 0, 0, 4, 0, 0, 0, 0, 0 }, stop);
            byte[] header = new byte[9];
            while (true)
            {
                await connection.ReadExactlyAsync(header, stop);
                await connection.ReadExactlyAsync(new byte[(header[0] << 16) | (header[1] << 8) | header[2]], stop);
                // HEADERS begin a request, also one that HttpClient makes again.
                if (header[3] == 1)
                {
                    await connection.WriteAsync(
                        (byte[])[0, 0, (byte)payload.Length, type, 0, .. ofStream ? header[5..9] : new byte[4], .. Encoding.Latin1.GetBytes(payload)], stop);
                }
            }
        });

        ProbeSeries series = Asking.Run($"http://127.0.0.1:{server.Port}/", new HttpProbeOptions { Version = new(2, 0), Kept = false }, rounds: 1);

        (ProbeFailure kind, (_, string example)) = Assert.Single(series.Failures);
        Assert.Equal(reason, kind);
        Assert.Contains(said, example, StringComparison.Ordinal);
    }

    /// <summary>A server that loads its application for the first answer has been asked as often as was planned.</summary>
    [Fact]
    public void FirstAnswer_ThatTakesLongerThanTheRun_TakesNoRequestAway()
    {
        int asked = 0;
        using TestServer server = new(async (stream, stop) =>
        {
            while (await TestServer.ReadRequest(stream, stop) is not null)
            {
                await Task.Delay(Interlocked.Increment(ref asked) == 1 ? 700 : 0, stop);
                await stream.WriteAsync(Encoding.ASCII.GetBytes(Ok), stop);
            }
        });

        ProbeSeries series = Asking.Run($"http://127.0.0.1:{server.Port}/");

        Assert.InRange(series.Answered, 1, 4);
        Assert.True(series.Phases[0].Times.MinNs < 700_000_000);
        Assert.Empty(series.Failures);
    }

    [Fact]
    public void WebSocket_PongAmongOtherFrames_IsFound()
    {
        using TestServer server = new(async (stream, stop) =>
        {
            string request = (await TestServer.ReadRequest(stream, stop))!;
            string key = request.Split("\r\n").Single(l => l.StartsWith("Sec-WebSocket-Key: ", StringComparison.Ordinal))[19..];
            // Computed here and not by the code under test.
#pragma warning disable CA5350 // RFC 6455 section 4.2.2 prescribes SHA-1 for the handshake.
            string accept = Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")));
#pragma warning restore CA5350
            await stream.WriteAsync(
                Encoding.ASCII.GetBytes(
                    $"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"), stop);
            byte[] ping = new byte[14];
            while (true)
            {
                await stream.ReadExactlyAsync(ping, stop);
                Assert.Equal(0x89, ping[0]);
                Assert.Equal(0x88, ping[1]);
                await stream.WriteAsync(new byte[] { 0x81, 126, 0, 200 }, stop);
                await stream.WriteAsync(new byte[200], stop);
                await stream.WriteAsync(new byte[] { 0x8A, 0 }, stop);
                await stream.WriteAsync((byte[])[0x8A, 8, .. Enumerable.Range(0, 8).Select(i => (byte)(ping[6 + i] ^ ping[2 + (i & 3)]))], stop);
            }
        });

        ProbeSeries series = Asking.Run($"ws://127.0.0.1:{server.Port}/chat");

        Assert.Empty(series.Failures);
        Assert.Equal(series.Sent, series.Answered);
        Assert.Equal(1, server.Connections);
    }

    [Fact]
    public void Handshake_AnswersAsTheStandardsExample() =>
        Assert.Equal("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", WebSocketHandshake.Accept("dGhlIHNhbXBsZSBub25jZQ=="));

    [Fact]
    public void TargetThatHangs_DelaysNoOther()
    {
        using TestServer silent = new((_, stop) => Task.Delay(Timeout.Infinite, stop));
        using TestServer server = TestServer.Answering(Ok);

        IReadOnlyList<ProbeSeries> series = Asking.Run(
            [
                Asking.Target($"http://127.0.0.1:{silent.Port}/", new HttpProbeOptions { Timeout = TimeSpan.FromMilliseconds(500) }),
                Asking.Target($"http://127.0.0.1:{server.Port}/")], 20);

        Assert.Equal(0, series[0].Answered);
        Assert.True(series[0].Skipped > 0);
        // A busy machine makes both skip requests; only the one that hangs skips those of its waits as well.
        Assert.True(series[1].Answered > 0 && series[1].Skipped < series[0].Skipped, $"{series[1].Skipped} and {series[0].Skipped} skipped");
    }

    [Fact]
    public void Icmp_Loopback_Answers()
    {
        try
        {
            ProbeSeries series = Asking.Run("icmp://127.0.0.1");

            Assert.Empty(series.Failures);
            Assert.Equal(series.Sent, series.Answered);
        }
        catch (ExpectedFailureException e) when (e.Code == ExitCode.Platform)
        {
            Assert.Skip(e.Message);
        }
    }

    [Fact]
    public void MostRate_IsSharedByTheTargetsOfAHost()
    {
        ProbeTarget one = Asking.Target("tcp://127.0.0.1:80");
        ProbeTarget other = Asking.Target("icmp://127.0.0.1");

        Assert.Equal(10, ProbePlan.MostRate([one]));
        Assert.Equal(5, ProbePlan.MostRate([one, other]));
        Assert.Equal(10, ProbePlan.MostRate([one, one with { Scheme = ProbeScheme.Responder }]));
        Assert.Equal(double.PositiveInfinity, ProbePlan.MostRate([one with { Scheme = ProbeScheme.Responder }]));
    }

    internal static X509Certificate2 SelfSigned(string name)
    {
        using RSA key = RSA.Create(2048);
        CertificateRequest request = new($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName(name);
        request.CertificateExtensions.Add(names.Build());
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
