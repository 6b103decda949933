using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json.Nodes;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Probes;

/// <summary>Against a server that nobody here wrote.</summary>
[Collection(QuietMachine.Name)]
public sealed class Nginx
{
    private const string Program = "/usr/sbin/nginx";

    [Fact]
    public async Task EveryProtocolItOffers_IsMeasured()
    {
        Assert.SkipUnless(File.Exists(Program), "nginx is not installed.");
        using TempFolder folder = new();
        (int plain, int secure) = (FreePort(), FreePort());
        Configure(folder, plain, secure);
        using Process nginx =
            Process.Start(
                new ProcessStartInfo(Program, ["-p", folder.Path, "-c", folder["nginx.conf"], "-e", folder["error.log"]]) { RedirectStandardError = true })!;
        try
        {
            await Listening(plain);

            CliRun run = CliRun.Of(
                "measure", $"tcp://127.0.0.1:{plain}", $"http://127.0.0.1:{plain}/", $"https://localhost:{secure}/", "-4", "--http", "both", "--insecure",
                "--count", "3", "--format", "json");

            JsonArray targets = JsonNode.Parse(run.Out)!["targets"]!.AsArray();
            string[] answered = [.. targets.Where(t => t!["answered"]!.GetValue<long>() > 0).Select(t => $"{t!["protocol"]} {t["connection"]}")];
            // In clear text nginx offers HTTP/1.1 only, so the run as a whole ends with 5.
            Assert.Equal(["tcp ", "http/1.1 kept", "http/1.1 new", "https/1.1 kept", "https/1.1 new", "https/2 kept", "https/2 new"], answered);
            Assert.Equal(5, run.Code);
            Assert.Contains("does not offer HTTP/2", run.Error, StringComparison.Ordinal);
        }
        finally
        {
            nginx.Kill(entireProcessTree: true);
            await nginx.WaitForExitAsync(TestContext.Current.CancellationToken);
        }
    }

    private static void Configure(TempFolder folder, int plain, int secure)
    {
        using X509Certificate2 certificate = ProbedServers.SelfSigned("localhost");
        folder.Write("certificate.pem", certificate.ExportCertificatePem());
        folder.Write("key.pem", certificate.GetRSAPrivateKey()!.ExportPkcs8PrivateKeyPem());
        folder.Write("nginx.conf", $$"""
            daemon off;
            worker_processes 1;
            pid {{folder["nginx.pid"]}};
            events {}
            http {
                access_log off;
                client_body_temp_path {{folder["body"]}};
                proxy_temp_path {{folder["proxy"]}};
                fastcgi_temp_path {{folder["fastcgi"]}};
                uwsgi_temp_path {{folder["uwsgi"]}};
                scgi_temp_path {{folder["scgi"]}};
                server {
                    listen 127.0.0.1:{{plain}};
                    listen 127.0.0.1:{{secure}} ssl http2;
                    ssl_certificate {{folder["certificate.pem"]}};
                    ssl_certificate_key {{folder["key.pem"]}};
                    location / { return 200 "hello"; }
                }
            }
            """);
    }

    private static async Task Listening(int port)
    {
        using CancellationTokenSource limit = new(TimeSpan.FromSeconds(20));
        while (true)
        {
            try
            {
                using TcpClient client = new();
                await client.ConnectAsync(IPAddress.Loopback, port, limit.Token);
                return;
            }
            catch (SocketException)
            {
                await Task.Yield();
            }
        }
    }

    private static int FreePort()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
