using System.Diagnostics;

namespace LatencyTuner.Tests.Commands;

/// <summary>The built program in a process of its own.</summary>
internal sealed class CliProcess : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private readonly Process _process;
    private readonly Task<string> _out;
    private readonly Task<string> _error;

    private CliProcess(Process process)
    {
        _process = process;
        _out = process.StandardOutput.ReadToEndAsync();
        _error = process.StandardError.ReadToEndAsync();
    }

    public int Id => _process.Id;

    public string Out => _out.GetAwaiter().GetResult();

    public string Error => _error.GetAwaiter().GetResult();

    public static CliProcess Start(string[] before, params string[] args)
    {
        string[] all = [.. before, "dotnet", Path.Combine(AppContext.BaseDirectory, "latencytuner.dll"), .. args];
        return Of(new ProcessStartInfo(all[0], all[1..]));
    }

    /// <summary>A process of another kind.</summary>
    public static CliProcess Of(ProcessStartInfo start)
    {
        (start.RedirectStandardOutput, start.RedirectStandardError, start.RedirectStandardInput) = (true, true, true);
        return new CliProcess(Process.Start(start)!);
    }

    /// <summary>The files that the process has mapped, its libraries among them; null when it has ended.</summary>
    public string? Maps()
    {
        try
        {
            return _process.HasExited ? null : File.ReadAllText($"/proc/{_process.Id}/maps");
        }
        catch (IOException)
        {
            return null;
        }
    }

    /// <summary>True once this process, and no other one that took the same free port, listens there; on Linux.</summary>
    public bool Listens(int port)
    {
        string[] sockets =
        [
            .. File.ReadLines("/proc/net/tcp").Concat(File.ReadLines("/proc/net/tcp6")).Select(l => l.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Where(f => f[1].EndsWith($":{port:X4}", StringComparison.Ordinal) && f[3] == "0A").Select(f => $"socket:[{f[9]}]"),
        ];
        try
        {
            return Directory.EnumerateFiles($"/proc/{Id}/fd").Any(f => sockets.Contains(new FileInfo(f).LinkTarget));
        }
        catch (IOException)
        {
            return false;
        }
    }

    /// <summary>Sends a signal by name, for example <c>INT</c>.</summary>
    public void Signal(string name)
    {
        using Process kill = Process.Start("kill", ["-" + name, $"{_process.Id}"]);
        kill.WaitForExit();
    }

    public int WaitForExit(TimeSpan? patience = null)
    {
        if (!_process.WaitForExit(patience ?? Patience))
        {
            throw new TimeoutException($"latencytuner did not end within {(patience ?? Patience).TotalSeconds} s.");
        }

        return _process.ExitCode;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }

        _process.Dispose();
    }
}
