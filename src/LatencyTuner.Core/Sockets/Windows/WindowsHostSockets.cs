using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>
/// Reads the TCP sockets of this host: owners by GetExtendedTcpTable, options and counters by a duplicate of the owner's handle that is asked through AFD.
/// It sets nothing. Only processes that own a matching socket are opened, each once.
/// </summary>
[SupportedOSPlatform("windows")]
public static unsafe class WindowsHostSockets
{
    /// <summary>Longest time for the handle of one socket; a call in it has half of that.</summary>
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(1);

    private static readonly Lazy<string?> Disagreement = new(SelfCheck);

    /// <summary>Reads the sockets.</summary>
    /// <param name="selection">Which sockets.</param>
    /// <param name="services">The services of each process, by its id.</param>
    public static SocketSnapshot Read(SocketSelection selection, IReadOnlyDictionary<int, IReadOnlyList<string>> services)
    {
        ArgumentNullException.ThrowIfNull(selection);
        ArgumentNullException.ThrowIfNull(services);
        List<string> notes = [];
        List<OwnedRow> rows = [.. Table(AfdNative.FamilyIPv4), .. Table(AfdNative.FamilyIPv6)];
        Dictionary<int, string?> names = rows.Select(r => r.Pid).Distinct().ToDictionary(p => p, NameOf);
        OwnedRow[] taken =
        [
            .. rows.Where(r => selection.Takes(r.Local, r.Remote) && (!selection.NamesProcesses || selection.Takes(r.Pid, [names[r.Pid], .. Of(r.Pid)]))),
        ];
        OwnedRow[] listed = [.. taken.Where(r => r.Pid != 0 || selection.WithoutProcess)];
        Dictionary<(int, IPEndPoint, IPEndPoint), AfdReading> readings = [];
        List<UnreadableProcess> unreadable = [];
        if (Disagreement.Value is { } why)
        {
            notes.Add(why);
        }
        else
        {
            IEnumerable<OwnedRow> asked = listed.Where(r => r.Pid != 0 && (r.State != SocketState.Listen || selection.DuplicatesListeners));
            foreach (int pid in asked.Select(r => r.Pid).Distinct())
            {
                if (ReadProcess(pid, readings, notes) is { } refused)
                {
                    unreadable.Add(new UnreadableProcess(pid, names[pid], refused));
                }
            }
        }

        return new SocketSnapshot
        {
            Sockets =
            [
                .. listed.Select(r => InDocument(r, names[r.Pid], Of(r.Pid), readings.GetValueOrDefault((r.Pid, r.Local, r.Remote))))
                    .OrderBy(s => s.Process is null).ThenBy(s => s.Process, StringComparer.OrdinalIgnoreCase).ThenBy(s => s.Pid)
                    .ThenBy(s => s.State != SocketState.Listen).ThenBy(s => s.Local.Port).ThenBy(s => s.Remote.Address, StringComparer.Ordinal)
                    .ThenBy(s => s.Remote.Port),
            ],
            Unreadable = unreadable,
            WithoutProcess = taken.Length - listed.Length,
            Notes = notes,
        };

        IReadOnlyList<string> Of(int pid) => services.GetValueOrDefault(pid, []);
    }

    /// <summary>
    /// Reads two connections of this program through the way that reads those of others, with options set and not, and compares.
    /// </summary>
    /// <returns>Null when all agree; otherwise why no option of any process is shown, a sentence.</returns>
    public static string? SelfCheck()
    {
        const int Size = 32_768;
        try
        {
            using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            listener.Listen(2);
            using Socket set = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
            {
                NoDelay = true,
                SendBufferSize = Size,
                ReceiveBufferSize = Size,
            };
            using Socket plain = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            set.Connect(listener.LocalEndPoint!);
            using Socket first = listener.Accept();
            plain.Connect(listener.LocalEndPoint!);
            using Socket second = listener.Accept();
            Dictionary<(int, IPEndPoint, IPEndPoint), AfdReading> readings = [];
            string? refused = ReadProcess(Environment.ProcessId, readings, []);
            AfdReading? Seen(Socket socket) => readings.GetValueOrDefault(
                (Environment.ProcessId, (IPEndPoint)socket.LocalEndPoint!, (IPEndPoint)socket.RemoteEndPoint!));
            bool agree = Seen(set) is { NoDelay: true, Shared: { SendBufferFixed: true, ReceiveBufferFixed: true, SendBufferBytes: Size } }
                && Seen(plain) is { NoDelay: false, Shared: { SendBufferFixed: false, ReceiveBufferFixed: false } };
            return agree ? null
                : "This Windows does not show the options of two sockets of this program as they were set"
                    + $"{(refused is null ? "" : $" ({refused})")}: socket options of all processes are unknown.";
        }
        catch (Exception e) when (e is SocketException or ExpectedFailureException or EntryPointNotFoundException)
        {
            return $"The way to read socket options could not be tried on this program's own sockets ({e.Message.TrimEnd('.')}): all of them are unknown.";
        }
    }

    /// <summary>Reads the sockets of one process, one handle at a time.</summary>
    /// <returns>Why it could not be read, a clause; null when it could.</returns>
    private static string? ReadProcess(int pid, Dictionary<(int, IPEndPoint, IPEndPoint), AfdReading> readings, List<string> notes)
    {
        nint process = AfdNative.OpenProcess(AfdNative.ProcessQueryInformation | AfdNative.ProcessDuplicateHandle, 0, (uint)pid);
        if (process == 0)
        {
            return WhyNotOpened(pid, Marshal.GetLastPInvokeError());
        }

        try
        {
            if (HandlesOf(process) is not { } handles)
            {
                return "Windows does not list its handles (NtQueryInformationProcess, Windows 8 and later)";
            }

            AfdReader reader = new(process, handles, Limit);
            if (!reader.Run())
            {
                // The thread that waits may still use the handle of the process.
                process = 0;
                notes.Add($"A query of a handle of process {pid} did not end within {Limit.TotalSeconds:0} s; its other sockets were not read.");
                return "a query of one of its handles did not end";
            }

            foreach (AfdReading reading in reader.Readings)
            {
                readings[(pid, reading.Local, reading.Remote ?? Nowhere(reading.Local))] = reading;
            }

            return null;
        }
        finally
        {
            if (process != 0)
            {
                _ = AfdNative.CloseHandle(process);
            }
        }
    }

    /// <summary>The handles of a process that are files, as sockets are; null when Windows does not list them.</summary>
    private static List<nint>? HandlesOf(nint process)
    {
        using Socket own = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        uint? file = Snapshot(-1)?.Find(h => h.Handle == own.Handle).Type;
        return file is null or 0 || Snapshot(process) is not { } all ? null : [.. all.Where(h => h.Type == file).Select(h => h.Handle)];
    }

    private static List<(nint Handle, uint Type)>? Snapshot(nint process)
    {
        const int Most = 256 << 20;
        for (uint size = 64 * 1024; size <= Most; size *= 2)
        {
            byte[] buffer = new byte[size];
            fixed (byte* room = buffer)
            {
                uint needed = 0;
                uint status = AfdNative.QueryProcess(process, AfdNative.ProcessHandleInformation, room, size, &needed);
                if (status == 0)
                {
                    return AfdLayouts.ReadHandles(buffer);
                }

                if (status != AfdNative.StatusInfoLengthMismatch)
                {
                    return null;
                }
            }
        }

        return null;
    }

    private static string WhyNotOpened(int pid, int error)
    {
        if (pid == 4)
        {
            return "it is the kernel itself (System), which has no handles to look at";
        }

        if (error != AfdNative.ErrorAccessDenied)
        {
            return $"Windows error {error} (OpenProcess)";
        }

        nint limited = AfdNative.OpenProcess(AfdNative.ProcessQueryLimitedInformation, 0, (uint)pid);
        byte protection = 0;
        bool isProtected = limited != 0 && AfdNative.QueryProcess(limited, AfdNative.ProcessProtectionInformation, &protection, 1, null) == 0
            && protection != 0;
        if (limited != 0)
        {
            _ = AfdNative.CloseHandle(limited);
        }

        return isProtected ? "it is a protected process (PPL), which nobody may open"
            : "access is denied: it runs as another user, which needs an elevated console and --all-users";
    }

    private static List<OwnedRow> Table(uint family)
    {
        const int Tries = 8;
        uint size = 64 * 1024;
        for (int i = 0; i < Tries; i++)
        {
            byte[] table = new byte[size];
            fixed (byte* room = table)
            {
                uint result = AfdNative.GetTcpTable(room, &size, 0, family, AfdNative.OwnerModuleAll, 0);
                if (result == 0)
                {
                    return AfdLayouts.ReadRows(table, family == AfdNative.FamilyIPv6);
                }

                if (result != AfdNative.ErrorInsufficientBuffer)
                {
                    // A host without IPv6 has no such table.
                    return family == AfdNative.FamilyIPv6 ? [] : throw new ExpectedFailureException(
                        ExitCode.Platform, $"Windows does not list its connections (GetExtendedTcpTable, error {result}).");
                }
            }

            // The table grew meanwhile: some more room.
            size += size / 4;
        }

        throw new ExpectedFailureException(ExitCode.Platform, "The table of connections grew faster than it could be read.");
    }

    private static string? NameOf(int pid)
    {
        const int Room = 1024;
        if (pid is 0 or 4)
        {
            return pid == 4 ? "System" : null;
        }

        nint process = AfdNative.OpenProcess(AfdNative.ProcessQueryLimitedInformation, 0, (uint)pid);
        if (process == 0)
        {
            return null;
        }

        char* name = stackalloc char[Room];
        uint length = Room;
        bool known = AfdNative.QueryImageName(process, 0, name, &length) != 0;
        _ = AfdNative.CloseHandle(process);
        return known ? new string(name, 0, (int)length).Split('\\')[^1] : null;
    }

    private static IPEndPoint Nowhere(IPEndPoint local) =>
        new(local.AddressFamily == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Any : IPAddress.Any, 0);

    private static HostSocket InDocument(OwnedRow row, string? name, IReadOnlyList<string> services, AfdReading? reading) => new()
    {
        Pid = row.Pid == 0 ? null : row.Pid,
        Process = name,
        Services = services,
        State = row.State,
        Local = SocketSelection.InDocument(row.Local),
        Remote = row.State == SocketState.Listen ? SocketSelection.InDocument(Nowhere(row.Local)) : SocketSelection.InDocument(row.Remote),
        NoDelay = reading?.NoDelay,
        SendBufferBytes = reading?.Shared.SendBufferBytes,
        SendBufferFixed = reading?.Shared.SendBufferFixed,
        ReceiveBufferBytes = reading?.Shared.ReceiveBufferBytes,
        ReceiveBufferFixed = reading?.Shared.ReceiveBufferFixed,
        CongestionControl = reading?.CongestionControl,
        RttUs = reading?.Counters.RttUs,
        MinRttUs = reading?.Counters.MinRttUs,
        RetransmittedBytes = reading?.Counters.RetransmittedBytes,
        BytesSent = reading?.BytesSent,
        BytesReceived = reading?.BytesReceived,
        MssBytes = reading?.Counters.MssBytes,
        RwndLimitedMs = reading?.Counters.RwndLimitedUs / 1e3,
        CwndLimitedMs = reading?.Counters.CwndLimitedUs / 1e3,
        OptionsFrom = reading is null ? null : "afd",
        CountersFrom = reading is null || reading.Counters == KernelCounters.Unsupported ? null : $"afd {reading.Counters.Source}",
    };
}
