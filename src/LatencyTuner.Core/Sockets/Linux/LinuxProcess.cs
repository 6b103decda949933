using System.Globalization;
using System.Runtime.Versioning;
using System.Text;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>A process with the sockets that it holds, as <c>/proc/PID</c> shows it (proc(5)).</summary>
[SupportedOSPlatform("linux")]
internal sealed record LinuxProcess
{
    private const string SocketLink = "socket:[";

    internal required int Pid { get; init; }

    /// <summary>Its name, at most 15 characters; null when it ended.</summary>
    internal required string? Name { get; init; }

    /// <summary>The name of its program file; null when it may not be looked at.</summary>
    internal string? FileName { get; init; }

    /// <summary>Its network namespace by number; null when it may not be looked at.</summary>
    internal string? Namespace { get; init; }

    /// <summary>The user whose rights it has; null when unknown.</summary>
    internal uint? User { get; init; }

    /// <summary>Its sockets of any kind: inode, then descriptor.</summary>
    internal IReadOnlyList<(uint Inode, int Descriptor)> Sockets { get; init; } = [];

    /// <summary>Why its descriptors cannot be listed, a clause; null when they can.</summary>
    internal string? Why { get; init; }

    /// <summary>All processes that this one can see, by id.</summary>
    internal static List<LinuxProcess> All()
    {
        List<int> ids = [];
        foreach (string path in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(path.AsSpan()), NumberStyles.None, CultureInfo.InvariantCulture, out int pid))
            {
                ids.Add(pid);
            }
        }

        ids.Sort();
        return [.. ids.Select(Read).OfType<LinuxProcess>()];
    }

    /// <summary>The network namespace of this process by number; null when unknown.</summary>
    internal static string? OwnNamespace => NamespaceOf("self");

    /// <summary>The systemd unit of the process; empty when it has none.</summary>
    internal IReadOnlyList<string> Units()
    {
        const string Ending = ".service";
        string[] lines = (Text("cgroup") ?? "").Split('\n');
        return [.. lines.SelectMany(l => l.Split('/')).Where(p => p.EndsWith(Ending, StringComparison.Ordinal)).TakeLast(1)];
    }

    private static LinuxProcess? Read(int pid)
    {
        LinuxProcess process = new() { Pid = pid, Name = null };
        process = process with { Name = process.Text("comm")?.TrimEnd('\n') };
        if (process.Name is null)
        {
            return null;
        }

        try
        {
            List<(uint, int)> sockets = [];
            foreach (string path in Directory.EnumerateFileSystemEntries($"/proc/{pid}/fd"))
            {
                if (LinkOf(path) is { } link && link.StartsWith(SocketLink, StringComparison.Ordinal)
                    && uint.TryParse(link.AsSpan(SocketLink.Length, link.Length - SocketLink.Length - 1), out uint inode)
                    && int.TryParse(Path.GetFileName(path.AsSpan()), out int descriptor))
                {
                    sockets.Add((inode, descriptor));
                }
            }

            return process with
            {
                FileName = LinkOf($"/proc/{pid}/exe") is { } file ? Path.GetFileName(file.Replace(" (deleted)", "", StringComparison.Ordinal)) : null,
                Namespace = NamespaceOf(pid.ToString(CultureInfo.InvariantCulture)),
                Sockets = sockets,
            };
        }
        catch (UnauthorizedAccessException)
        {
            uint? user = process.UserOf();
            return process with { User = user, Why = process.WhyNot(user) };
        }
        catch (IOException)
        {
            // It ended.
            return null;
        }
    }

    private static string? NamespaceOf(string pid) => LinkOf($"/proc/{pid}/ns/net") is ['n', 'e', 't', ':', '[', .. var number, ']'] ? number : null;

    private static unsafe string? LinkOf(string path)
    {
        const int Room = 512;
        byte* link = stackalloc byte[Room];
        nint length = LinuxProcessNative.ReadLink(path, link, Room);
        return length > 0 ? Encoding.UTF8.GetString(link, (int)length) : null;
    }

    private string? Text(string file)
    {
        try
        {
            return File.ReadAllText($"/proc/{Pid}/{file}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private uint? UserOf() => uint.TryParse(Field(Text("status"), "Uid:")?.Split('\t').ElementAtOrDefault(1), out uint user) ? user : null;

    /// <summary>The rule of ptrace(2), "Ptrace access mode checking", that forbids to list the descriptors.</summary>
    private string WhyNot(uint? user)
    {
        if (user is { } other && other != LinuxProcessNative.EffectiveUser())
        {
            return $"it runs as another user (uid {other}), which needs root or CAP_SYS_PTRACE";
        }

        return Capabilities(Text("status")) is { } theirs && Capabilities(OwnStatus()) is { } ours && (theirs & ~ours) != 0
            ? "it has capabilities that this program does not have, which needs root or CAP_SYS_PTRACE"
            : "it does not let itself be looked into (not dumpable, prctl PR_SET_DUMPABLE), which needs root or CAP_SYS_PTRACE";
    }

    /// <summary>The rule that forbids to duplicate a descriptor of a process whose descriptors may be listed.</summary>
    internal static string WhyNoDuplicate() => Setting("/proc/sys/kernel/yama/ptrace_scope") switch
    {
        1 => "Yama (kernel.yama.ptrace_scope = 1) allows it only to the parent of the process, root or CAP_SYS_PTRACE",
        2 => "Yama (kernel.yama.ptrace_scope = 2) allows it only with CAP_SYS_PTRACE",
        3 => "Yama (kernel.yama.ptrace_scope = 3) allows it to nobody until the next start of this machine",
        _ => "the system refuses pidfd_getfd: a seccomp filter, a container or a security module forbids it",
    };

    private static string? OwnStatus() => File.ReadAllText("/proc/self/status");

    private static ulong? Capabilities(string? status) =>
        ulong.TryParse(Field(status, "CapPrm:")?.Trim(), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong bits) ? bits : null;

    private static string? Field(string? status, string name) =>
        status?.Split('\n').FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal))?[(name.Length - 1)..].TrimStart(':');

    private static int? Setting(string path)
    {
        try
        {
            return int.TryParse(File.ReadAllText(path), out int value) ? value : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
