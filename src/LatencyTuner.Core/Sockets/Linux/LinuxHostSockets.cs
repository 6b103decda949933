using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Sockets.Linux;

/// <summary>
/// Reads the TCP sockets of this host: counters by sock_diag, owners by /proc, options by a duplicate of the owner's descriptor. It sets nothing.
/// </summary>
[SupportedOSPlatform("linux")]
public static unsafe class LinuxHostSockets
{
    /// <summary>Reads the sockets.</summary>
    /// <param name="selection">Which sockets.</param>
    public static SocketSnapshot Read(SocketSelection selection) => Read(selection, SocketDiagnostics.TryDump);

    /// <summary>Reads the sockets.</summary>
    /// <param name="selection">Which sockets.</param>
    /// <param name="dump">Asks for the sockets of the calling thread's namespace; false where the kernel refuses, and /proc must do.</param>
    internal static SocketSnapshot Read(SocketSelection selection, Func<List<DiagnosedSocket>, bool> dump)
    {
        ArgumentNullException.ThrowIfNull(selection);
        string? own = LinuxProcess.OwnNamespace;
        List<DiagnosedSocket> here = [];
        bool diagnosed = dump(here);
        List<LinuxProcess> processes = LinuxProcess.All();
        List<FoundSocket> found =
            [.. (diagnosed ? here : ListedSockets.Of(Environment.ProcessId)).Select(s => new FoundSocket(s, null, diagnosed))];
        List<string> notes = [];
        foreach (IGrouping<string, LinuxProcess> other in
            processes.Where(p => p.Namespace is { } number && number != own && p.Sockets.Count > 0).GroupBy(p => p.Namespace!))
        {
            found.AddRange(Of(other.First().Pid, dump) is { } sockets ? sockets.Select(s => new FoundSocket(s, other.Key, true))
                : ListedSockets.Of(other.First().Pid).Select(s => new FoundSocket(s, other.Key, false)));
        }

        AddOwners(found, processes, selection);
        List<FoundSocket> taken = [.. found.Where(s => selection.Takes(s.Socket.Local, s.Socket.Remote) && (s.Owners.Count > 0 || !selection.NamesProcesses))];
        // A socket with an inode has a descriptor somewhere: of a process that may not be looked at, or of the kernel.
        List<FoundSocket> listed = [.. taken.Where(s => s.Owners.Count > 0 || s.Socket.Inode != 0 || selection.WithoutProcess)];
        Dictionary<int, string> refused = ReadOptions(listed, selection, notes);
        return new SocketSnapshot
        {
            Sockets = Ordered(listed),
            Unreadable = UnreadableOf(processes, refused, listed, selection),
            WithoutProcess = taken.Count - listed.Count,
            Notes = notes,
        };
    }

    private static IReadOnlyList<HostSocket> Ordered(List<FoundSocket> found)
    {
        Dictionary<int, IReadOnlyList<string>> units = [];
        return
        [
            .. found.Select(s => s.InDocument(units)).OrderBy(s => s.Process is null).ThenBy(s => s.Process, StringComparer.Ordinal).ThenBy(s => s.Pid)
                .ThenBy(s => s.State != SocketState.Listen).ThenBy(s => s.Local.Port).ThenBy(s => s.Remote.Address, StringComparer.Ordinal)
                .ThenBy(s => s.Remote.Port),
        ];
    }

    /// <summary>The sockets of the network namespace of a process; null when this program may not enter it.</summary>
    private static List<DiagnosedSocket>? Of(int pid, Func<List<DiagnosedSocket>, bool> dump)
    {
        List<DiagnosedSocket>? sockets = null;
        // The namespace is one of the thread, which ends with it: a thread of the pool would carry it on.
        Thread thread = new(() =>
        {
            int descriptor = LinuxProcessNative.Open($"/proc/{pid}/ns/net", LinuxProcessNative.CloseOnExec);
            bool entered = descriptor >= 0 && LinuxProcessNative.SetNamespace(descriptor, LinuxProcessNative.NewNetworkNamespace) == 0;
            if (descriptor >= 0)
            {
                _ = LinuxProcessNative.Close(descriptor);
            }

            List<DiagnosedSocket> dumped = [];
            sockets = entered && dump(dumped) ? dumped : null;
        });
        thread.Start();
        thread.Join();
        return sockets;
    }

    private static void AddOwners(List<FoundSocket> found, List<LinuxProcess> processes, SocketSelection selection)
    {
        Dictionary<uint, FoundSocket> byInode = [];
        foreach (FoundSocket socket in found.Where(s => s.Socket.Inode != 0))
        {
            byInode[socket.Socket.Inode] = socket;
        }

        foreach (LinuxProcess process in processes)
        {
            foreach ((uint inode, int descriptor) in process.Sockets)
            {
                if (byInode.TryGetValue(inode, out FoundSocket? socket))
                {
                    socket.Owners.Add((process, descriptor));
                }
            }
        }

        if (!selection.NamesProcesses)
        {
            return;
        }

        foreach (FoundSocket socket in byInode.Values)
        {
            // Who was asked for stands first; a socket of nobody asked for has no owner here.
            int[] order = [.. Enumerable.Range(0, socket.Owners.Count).OrderBy(i => !IsAskedFor(socket.Owners[i].Process, selection))];
            socket.Owners = order.Length > 0 && IsAskedFor(socket.Owners[order[0]].Process, selection) ? [.. order.Select(i => socket.Owners[i])] : [];
        }
    }

    private static bool IsAskedFor(LinuxProcess process, SocketSelection selection) =>
        selection.Takes(process.Pid, [process.Name, process.FileName, .. process.Units()]);

    /// <summary>Reads what only the descriptor tells, process by process, one duplicate at a time.</summary>
    /// <returns>The processes that refuse, and why.</returns>
    private static Dictionary<int, string> ReadOptions(List<FoundSocket> found, SocketSelection selection, List<string> notes)
    {
        Dictionary<int, string> refused = [];
        int closed = 0;
        foreach (IGrouping<int, FoundSocket> owned in found.Where(s => s.Owners.Count > 0).GroupBy(s => s.Owners[0].Process.Pid))
        {
            FoundSocket[] sockets =
                [.. owned.Where(s => s.Socket.State != SocketState.Listen || selection.DuplicatesListeners)];
            int process = LinuxProcessNative.OpenProcess(owned.Key);
            if (process < 0)
            {
                if (Marshal.GetLastPInvokeError() == LinuxProcessNative.ErrnoNotSupported)
                {
                    notes.Add("This kernel has no pidfd_open (Linux 5.3): socket options of other processes cannot be read.");
                    break;
                }

                closed += sockets.Length;
                continue;
            }

            try
            {
                closed += Duplicate(process, sockets, out int failure);
                if (failure == LinuxProcessNative.ErrnoNotSupported)
                {
                    notes.Add("This kernel has no pidfd_getfd (Linux 5.6): socket options of other processes cannot be read.");
                    break;
                }

                if (failure is LinuxProcessNative.ErrnoNotPermitted or LinuxProcessNative.ErrnoAccess)
                {
                    refused[owned.Key] = LinuxProcess.WhyNoDuplicate();
                }
            }
            finally
            {
                _ = LinuxProcessNative.Close(process);
            }
        }

        if (closed > 0)
        {
            notes.Add($"{Counted.Of(closed, "socket")} closed while {(closed == 1 ? "it was" : "they were")} being read; the options are unknown.");
        }

        return refused;
    }

    /// <summary>Reads the sockets of one process into room that was made before, so that nothing is allocated while a duplicate exists.</summary>
    /// <param name="process">A descriptor of the process.</param>
    /// <param name="sockets">Its sockets.</param>
    /// <param name="failure">The errno for which the process was left; 0 for none.</param>
    /// <returns>Sockets that were closed meanwhile.</returns>
    private static int Duplicate(int process, FoundSocket[] sockets, out int failure)
    {
        failure = 0;
        int closed = 0;
        foreach (FoundSocket socket in sockets)
        {
            SocketDuplicate read = SocketDuplicate.Read(process, socket.Owners[0].Descriptor, socket.Socket.Cookie, whole: !socket.HasCounters);
            if (read.Failure is LinuxProcessNative.ErrnoNotPermitted or LinuxProcessNative.ErrnoAccess or LinuxProcessNative.ErrnoNotSupported)
            {
                failure = read.Failure;
                return closed;
            }

            closed += read.Failure == 0 ? 0 : 1;
            if (read.Failure == 0)
            {
                socket.Take(read);
            }
        }

        return closed;
    }

    private static IReadOnlyList<UnreadableProcess> UnreadableOf(
        List<LinuxProcess> processes, Dictionary<int, string> refused, List<FoundSocket> listed, SocketSelection selection)
    {
        HashSet<uint> users = [.. listed.Where(s => s.Owners.Count == 0 && s.Socket.Inode != 0).Select(s => s.Socket.User)];
        return
        [
            .. processes.Where(p => refused.ContainsKey(p.Pid)
                || (p.Why is not null && (selection.NamesProcesses ? IsAskedFor(p, selection) : p.User is { } user && users.Contains(user))))
                .Select(p => new UnreadableProcess(p.Pid, p.Name, refused.GetValueOrDefault(p.Pid) ?? p.Why!)),
        ];
    }

    /// <summary>A socket on its way into the document.</summary>
    private sealed class FoundSocket(DiagnosedSocket socket, string? networkNamespace, bool hasCounters)
    {
        private SocketDuplicate _options;
        private bool _read;

        internal DiagnosedSocket Socket { get; } = socket;

        /// <summary>True when sock_diag gave the counters; false when the duplicate must.</summary>
        internal bool HasCounters { get; } = hasCounters;

        /// <summary>The processes that hold it, by id.</summary>
        internal List<(LinuxProcess Process, int Descriptor)> Owners { get; set; } = [];

        internal void Take(in SocketDuplicate options) => (_options, _read) = (options, true);

        internal HostSocket InDocument(Dictionary<int, IReadOnlyList<string>> units)
        {
            LinuxProcess? owner = Owners.Count > 0 ? Owners[0].Process : null;
            ReadOnlySpan<byte> info = Socket.Info;
            string? congestion = Socket.CongestionControl;
            fixed (byte* raw = _options.Info)
            fixed (byte* name = _options.Name)
            {
                if (_read && !HasCounters)
                {
                    info = new ReadOnlySpan<byte>(raw, _options.InfoLength).ToArray();
                    congestion = _options.NameLength > 0
                        ? Encoding.ASCII.GetString(new ReadOnlySpan<byte>(name, _options.NameLength)).Split('\0')[0] : null;
                }
            }

            // The counters of a listener are those of its queue.
            KernelCounters counters = Socket.State == SocketState.Listen ? KernelCounters.Unsupported : LinuxTcpInfo.Decode(info);
            info = counters == KernelCounters.Unsupported ? [] : info;
            return new HostSocket
            {
                Pid = owner?.Pid,
                Process = owner?.Name,
                Services = owner is null ? [] : units.TryGetValue(owner.Pid, out IReadOnlyList<string>? known) ? known : units[owner.Pid] = owner.Units(),
                OtherPids = Owners.Count < 2 ? null : [.. Owners.Skip(1).Select(o => o.Process.Pid).Distinct().Where(p => p != owner?.Pid).Order()],
                State = Socket.State,
                Local = SocketSelection.InDocument(Socket.Local),
                Remote = SocketSelection.InDocument(Socket.Remote),
                NetworkNamespace = networkNamespace,
                NoDelay = _read ? _options.NoDelay : null,
                KeepAlive = _read ? _options.KeepAlive : null,
                SendBufferBytes = Socket.SendBufferBytes ?? _options.SendBufferBytes,
                SendBufferFixed = Locked(LinuxProcessNative.SendBufferLock),
                ReceiveBufferBytes = Socket.ReceiveBufferBytes ?? _options.ReceiveBufferBytes,
                ReceiveBufferFixed = Locked(LinuxProcessNative.ReceiveBufferLock),
                CongestionControl = congestion,
                RttUs = counters.RttUs is > 0 and var rtt ? rtt : null,
                MinRttUs = counters.MinRttUs,
                Retransmitted = counters.RetransmittedSegments,
                RetransmittedBytes = counters.RetransmittedBytes,
                BytesSent = LinuxTcpInfo.BytesSent(info),
                BytesReceived = LinuxTcpInfo.BytesReceived(info),
                DataSegmentsOut = counters.DataSegmentsOut,
                DataSegmentsIn = counters.DataSegmentsIn,
                MssBytes = counters.MssBytes,
                UnsentBytes = LinuxTcpInfo.UnsentBytes(info),
                DeliveryBytesPerSecond = LinuxTcpInfo.DeliveryRate(info),
                ReceivedPerRttBytes = LinuxTcpInfo.ReadPerRtt(info),
                RwndLimitedMs = counters.RwndLimitedUs / 1e3,
                SndbufLimitedMs = counters.SndbufLimitedUs / 1e3,
                BusyMs = counters.BusyUs / 1e3,
                AckTimeoutMs = LinuxTcpInfo.AckTimeoutUs(info) / 1e3,
                OptionsFrom = _read ? "getsockopt" : null,
                CountersFrom = info.IsEmpty ? null : HasCounters ? "sock_diag" : "getsockopt",
            };
        }

        private bool? Locked(int bit) => _read && _options.BufferLock is { } bits ? (bits & bit) != 0 : null;
    }
}
