using System.Diagnostics;
using Xunit;

namespace LatencyTuner.Tests.Sockets;

/// <summary>Another process that owns sockets (<c>owner.py</c>); it ends with this object.</summary>
internal sealed class SocketOwner : IDisposable
{
    private readonly Process _process;

    private SocketOwner(Process process) => _process = process;

    public int Pid => _process.Id;

    public StreamReader Out => _process.StandardOutput;

    public StreamWriter In => _process.StandardInput;

    /// <summary>Starts it.</summary>
    /// <param name="wrapper">A program with its arguments that starts it in its turn; empty for none.</param>
    /// <param name="arguments">What it does.</param>
    public static SocketOwner Start(string[] wrapper, params string[] arguments)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Sockets of other processes are read here by the calls of Linux.");
        string script = Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Sockets", "owner.py");
        Assert.SkipUnless(File.Exists("/usr/bin/python3"), "python3 is not installed.");
        // As text, not as a file: another user may not read this folder.
        return Run([.. wrapper, "/usr/bin/python3", "-c", File.ReadAllText(script), .. arguments]);
    }

    /// <summary>Starts any program.</summary>
    /// <param name="words">The program and its arguments.</param>
    public static SocketOwner Run(params string[] words)
    {
        try
        {
            Process process = Process.Start(new ProcessStartInfo(words[0], words[1..])
            {
                RedirectStandardOutput = true,
                RedirectStandardInput = true,
                WorkingDirectory = "/",
            })!;
            return new SocketOwner(process);
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            Assert.Skip($"{words[0]} cannot be started: {e.Message}");
            throw;
        }
    }

    public void Dispose()
    {
        try
        {
            _process.Kill(entireProcessTree: true);
        }
        catch (InvalidOperationException)
        {
            // It ended.
        }

        _process.WaitForExit();
        _process.Dispose();
    }
}
