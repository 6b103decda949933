using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace LatencyTuner.Lab;

/// <summary><c>lab run</c>: builds the network, runs the programs, and removes the network whatever happens.</summary>
internal sealed class RunCommand(RunArguments run, TextWriter error) : IDisposable
{
    private const int TimeOver = 124;
    private const int Cancelled = 130;
    private readonly ManualResetEventSlim _cancelled = new();

    public int Run()
    {
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Cancel);
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Cancel);
        using PosixSignalRegistration hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, Cancel);
        using LabSession session = new(
            run.Preset,
            run.Preset.Link with { Seed = run.Seed, ClientPcap = run.ClientPcap, ServerPcap = run.ServerPcap },
            new LabNetworkOptions { Name = run.Name, Mtu = run.Mtu, Timestamps = run.Timestamps });
        Process? server = null;
        try
        {
            if (run.Serve is not null)
            {
                server = StartServer(session.Network);
            }

            int code = _cancelled.IsSet ? Cancelled : RunProgram(session.Network);
            if (session.Emulator.Failure is { } failure)
            {
                throw new LabException($"The link emulator stopped: {failure.Message}");
            }

            return code;
        }
        finally
        {
            if (server is not null)
            {
                End(server);
            }

            server?.Dispose();
            if (!run.Quiet)
            {
                Summarise(session.Emulator.Statistics());
            }
        }
    }

    public void Dispose() => _cancelled.Dispose();

    private static void End(Process process)
    {
        if (process.HasExited)
        {
            return;
        }

        _ = Libc.Kill(process.Id, Libc.SigTerm);
        if (!process.WaitForExit(3000))
        {
            process.Kill(entireProcessTree: true);
        }
    }

    private void Cancel(PosixSignalContext context)
    {
        context.Cancel = true;
        _cancelled.Set();
    }

    private int RunProgram(LabNetwork network)
    {
        long? limitMs = run.Seconds is { } seconds ? (long)(seconds * 1000) : null;
        if (run.Command.Count == 0)
        {
            return _cancelled.Wait((int)limitMs!) ? Cancelled : 0;
        }

        using Process process = Start(network);
        Stopwatch clock = Stopwatch.StartNew();
        while (!process.WaitForExit(20))
        {
            bool timeOver = clock.ElapsedMilliseconds >= limitMs;
            if (!timeOver && !_cancelled.IsSet)
            {
                continue;
            }

            End(process);
            return timeOver ? TimeOver : Cancelled;
        }

        return _cancelled.IsSet ? Cancelled : process.ExitCode;
    }

    private Process Start(LabNetwork network)
    {
        ProcessStartInfo info = new(run.Command[0], run.Command.Skip(1));
        AddEnvironment(info, network);
        if (run.In is { } host)
        {
            return LabNamespace.Start(host == LabHost.Client ? network.ClientNamespace : network.ServerNamespace, info);
        }

        try
        {
            return Process.Start(info)!;
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new LabException($"{run.Command[0]} cannot be started: {e.Message}.");
        }
    }

    private Process StartServer(LabNetwork network)
    {
        // stdout belongs to the command, so the server's goes to stderr; exec, so that SIGTERM reaches the server and not the shell.
        ProcessStartInfo info = new("sh", ["-c", "exec 1>&2; exec " + run.Serve]);
        AddEnvironment(info, network);
        Process server = LabNamespace.Start(network.ServerNamespace, info);
        Stopwatch clock = Stopwatch.StartNew();
        while (!_cancelled.IsSet && !IsListening(network.ServerNamespace))
        {
            if (server.HasExited)
            {
                throw new LabException($"`{run.Serve}` ended with exit code {server.ExitCode} before it listened on port {run.ServePort}.");
            }

            if (clock.ElapsedMilliseconds > 20_000)
            {
                End(server);
                throw new LabException($"`{run.Serve}` does not listen on port {run.ServePort} after 20 s.");
            }

            Thread.Sleep(50);
        }

        return server;
    }

    /// <summary>Looks into the kernel's table instead of connecting, which would put a connection into the capture.</summary>
    private bool IsListening(string ns) => LabNamespace.Run(ns, () =>
    {
        string port = ":" + run.ServePort.ToString("X4", CultureInfo.InvariantCulture);
        foreach (string table in new[] { "/proc/thread-self/net/tcp", "/proc/thread-self/net/tcp6" })
        {
            if (!File.Exists(table))
            {
                continue;
            }

            foreach (string line in File.ReadLines(table))
            {
                string[] fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
                if (fields.Length > 3 && fields[1].EndsWith(port, StringComparison.Ordinal) && fields[3] == "0A")
                {
                    return true;
                }
            }
        }

        return false;
    });

    private static void AddEnvironment(ProcessStartInfo info, LabNetwork network)
    {
        info.Environment["LAB_CLIENT_NS"] = network.ClientNamespace;
        info.Environment["LAB_SERVER_NS"] = network.ServerNamespace;
        info.Environment["LAB_CLIENT"] = LabNetwork.ClientAddress.ToString();
        info.Environment["LAB_SERVER"] = LabNetwork.ServerAddress.ToString();
        info.Environment["LAB_SERVER6"] = LabNetwork.ServerAddress6.ToString();
    }

    private void Summarise(EmulatorStatistics s) =>
        error.WriteLine($"lab {run.Preset.Name}: frames {s.ClientFrames} from the client and {s.ServerFrames} from the server, {s.Drops.Count} dropped, "
        + $"ACKs held {s.ClientAcksHeld} and {s.ServerAcksHeld}, own delay mean {s.MeanLatenessNs / 1000.0:0.0} us, max {s.MaxLatenessNs / 1000.0:0} us");
}
