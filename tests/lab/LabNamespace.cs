using System.Diagnostics;
using System.Net.Sockets;
using System.Runtime.ExceptionServices;

namespace LatencyTuner.Lab;

/// <summary>
/// Runs code and processes inside a network namespace. A namespace belongs to a thread: threads started inside inherit it, the thread pool
/// does not. So code given to <see cref="Run(string, Action)"/> uses blocking calls and its own threads, never <c>await</c> or
/// <c>Task.Run</c>; asynchronous code takes a socket from <see cref="CreateSocket"/> instead, which stays in its namespace on any thread.
/// </summary>
public static class LabNamespace
{
    /// <summary>Runs code on a new thread that has entered the namespace, and waits for it.</summary>
    /// <param name="ns">Name as in <c>ip netns list</c>.</param>
    /// <param name="action">The code; its exception is thrown to the caller unchanged.</param>
    /// <exception cref="LabException">The namespace cannot be entered.</exception>
    public static void Run(string ns, Action action) => Run(ns, () =>
    {
        action();
        return true;
    });

    /// <summary>Runs code on a new thread that has entered the namespace, and waits for its result.</summary>
    /// <typeparam name="T">The result.</typeparam>
    /// <param name="ns">Name as in <c>ip netns list</c>.</param>
    /// <param name="function">The code; its exception is thrown to the caller unchanged.</param>
    /// <exception cref="LabException">The namespace cannot be entered.</exception>
    public static T Run<T>(string ns, Func<T> function)
    {
        T result = default!;
        ExceptionDispatchInfo? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                Enter(ns);
                result = function();
            }
            catch (Exception e)
            {
                failure = ExceptionDispatchInfo.Capture(e);
            }
        })
        { IsBackground = true, Name = $"in {ns}" };
        thread.Start();
        thread.Join();
        failure?.Throw();
        return result;
    }

    /// <summary>Creates a TCP socket that belongs to the namespace and may then be used on any thread, asynchronously too.</summary>
    /// <param name="ns">Name as in <c>ip netns list</c>.</param>
    /// <param name="family">IPv4 or IPv6.</param>
    /// <exception cref="LabException">The namespace cannot be entered.</exception>
    public static Socket CreateSocket(string ns, AddressFamily family) =>
        Run(ns, () => new Socket(family, SocketType.Stream, ProtocolType.Tcp));

    /// <summary>Starts a process in the namespace with this process's standard streams; its id is that of the program itself.</summary>
    /// <param name="ns">Name as in <c>ip netns list</c>.</param>
    /// <param name="file">The program, found by PATH.</param>
    /// <param name="arguments">Its arguments, passed without a shell.</param>
    /// <exception cref="LabException">The process cannot be started.</exception>
    public static Process Start(string ns, string file, params string[] arguments) => Start(ns, new ProcessStartInfo(file, arguments));

    /// <summary>Starts a process in the namespace.</summary>
    /// <param name="ns">Name as in <c>ip netns list</c>.</param>
    /// <param name="info">Program, argument list, environment and redirections; not changed.</param>
    /// <exception cref="LabException">The process cannot be started.</exception>
    public static Process Start(string ns, ProcessStartInfo info)
    {
        ProcessStartInfo wrapped = new("ip", ["netns", "exec", ns, info.FileName, .. info.ArgumentList])
        {
            UseShellExecute = false,
            RedirectStandardInput = info.RedirectStandardInput,
            RedirectStandardOutput = info.RedirectStandardOutput,
            RedirectStandardError = info.RedirectStandardError,
            WorkingDirectory = info.WorkingDirectory,
        };
        wrapped.Environment.Clear();
        foreach ((string? name, string? value) in info.Environment)
        {
            wrapped.Environment[name] = value;
        }

        try
        {
            Process process = Process.Start(wrapped)!;
            AwaitEntry(process);
            return process;
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new LabException($"{info.FileName} cannot be started in namespace {ns}: {e.Message}.");
        }
    }

    // 'ip' enters the namespace some time after its start: until then, a lab that ends would not find the process.
    private static void AwaitEntry(Process process)
    {
        static string? Network(int pid)
        {
            try
            {
                return new FileInfo($"/proc/{pid}/ns/net").LinkTarget;
            }
            catch (IOException)
            {
                return null;
            }
        }

        string? outside = Network(Environment.ProcessId);
        while (!process.HasExited && Network(process.Id) == outside)
        {
            Thread.Sleep(1);
        }
    }

    private static void Enter(string ns)
    {
        int fd = Libc.Open($"/run/netns/{ns}", Libc.ReadOnly | Libc.CloseOnExec);
        if (fd < 0)
        {
            throw new LabException($"Namespace {ns} cannot be opened: {Libc.LastError()}.");
        }

        int result = Libc.SetNamespace(fd, Libc.CloneNewNet);
        string why = result < 0 ? Libc.LastError() : "";
        _ = Libc.Close(fd);
        if (result < 0)
        {
            throw new LabException($"Namespace {ns} cannot be entered: {why}.");
        }
    }
}
