using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Sockets.Linux;
using LatencyTuner.Tests.Commands;
using Xunit;

#pragma warning disable CA1416 // Each test skips itself on other systems: SocketOwner.Start.

namespace LatencyTuner.Tests.Sockets;

/// <summary>Sockets of real processes, compared with what their owner reads.</summary>
[Collection(QuietMachine.Name)]
public sealed partial class SocketReadings
{
    private const uint Nobody = 65_534;

    private static SocketSelection Of(SocketOwner owner) => new() { Pids = [owner.Pid] };

    [Fact]
    public void Read_TellsEveryOptionAsTheOwnerDoes()
    {
        const int Count = 100;
        using SocketOwner owner = SocketOwner.Start([], "options", $"{Count}");
        JsonArray told = JsonNode.Parse(owner.Out.ReadLine()!)!.AsArray();

        SocketSnapshot read = LinuxHostSockets.Read(Of(owner));

        Assert.Empty(read.Unreadable);
        Assert.Equal(2 * Count, told.Count);
        foreach (JsonNode one in told.OfType<JsonNode>())
        {
            HostSocket socket = Assert.Single(
                read.Sockets, s => s.Local.Port == one["port"]!.GetValue<int>() && s.Remote.Port == one["peer"]!.GetValue<int>());
            Assert.Equal(SocketState.Established, socket.State);
            Assert.Equal(one["noDelay"]!.GetValue<bool>(), socket.NoDelay);
            Assert.Equal(one["keepAlive"]!.GetValue<bool>(), socket.KeepAlive);
            Assert.Equal(one["sendBuffer"]!.GetValue<int>(), socket.SendBufferBytes);
            Assert.Equal(one["receiveBuffer"]!.GetValue<int>(), socket.ReceiveBufferBytes);
            Assert.Equal(one["sendFixed"]?.GetValue<bool>(), socket.SendBufferFixed);
            Assert.Equal(one["receiveFixed"]?.GetValue<bool>(), socket.ReceiveBufferFixed);
            Assert.Equal(one["congestion"]!.GetValue<string>(), socket.CongestionControl);
            Assert.Equal(owner.Pid, socket.Pid);
            Assert.StartsWith("python3", socket.Process, StringComparison.Ordinal);
            Assert.Null(socket.CwndLimitedMs);
            Assert.Equal(100, socket.BytesSent + socket.BytesReceived);
        }

        Assert.Single(read.Sockets, s => s.State == SocketState.Listen && s.Remote.Port == 0 && s.BytesSent is null);
    }

    [Fact]
    public void Read_HasTheCountersOfSs()
    {
        using SocketOwner owner = SocketOwner.Start([], "options", "8");
        _ = owner.Out.ReadLine();

        SocketSnapshot read = LinuxHostSockets.Read(Of(owner));

        string[] lines = [.. Ss().Where(l => l.Contains($"pid={owner.Pid},", StringComparison.Ordinal))];
        Assert.Equal(16, lines.Length);
        foreach (HostSocket socket in read.Sockets.Where(s => s.State == SocketState.Established))
        {
            string line = Assert.Single(lines, l => l.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [_, _, _, var local, var remote, ..]
                && local == socket.Local.ToString() && remote == socket.Remote.ToString());
            Assert.Contains($",tb{socket.SendBufferBytes},", line, StringComparison.Ordinal);
            Assert.Contains($",rb{socket.ReceiveBufferBytes},", line, StringComparison.Ordinal);
            Assert.Contains($" {socket.CongestionControl} ", line, StringComparison.Ordinal);
            Assert.Equal(Number(line, "bytes_sent:") ?? 0, socket.BytesSent);
            Assert.Equal(Number(line, "bytes_received:") ?? 0, socket.BytesReceived);
            Assert.Equal(Number(line, "data_segs_out:") ?? 0, socket.DataSegmentsOut);
            Assert.Equal(Number(line, "data_segs_in:") ?? 0, socket.DataSegmentsIn);
            Assert.Equal(Number(line, "mss:"), socket.MssBytes);
            Assert.Equal((Number(line, "ato:") ?? 0) * 1.0, socket.AckTimeoutMs ?? 0);
        }
    }

    [Fact]
    public void Read_OfOneThatClosesMeanwhile_DelaysNoFin()
    {
        using SocketOwner owner = SocketOwner.Start([], "closer");
        int port = int.Parse(owner.Out.ReadLine()!, System.Globalization.CultureInfo.InvariantCulture);
        bool ended = false;
        Thread reader = new(() =>
        {
            while (!Volatile.Read(ref ended))
            {
                _ = LinuxHostSockets.Read(Of(owner));
            }
        });
        reader.Start();
        try
        {
            List<double> waitsMs = [];
            for (int i = 0; i < 1000; i++)
            {
                using TcpClient client = new();
                client.Connect(IPAddress.Loopback, port);
                client.ReceiveTimeout = 10_000;
                client.GetStream().WriteByte(1);
                long sent = System.Diagnostics.Stopwatch.GetTimestamp();

                // The reader goes on all the time: a duplicate that it kept would hold the FIN back until the timeout.
                Assert.Equal(-1, client.GetStream().ReadByte());
                waitsMs.Add(System.Diagnostics.Stopwatch.GetElapsedTime(sent).TotalMilliseconds);
            }

            // The times say something of a quiet machine only: they are printed, not asserted.
            waitsMs.Sort();
            TestContext.Current.TestOutputHelper?.WriteLine(
                $"FIN within 50 ms: {waitsMs.Count(w => w <= 50)} of {waitsMs.Count}; median {waitsMs[500]:0.0} ms, longest {waitsMs[^1]:0.0} ms");
        }
        finally
        {
            Volatile.Write(ref ended, true);
            reader.Join();
        }
    }

    [Fact]
    public void Read_AgainAndAgain_LetsAListenerStartAgain()
    {
        using SocketOwner owner = SocketOwner.Start([], "restarts", "1000", "100");
        SocketSelection watched = Of(owner) with { DuplicatesListeners = false };
        bool ended = false;
        Thread reader = new(() =>
        {
            while (!Volatile.Read(ref ended))
            {
                _ = LinuxHostSockets.Read(watched);
            }
        });
        reader.Start();
        owner.In.WriteLine();
        string? failed = owner.Out.ReadLine();
        Volatile.Write(ref ended, true);
        reader.Join();

        Assert.Equal("0", failed);
    }

    [Fact]
    public void Read_LeaksNoDescriptor_AlsoWhileDescriptorsVanish()
    {
        using SocketOwner many = SocketOwner.Start([], "options", "100");
        using SocketOwner churning = SocketOwner.Start([], "churn");
        _ = many.Out.ReadLine();
        _ = churning.Out.ReadLine();
        SocketSelection both = new() { Pids = [many.Pid, churning.Pid] };
        _ = LinuxHostSockets.Read(both);
        int before = Sockets();

        int duplicated = 0;
        while (duplicated < 10_000)
        {
            duplicated += LinuxHostSockets.Read(both).Sockets.Count(s => s.OptionsFrom is not null);
        }

        Assert.Equal(before, Sockets());
    }

    [Fact]
    public void Read_AsAnotherUser_NamesTheRule()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "This needs root, to become another user.");
        string[] nobody = ["setpriv", $"--reuid={Nobody}", "--clear-groups"];
        using SocketOwner roots = SocketOwner.Start([], "options", "2");
        using SocketOwner own = SocketOwner.Start(nobody, "options", "2");
        using SocketOwner hidden = SocketOwner.Start(nobody, "hidden", "2");
        JsonArray told = JsonNode.Parse(own.Out.ReadLine()!)!.AsArray();
        _ = roots.Out.ReadLine();
        _ = hidden.Out.ReadLine();

        SocketSnapshot read = AsNobody(() => LinuxHostSockets.Read(SocketSelection.All));

        Assert.Contains("another user (uid 0)", Assert.Single(read.Unreadable, u => u.Pid == roots.Pid).Why, StringComparison.Ordinal);
        Assert.Contains("PR_SET_DUMPABLE", Assert.Single(read.Unreadable, u => u.Pid == hidden.Pid).Why, StringComparison.Ordinal);
        if (read.Unreadable.All(u => u.Pid != own.Pid))
        {
            Assert.Equal(
                told.OfType<JsonNode>().Select(t => t["noDelay"]!.GetValue<bool>()).Order(),
                read.Sockets.Where(s => s.Pid == own.Pid && s.State == SocketState.Established).Select(s => s.NoDelay!.Value).Order());
        }

        // The connections of the others are listed with what needs no descriptor.
        Assert.Contains(read.Sockets, s => s is { Pid: null, NoDelay: null, State: SocketState.Established, BytesSent: not null, CountersFrom: "sock_diag" });
    }

    [Fact]
    public void Read_InAnotherNetworkNamespace_FindsItsSockets()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "This needs root, to make a network namespace.");
        string[] apart = ["unshare", "--net", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"];
        using SocketOwner owner = SocketOwner.Start(apart, "options", "4");
        string? line = owner.Out.ReadLine();
        Assert.SkipWhen(line is null, "No network namespace can be made here.");
        JsonArray told = JsonNode.Parse(line!)!.AsArray();

        SocketSnapshot read = LinuxHostSockets.Read(Of(owner));

        Assert.Equal(8, read.Sockets.Count(s => s.State == SocketState.Established));
        Assert.All(read.Sockets, s => Assert.NotNull(s.NetworkNamespace));
        foreach (JsonNode one in told.OfType<JsonNode>())
        {
            HostSocket socket = Assert.Single(
                read.Sockets, s => s.Local.Port == one["port"]!.GetValue<int>() && s.Remote.Port == one["peer"]!.GetValue<int>());
            Assert.Equal(one["noDelay"]!.GetValue<bool>(), socket.NoDelay);
            Assert.Equal(100, socket.BytesSent + socket.BytesReceived);
        }
    }

    [Fact]
    public void Between_GivesWhatTheCountersRoseBy()
    {
        HostSocket before = new()
        {
            State = SocketState.Established,
            Local = new("10.0.0.1", 80),
            Remote = new("10.0.0.2", 5000),
            BytesSent = 100,
            BytesReceived = 50,
            BusyMs = 10,
            Retransmitted = 1,
            RttUs = 500,
        };
        HostSocket now = before with { BytesSent = 250, BytesReceived = 60, BusyMs = 25, Retransmitted = 3, RttUs = 400 };
        HostSocket anew = before with { Remote = new("10.0.0.2", 5001), BytesSent = 7 };

        IReadOnlyList<HostSocket> changes = SocketChanges.Between(new() { Sockets = [before] }, new() { Sockets = [now, anew] }).Sockets;

        Assert.Equal((150, 10, 15.0, 2, 400), (changes[0].BytesSent, changes[0].BytesReceived, changes[0].BusyMs, changes[0].Retransmitted, changes[0].RttUs));
        Assert.Null(changes[0].CwndLimitedMs);
        Assert.Equal(7, changes[1].BytesSent);

        // The same ports with lower counters are another connection.
        Assert.Equal(5, SocketChanges.Between(new() { Sockets = [now] }, new() { Sockets = [now with { BytesSent = 5 }] }).Sockets[0].BytesSent);
    }

    /// <summary>Runs on a thread that has the rights of another user; a thread of its own, because they cannot be had back.</summary>
    private static T AsNobody<T>(Func<T> work)
    {
        const int SetUsers = 117;
        T result = default!;
        Exception? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                // Not through the C library, which changes all threads.
                Assert.SkipUnless(
                    RuntimeInformation.ProcessArchitecture == System.Runtime.InteropServices.Architecture.X64, "The number of the call is that of x64.");
                Assert.Equal(0, SystemCall(SetUsers, (nint)Nobody, (nint)Nobody, (nint)Nobody));
                result = work();
            }
            catch (Exception e)
            {
                failure = e;
            }
        });
        thread.Start();
        thread.Join();
        return failure is null ? result : throw new InvalidOperationException(failure.Message, failure);
    }

    private static int Sockets() =>
        Directory.GetFiles("/proc/self/fd").Count(f => new FileInfo(f).LinkTarget?.StartsWith("socket:", StringComparison.Ordinal) == true);

    private static string[] Ss()
    {
        try
        {
            using System.Diagnostics.Process ss = System.Diagnostics.Process.Start(
                new System.Diagnostics.ProcessStartInfo("ss", ["-tinmpOH"]) { RedirectStandardOutput = true })!;
            return ss.StandardOutput.ReadToEnd().Split('\n');
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("ss is not installed.");
            throw;
        }
    }

    private static long? Number(string line, string name)
    {
        int at = line.IndexOf(" " + name, StringComparison.Ordinal);
        return at < 0 ? null : long.Parse(
            string.Concat(line[(at + 1 + name.Length)..].TakeWhile(char.IsAsciiDigit)), System.Globalization.CultureInfo.InvariantCulture);
    }

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial nint SystemCall(nint number, nint first, nint second, nint third);
}
