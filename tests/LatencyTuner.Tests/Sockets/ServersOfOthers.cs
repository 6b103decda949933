using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Sockets.Linux;
using LatencyTuner.Tests.Commands;
using Xunit;

#pragma warning disable CA1416 // Each test skips itself on other systems.

namespace LatencyTuner.Tests.Sockets;

/// <summary>A server in C (<c>owner.c</c>) with options at random, and the ways to read it, against its own getsockopt and <c>ss</c>.</summary>
[Collection(QuietMachine.Name)]
public sealed class ServersOfOthers
{
    private const int Count = 100;

    /// <summary>100 connections of a server in C, each with TCP_NODELAY, buffers and keep-alive at random: all told right, and as ss tells them.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void ServerInC_IsToldRight_100Of100(int seed)
    {
        using TempFolder folder = new();
        using SocketOwner owner = Started(folder, seed, out Dictionary<int, int[]> told, out List<Socket> clients);
        try
        {
            HostSocket[] read = [.. LinuxHostSockets.Read(new SocketSelection { Pids = [owner.Pid] }).Sockets.Where(s => s.State == SocketState.Established)];

            Assert.Equal(Count, read.Length);
            int right = read.Count(s => told[s.Remote.Port] is [var noDelay, var send, var receive, var locks, var keep]
                && (s.NoDelay, s.SendBufferBytes, s.ReceiveBufferBytes, s.KeepAlive) == (noDelay != 0, send, receive, keep != 0)
                && (locks < 0 || (s.SendBufferFixed, s.ReceiveBufferFixed) == ((locks & 1) != 0, (locks & 2) != 0)));
            Assert.Equal(Count, right);
            Assert.InRange(read.Count(s => s.NoDelay == true), 1, Count - 1);
            Assert.InRange(read.Count(s => s.SendBufferFixed == true), 1, Count - 1);

            string[] lines = Ss(owner.Pid);
            Assert.All(read, s => Assert.Contains(
                lines, l => l.Contains($" {s.Local} ", StringComparison.Ordinal) && l.Contains($" {s.Remote} ", StringComparison.Ordinal)
                    && l.Contains($",rb{s.ReceiveBufferBytes},", StringComparison.Ordinal)
                    && l.Contains($",tb{s.SendBufferBytes},", StringComparison.Ordinal)));
        }
        finally
        {
            clients.ForEach(c => c.Dispose());
        }
    }

    /// <summary>Where the kernel refuses sock_diag, the lists of /proc and the duplicates tell the same.</summary>
    [Fact]
    public void WithoutSockDiag_TheValuesAreTheSame()
    {
        using TempFolder folder = new();
        using SocketOwner owner = Started(folder, 3, out _, out List<Socket> clients);
        try
        {
            SocketSelection selection = new() { Pids = [owner.Pid] };
            SocketSnapshot with = LinuxHostSockets.Read(selection);
            SocketSnapshot without = LinuxHostSockets.Read(selection, _ => false);

            Assert.Equal((Count + 1, 0), (without.Sockets.Count, without.Unreadable.Count));
            Assert.All(with.Sockets.Zip(without.Sockets), pair =>
            {
                (HostSocket diagnosed, HostSocket listed) = pair;
                Assert.Equal(diagnosed.State == SocketState.Listen ? null : "getsockopt", listed.CountersFrom);
                Assert.Equal(diagnosed, listed with { CountersFrom = diagnosed.CountersFrom, Services = diagnosed.Services });
            });
            Assert.Contains(without.Sockets, s => s is { BytesReceived: 7, DataSegmentsIn: 1, RttUs: > 0 });
        }
        finally
        {
            clients.ForEach(c => c.Dispose());
        }
    }

    /// <summary>The same in a network namespace of its own, whose lists are those of a process in it.</summary>
    [Fact]
    public void WithoutSockDiag_AnotherNamespaceIsRead()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "This needs root, to make a network namespace.");
        using SocketOwner owner = SocketOwner.Start(["unshare", "--net", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"], "options", "4");
        Assert.SkipWhen(owner.Out.ReadLine() is null, "No network namespace can be made here.");

        SocketSnapshot read = LinuxHostSockets.Read(new SocketSelection { Pids = [owner.Pid] }, _ => false);

        Assert.Equal(8, read.Sockets.Count(s => s.State == SocketState.Established && s.NetworkNamespace is not null && s.NoDelay is not null
            && s.BytesSent + s.BytesReceived == 100));
    }

    private static SocketOwner Started(TempFolder folder, int seed, out Dictionary<int, int[]> told, out List<Socket> clients)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Sockets of other processes are read here by the calls of Linux.");
        string program = folder["owner"];
        Assert.SkipUnless(File.Exists("/usr/bin/gcc"), "gcc is not installed.");
        using (Process compiler = Process.Start(
            "/usr/bin/gcc", ["-O1", "-o", program, Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Sockets", "owner.c")]))
        {
            compiler.WaitForExit();
            Assert.SkipUnless(compiler.ExitCode == 0, "gcc compiles nothing here.");
        }

        SocketOwner owner = SocketOwner.Run(program, $"{Count}", $"{seed}");
        IPEndPoint server = new(IPAddress.Loopback, Number(owner.Out.ReadLine()!));
        told = [];
        clients = [];
        for (int i = 0; i < Count; i++)
        {
            Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            client.Connect(server);
            client.Send(new byte[7]);
            clients.Add(client);
        }

        for (int i = 0; i < Count; i++)
        {
            int[] values = [.. owner.Out.ReadLine()!.Split(' ').Select(Number)];
            told[values[0]] = values[1..];
        }

        return owner;
    }

    private static string[] Ss(int pid)
    {
        try
        {
            using Process ss = Process.Start(new ProcessStartInfo("ss", ["-tinmpOH"]) { RedirectStandardOutput = true })!;
            return [.. ss.StandardOutput.ReadToEnd().Split('\n').Where(l => l.Contains($"pid={pid},", StringComparison.Ordinal))];
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("ss is not installed.");
            throw;
        }
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
