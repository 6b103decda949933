using System.Net;
using System.Net.Sockets;
using System.Text;
using Xunit;

namespace LatencyTuner.Tests.Commands;

public sealed class UnwillingPeers
{
    private const string Token = "a token of good length";

    public static TheoryData<string> Measuring => ["measure", "diagnose", "sweep rate", "sweep window"];

    [Theory]
    [MemberData(nameof(Measuring))]
    public void Peer_Absent_IsRefused(string command)
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();

        CliRun.Of([.. command.Split(' '), $"127.0.0.1:{port}"]).Failed(5, "refused the connection", "latencytuner serve");
    }

    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n")]
    [InlineData("SSH-2.0-OpenSSH_9.2p1\r\n")]
    [InlineData("\u001b]0;owned\u0007\r\n\r\n")]
    [InlineData("")]
    public async Task Peer_OfAnotherProtocol_IsNamedAsSuch(string answer)
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        Task serving = Task.Run(async () =>
        {
            using TcpClient client = await listener.AcceptTcpClientAsync();
            NetworkStream stream = client.GetStream();
            _ = await stream.ReadAsync(new byte[4096]);
            await stream.WriteAsync(Encoding.ASCII.GetBytes(answer));
        });

        CliRun.Of(["measure", listener.LocalEndpoint.ToString()!]).Failed(5, "is not a latencytuner responder");
        await serving;
    }

    [Theory]
    [InlineData("another token of good length", 5, "did not prove that it knows the token")]
    [InlineData(null, 5, "requires a token")]
    [InlineData("short", 2, "5 bytes; 16 to 4096 are valid")]
    [InlineData("", 2, "0 bytes")]
    [InlineData(" \r\n\t", 2, "0 bytes")]
    public void Token_Wrong_IsRefused(string? token, int code, string says)
    {
        using TempFolder folder = new();
        using RunningResponder responder = new(Token);
        string[] option = token is null ? [] : ["--token-file", folder.Write("token.txt", token)];

        CliRun.Of(["measure", responder.Target, .. option]).Failed(code, says);
    }

    [Fact]
    public void Token_GivenToAResponderWithoutOne_IsRefused()
    {
        using TempFolder folder = new();
        using RunningResponder responder = new();

        CliRun.Of("measure", responder.Target, "--token-file", folder.Write("t", Token)).Failed(5, "uses no token");
    }

    [Fact]
    public void Token_FromAnyEncodingWindowsWrites_IsTheSame()
    {
        using TempFolder folder = new();
        using RunningResponder responder = new(Token);
        foreach (Encoding encoding in (Encoding[])[
            new UTF8Encoding(false), new UTF8Encoding(true), Encoding.Unicode, Encoding.BigEndianUnicode, new UnicodeEncoding(false, false)])
        {
            string path = folder.Write("token.txt", [.. encoding.GetPreamble(), .. encoding.GetBytes(Token + "\r\n")]);
            CliRun.Of(["measure", responder.Target, "--token-file", path, "--count", "5"]).Done();
        }
    }

    // What Windows PowerShell 5.1 writes by Set-Content: a code page, in which each letter is one byte that is no UTF-8.
    [Fact]
    public void Token_InACodePage_IsNoOtherOfItsLength()
    {
        using TempFolder folder = new();
        byte[] token = [.. Enumerable.Repeat((byte)0xE4, 17), 0xF6];
        using RunningResponder responder = RunningResponder.WithTokenFile([.. token, .. "\r\n"u8]);

        CliRun.Of("measure", responder.Target, "--token-file", folder.Write("same.txt", [.. token, .. "\n"u8]), "--count", "5").Done();
        byte[] other = [.. token[..^1], 0xFC];
        CliRun.Of("measure", responder.Target, "--token-file", folder.Write("other.txt", other)).Failed(5, "did not prove that it knows the token");
    }

    [Theory]
    [InlineData("fifteen letters", "15 bytes; 16 to 4096")]
    [InlineData("aaaaaaaaaaaaaaaaaaaaaaaa", "one character repeated")]
    [InlineData("", "0 bytes")]
    public void Token_ThatCanBeGuessed_IsRefused(string token, string says)
    {
        using TempFolder folder = new();

        CliRun.Of("measure", "127.0.0.1:9", "--token-file", folder.Write("t", token)).Failed(2, says);
    }

    [Fact]
    public void TokenNew_IsRandomPrivateAndAccepted()
    {
        using TempFolder folder = new();
        (string first, string second) = (folder["a b.txt"], folder["second.txt"]);
        Assert.Contains($"serve --bind ADDRESS --token-file '{first}'", CliRun.Of("token", "new", first).Done().Out, StringComparison.Ordinal);
        CliRun.Of("token", "new", second).Done();
        byte[] token = File.ReadAllBytes(first);

        Assert.NotEqual(token, File.ReadAllBytes(second));
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(first));
        }

        CliRun.Of("token", "new", first).Failed(2, "exists already");
        CliRun.Of("token", "new", folder["no/folder"]).Failed(3, "cannot be made");
        Assert.Equal(token, File.ReadAllBytes(first));
        using RunningResponder responder = RunningResponder.WithTokenFile(token);
        CliRun.Of("measure", responder.Target, "--token-file", first, "--count", "5").Done();
        CliRun.Of("measure", responder.Target, "--token-file", second).Failed(5, "did not prove that it knows the token");
    }

    [Theory]
    [InlineData("measure 127.0.0.1:9")]
    [InlineData("check 127.0.0.1:9")]
    [InlineData("serve --port 0")]
    public void TokenFile_Unreadable_IsInput(string command)
    {
        using TempFolder folder = new();

        CliRun.Of([.. command.Split(' '), "--token-file", folder["missing.txt"]]).Failed(3, "missing.txt' cannot be read");
        CliRun.Of([.. command.Split(' '), "--token-file", folder.Path]).Failed(3, "cannot be read");
        CliRun.Of([.. command.Split(' '), "--token-file", ""]).Failed(3, "cannot be read");
        CliRun.Of([.. command.Split(' '), "--token-file", folder.Write("big.txt", new byte[70_000])]).Failed(3, "more than 65536 bytes");
    }

    [Fact]
    public void Serve_OnAPortInUse_SaysWhich()
    {
        using RunningResponder responder = new();

        CliRun.Of("serve", "--port", $"{responder.Port}").Failed(5, $"Port {responder.Port} on 127.0.0.1 is in use");
    }

    [Fact]
    public void Serve_OnAnAddressOfAnotherMachine_SaysSo() =>
        CliRun.Of("serve", "--port", "0", "--bind", "192.0.2.1", "--no-auth").Failed(5, "192.0.2.1 is not an address of this machine");

    [Fact]
    public void Serve_WithTokenAndNoAuth_IsRefused()
    {
        using TempFolder folder = new();

        CliRun.Of("serve", "--no-auth", "--token-file", folder.Write("t", Token)).Failed(2, "exclude each other");
    }

    [Fact]
    public void Serve_OnAPrivilegedPortWithoutPrivilege_IsPlatform()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Windows has no privileged ports.");
        int first = int.Parse(File.ReadAllText("/proc/sys/net/ipv4/ip_unprivileged_port_start"));
        Assert.SkipUnless(first > 81, "This machine lets anyone listen on port 81.");
        Assert.SkipUnless(File.Exists("/usr/bin/setpriv"), "setpriv is not installed.");
        string[] drop = Environment.IsPrivilegedProcess ? ["setpriv", "--bounding-set=-net_bind_service", "--inh-caps=-net_bind_service"] : [];

        using CliProcess process = CliProcess.Start(drop, "serve", "--port", "81");

        Assert.Equal(4, process.WaitForExit());
        Assert.Equal("", process.Out);
        Assert.Contains("Port 81 on 127.0.0.1 needs a privilege", process.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[::1]")]
    [InlineData("[::1%1]")]
    public void Target_V6Literal_IsReached(string host)
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "This machine has no IPv6.");
        using RunningResponder responder = new(address: IPAddress.IPv6Loopback);

        CliRun run = CliRun.Of("measure", $"{host}:{responder.Port}", "-6", "--count", "5").Done();

        Assert.Contains("IPv6", run.Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("::1")]
    [InlineData("[::1]")]
    public void Target_V6LiteralWithoutPort_HasTheDefaultPort(string target)
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "This machine has no IPv6.");

        CliRun run = CliRun.Of("measure", target, "--count", "5");

        // Whatever listens there, it is the default port that was tried.
        Assert.True(run.Code == 0 || run.Error.Contains("[::1]:7117", StringComparison.Ordinal), run.Error);
    }
}
