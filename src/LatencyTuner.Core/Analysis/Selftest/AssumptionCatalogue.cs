namespace LatencyTuner.Core.Analysis.Selftest;

/// <summary>Every assumption about Windows, as the documentation lists them under "Not yet verified on Windows"; a test holds both together.</summary>
internal static class AssumptionCatalogue
{
    private const string Tcp = "TCP";
    private const string Time = "Time and processors";
    private const string Settings = "Settings";
    private const string Cim = "CIM";
    private const string Changes = "Changes";
    private const string Console = "Console";
    private const string Traces = "Event traces";
    private const string System = "System";

    private const string TwoHosts = "latencytuner serve on another host, and here latencytuner diagnose HOST";
    private const string OnATestServer = "On a test server, elevated: ";

    /// <summary>The assumptions, in the order of the documentation.</summary>
    public static IReadOnlyList<Assumption> All { get; } =
    [
        new(
            Tcp, "ack-frequency-ioctl", "the ACK frequency ioctl is accepted unelevated, in 4 bytes, and then every segment is acknowledged at once",
            $"{TwoHosts} --format json, and latencytuner measure HOST --ack immediate; a capture on the other host shows the ACKs"),
        new(Tcp, "tcp-info-v1", "SIO_TCP_INFO version 1 fills the fields as the header says", $"{TwoHosts}; compare its counters with a capture"),
        new(
            Tcp, "tcp-info-v0-fallback", "Windows 10 1703 to 1803 refuse version 1 and answer version 0; Server 2016 has neither",
            "latencytuner selftest on Server 2016"),
        new(
            Tcp, "tcp-info-half-closed", "the counters can be read after the peer has closed its direction",
            "latencytuner measure loopback; the responder's counters are in the report"),
        new(Tcp, "loopback-stalls", "loopback shows Nagle and delayed-ACK stalls", TwoHosts),
        new(Tcp, "delayed-ack-timer", "the waits cluster at the timer of Windows and are recognised", TwoHosts),
        new(
            Tcp, "receive-buffer-before-listen", "a receive buffer set on the listener sets the window scale of accepted connections",
            "latencytuner measure HOST --peer-receive-buffer 1MiB, with a capture of the handshake (pktmon start --capture)"),
        new(
            Tcp, "refused-connect-time", "a refused connection is reported within about two seconds",
            "latencytuner measure HOST:9 (a port nobody listens on)"),
        new(
            Tcp, "interrupt-blocked-receive", "shutdown followed by CancelIoEx ends a receive that another thread waits in",
            "latencytuner measure loopback, ended by Ctrl-C"),
        new(
            Tcp, "receive-timeout-granularity", "SO_RCVTIMEO ends a receive within half a second of the time asked for",
            "latencytuner serve, and a client that connects and sends nothing"),
        new(
            Tcp, "port-taken-text", "a port that another program holds is reported as in use or as access denied",
            "latencytuner serve twice with the same --port"),
        new(
            Tcp, "http-responder-counters", "SIO_TCP_INFO reads the socket of a Kestrel connection during and at the end of a response stream",
            "latencytuner serve --http-port 7118 on the Windows host, and latencytuner sweep window HOST --protocol http2 --format json elsewhere; "
            + "rwndLimitedShare is a number"),
        new(
            Tcp, "http-port-taken",
            "an HTTP port that another program holds, or in an excluded range, ends serve with an error message and leaves nothing listening",
            "latencytuner serve --http-port with a port that IIS holds, and with one of netsh int ipv4 show excludedportrange tcp"),
        new(Tcp, "many-handshakes", "select works over some hundreds of sockets", "latencytuner serve, and hundreds of connections that send nothing"),
        new(
            Tcp, "connect-by-poll", "WSAPoll returns when a connect that is under way ends, and reports a refused one",
            "latencytuner monitor tcp://HOST:PORT, once with a port that is open and once with one that refuses"),
        new(
            Tcp, "poll-one-millisecond", "WSAPoll with 1 ms returns within about 2 ms",
            "latencytuner monitor HOST --rate 100/s --duration 1m; see how late requests left, and Task Manager"),
        new(
            Tcp, "far-end-of-windows", "sshd on Windows runs serve --once with a quoted path, and it outlives the session until its lease ends",
            "latencytuner check HOST --via ssh --via-shell cmd, and powershell; end ssh in the middle, and look for the process after 20 s"),
        new(
            Tcp, "sockets-of-others", "the options of another process's sockets are read through a duplicate of its handle and AFD as their owner set them",
            "elevated: latencytuner sockets --all-users, beside a program that prints its own getsockopt"),

        new(
            Time, "timer-resolution", "the high-resolution timer ends within about half a millisecond",
            "latencytuner measure loopback --rate 1000/s; look at send lateness"),
        new(Time, "timer-fallback", "before Windows 10 1803 waits fall back to a sleep under a 1 ms timer", "latencytuner selftest on Server 2016"),
        new(
            Time, "timer-background", "the timer resolution stays raised for a program without a visible window",
            "latencytuner measure loopback --rate 1000/s from a scheduled task; look at send lateness"),
        new(
            Time, "clock-rate", "the performance counter runs at 1 MHz or faster and does not step back across processors",
            "latencytuner selftest on the machine in question"),
        new(
            Time, "processor-times", "the processor times of machine and process are reported, those of the machine where it has one group of processors",
            "latencytuner measure loopback --under-load both, with Task Manager beside it"),
        new(
            Time, "unsent-backlog", "a connection that makes load holds about as much unsent data as the path does",
            "latencytuner measure HOST --under-load up over a slow link; it should not take seconds longer than its phases"),
        new(
            Time, "processor-groups", "--pin N picks the processor that Windows gives the number N, on machines with more than 64 processors",
            "latencytuner measure loopback --pin N on such a machine, with Task Manager beside it"),

        new(
            Settings, "registry-view", "values read as reg query shows them, and a denied key is denied, not absent",
            @"reg query HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters /s, beside latencytuner settings list"),
        new(
            Settings, "host-inventory", "product, build, edition, server or client, elevation and last start are reported correctly",
            "systeminfo, beside latencytuner snapshot"),
        new(
            Settings, "boot-identity", "Windows counts its starts, and a virtual machine that is saved and resumed keeps the number",
            "latencytuner snapshot --format json: bootId before and after a restart, and after a virtual machine was saved and resumed"),
        new(
            Settings, "interface-changes", "Windows says when an interface last went up or down, and a restarted adapter does",
            $"{OnATestServer}Restart-NetAdapter, and latencytuner snapshot --format json: stateSinceUtc"),
        new(
            Settings, "virtual-machine-hint", "virtual machines are known by the names in their firmware's registry key",
            @"reg query HKLM\HARDWARE\DESCRIPTION\System\BIOS, on a machine whose kind is known"),
        new(
            Settings, "interface-names", "the names are those of Get-NetAdapter, and index and addresses belong to the same GUID",
            "Get-NetAdapter | Format-Table Name, ifIndex, InterfaceGuid"),
        new(
            Settings, "ghost-interfaces",
            "keys of removed adapters are told apart from those of adapters that are switched off, in a team or bound to a virtual switch",
            "Get-NetAdapter -IncludeHidden, beside latencytuner snapshot"),
        new(
            Settings, "settings-audit", "the audit names what an admin set and nothing that Windows or its installers set by default",
            "latencytuner settings list on a freshly installed machine: it should have nothing to review"),
        new(
            Settings, "power-plan-registry", "the registry names the power plan in force, and holds its PCI Express setting or the default of it",
            "powercfg /getactivescheme, powercfg /query SCHEME_CURRENT SUB_PCIEXPRESS ASPM"),
        new(
            Settings, "component-keys", "Winsock providers, NDIS filters and security drivers are found by their registry keys",
            "netsh winsock show catalog; Get-NetAdapterBinding -AllBindings; fltmc, beside latencytuner snapshot"),
        new(
            Settings, "wfp-callouts", "callouts are listed to an elevated process, without those of Windows itself",
            "netsh wfp show state, beside latencytuner snapshot, both elevated"),
        new(
            Settings, "policy-keys", "group policy, Configuration Manager and DSC are noticed where they manage this machine",
            "gpresult /scope computer /r, beside latencytuner snapshot"),
        new(
            Settings, "machine-config", "machine.config of the .NET Framework is where it is looked for",
            @"dir %WINDIR%\Microsoft.NET\Framework64\v4.0.30319\Config\machine.config"),
        new(
            Settings, "ack-frequency-wins", "which of TcpAckFrequency and the template's DelayedAckFrequency wins",
            $"{OnATestServer}set TcpAckFrequency=1, restart, and latencytuner diagnose from another host; then the template's frequency back and forth"),
        new(
            Settings, "ack-frequency-live", "TcpAckFrequency takes effect with a restart of Windows, not before",
            $"{OnATestServer}set it, latencytuner diagnose from another host before and after the restart"),
        new(
            Settings, "ack-frequency-ipv6", "whether TcpAckFrequency reaches IPv6",
            $"{OnATestServer}set it, restart, and latencytuner diagnose -6 from another host"),
        new(
            Settings, "nodelay-registry-unread", "no build reads TCPNoDelay below Tcpip\\Parameters\\Interfaces",
            "Process Monitor, boot logging: filter on the path TCPNoDelay"),
        new(
            Settings, "dynamic-send-buffer-polarity", "which value of DynamicSendBufferDisable turns dynamic send buffering off",
            "netsh winsock show autotuning, beside the value in the registry"),
        new(
            Settings, "unverified-defaults", "the defaults that no dump of this Windows confirms",
            "latencytuner snapshot --format json on a freshly installed machine"),

        new(Cim, "cim-classes", "the classes and properties have the documented names", "Get-CimClass -Namespace root/StandardCimv2 MSFT_Net*"),
        new(Cim, "cim-unelevated", "everything in a snapshot can be read without elevation", "latencytuner selftest in a console that is not elevated"),
        new(
            Cim, "cim-gives-up", "with a WMI that hangs or is missing, a snapshot takes some seconds longer and has a note, but is made",
            "latencytuner snapshot with the service Winmgmt disabled, and in a container"),
        new(
            Cim, "adapter-keys", "the keys of adapters' data begin with the interface's GUID",
            "Get-CimInstance -Namespace root/StandardCimv2 MSFT_NetAdapterAdvancedPropertySettingData | Select-Object InstanceID"),
        new(Cim, "template-defaults", "the templates have the values that dumps of Server 2019 show", "Get-NetTCPSetting on a freshly installed machine"),
        new(
            Cim, "template-writable", "which templates this Windows allows to be changed",
            $"{OnATestServer}Set-NetTCPSetting -SettingName InternetCustom -DelayedAckFrequency 1, the same for Internet, and back"),
        new(
            Cim, "template-put", "writing one property of an instance changes that property and no other",
            $"{OnATestServer}apply a template setting, compare Get-NetTCPSetting before and after, and roll back"),
        new(Cim, "stock-template-persistence", "values of stock templates survive a feature update", "Get-NetTCPSetting before and after a feature update"),
        new(
            Cim, "applied-setting-numbers", "connections report their templates by the documented numbers, the custom pair by 3 and 4",
            $"{OnATestServer}New-NetTransportFilter to InternetCustom, then Get-NetTCPConnection | Group-Object AppliedSetting"),
        new(Cim, "transport-filter-readback", "filters are read back with the prefix and the ports they were made with", "Get-NetTransportFilter"),
        new(
            Cim, "transport-filter-put", "a filter is made and removed as an instance of its class",
            $"{OnATestServer}apply a template setting with --filter, look at Get-NetTransportFilter, and roll back"),

        new(
            Changes, "registry-write", "values of every type are written in the 64-bit view as given, and missing keys are created and reported",
            $"{OnATestServer}latencytuner apply --setting tcp.ackfrequency=1 --interface NAME --yes, reg query of its key, and latencytuner rollback --yes"),
        new(
            Changes, "registry-flush", "RegFlushKey returns when the value is on the disk",
            $"{OnATestServer}apply a setting, switch the power off at once, start, and latencytuner verify"),
        new(
            Changes, "registry-denied", "a key whose access list denies administrators ends the batch, and all of it is put back",
            $"{OnATestServer}deny SYSTEM and Administrators the key of one interface, and apply two settings, the second of which is kept there"),
        new(
            Changes, "journal-folder-acl", "the journal's folder has administrators and SYSTEM in its access list and nobody else",
            "icacls %ProgramData%\\LatencyTuner, after latencytuner setup"),
        new(
            Changes, "journal-folder-owner", "what an elevated administrator makes belongs to the group Administrators",
            "Get-Acl of %ProgramData%\\LatencyTuner and of the files in it, after the first latencytuner apply --yes"),
        new(
            Changes, "journal-service-token", "LOCAL SERVICE can read a token file in the folder, though it may not list the folder",
            "the scheduled task of the manual"),
        new(
            Changes, "elevation", "a process that is not elevated is recognised",
            "latencytuner apply --yes in a console that is not elevated: it must end with exit code 4"),
        new(
            Changes, "machine-guid", "MachineGuid exists and differs between machines",
            @"reg query HKLM\SOFTWARE\Microsoft\Cryptography /v MachineGuid, on two machines made of one image"),
        new(
            Changes, "event-log-source", "the entries of apply and monitor appear in the Application log with their text",
            "Get-WinEvent -ProviderName LatencyTuner, after latencytuner setup and apply --yes, and after latencytuner monitor loopback --max-p99 1us"),

        new(
            Console, "ctrl-break-and-close", "Ctrl-Break and closing the window end a measurement with what it has",
            "latencytuner measure loopback --output r.json, then Ctrl-Break; the same, then close the window"),
        new(Console, "shutdown-event", "a shutdown of Windows ends a responder in time", "latencytuner serve, then shutdown /r"),
        new(
            Console, "console-escapes", "colours appear, and the console's mode is restored at the end",
            "latencytuner check in the classic console and in Windows Terminal"),
        new(
            Console, "console-code-pages", "reports show no question marks under OEM code pages",
            "chcp 437, 850 and 65001, and latencytuner measure loopback under each"),
        new(Console, "server-core-console", "progress, width and colours are right on Server Core, serial and SSH consoles", "latencytuner check there"),
        new(
            Console, "powershell-redirection", "> of Windows PowerShell keeps JSON reports intact",
            "latencytuner measure loopback --format json > r.json; latencytuner compare r.json r.json"),
        new(
            Console, "powershell-module", "a program with a hidden window has a console of its own, also in WinRM sessions and tasks",
            "Measure-TcpLatency -Duration 60, ended by Ctrl-C"),
        new(
            Console, "dsc-resource", "dsc.exe 3.2 finds the manifest beside the program, accepts it, and takes its answers",
            "dsc resource list LatencyTuner/*, and dsc config test, set --what-if and set with the configuration of docs/dsc.md"),
        new(
            Console, "powershell-constrained", "the unsigned module loads into Constrained Language, the signed one into Full Language",
            "Test-TcpLatency, and Set-TcpLatencySetting -WhatIf, under App Control"),
        new(
            Console, "powershell-far-end", "remoting passes on the start line at once, and the far end goes on by its lease",
            "Test-TcpLatency db1, while Restart-Service WinRM runs there"),
        new(
            Console, "powershell-copy", "the folder of a copy has only its three entries before the first byte",
            "Test-TcpLatency db1 -CopyProgram, and icacls there meanwhile"),
        new(
            Console, "powershell-firewall-rule", "the rule lets in one address in one profile, and its task removes it",
            "Test-TcpLatency db1 -OpenFirewall, and Get-NetFirewallRule -Group LatencyTuner there"),

        new(
            Traces, "etw-layouts", "the payloads of TCPIP and Winsock-AFD are as their manifests say",
            "logman query providers Microsoft-Windows-TCPIP, and a trace of the profile Detail, beside tracerpt of it"),
        new(
            Traces, "etw-profiles", "the three profiles and the printed lines are accepted unchanged",
            "the lines that latencytuner profiles Detail prints, one after the other"),
        new(
            Traces, "etw-event-rates", "the estimated events per request are right within a factor of two",
            "a trace of the profile Detail while latencytuner measure runs with --rate 1000/s; count its events"),
        new(
            Traces, "etw-send-order", "a posted send is written before the transmission it causes, and sequence and acknowledged bytes are as read",
            "a trace of the profile Detail while latencytuner measure HOST --pattern split runs, sent back with its report"),
        new(
            Traces, "etw-units", "the limited times of the summaries are milliseconds; the unit of DelayedAckTicks is unknown",
            "a trace of the profile Detail while latencytuner measure HOST --pattern split runs, sent back with its report"),
        new(Traces, "etw-nodelay-option", "option 1 of [TCPIP event 1104] is TCP_NODELAY", "the same trace, once with --no-delay and once without"),
        new(
            Traces, "etw-late-reads", "[TCPIP events 1156 to 1158] and the calls of Winsock-AFD show when the application took the data",
            "a trace of the profile Detail while a server is busy between its reads"),
        new(
            Traces, "etw-tail-loss-probe", "TlpEvent 2 means that the probe was sent",
            "a trace of the profile Latency on a path that drops the last segment of a reply"),
        new(
            Traces, "process-name-layouts", "process events have the layout with which they are read",
            "latencytuner analyze trace.etl of any trace with processes: the names in it are right"),
        new(
            Traces, "etl-forms", "traces with other clocks, wrapped files and rare headers read as described",
            "logman create trace with -ct system, -ct cycle and -mode circular"),
        new(
            Traces, "etw-live-session", "a live session accepts provider, keywords, level and event ids as given, and delivers events within about two seconds",
            "latencytuner trace, elevated, while latencytuner measure loopback runs; 'logman query LatencyTuner-PID-TIME -ets' shows the session"),
        new(
            Traces, "etw-live-rundown", "asked for their state, TCPIP and Kernel-Process name the connections and processes from before the session",
            "latencytuner trace, elevated, beside connections that were open before it; they have their process"),
        new(
            Traces, "etw-live-losses", "the counters of a session show what a slow reader lost",
            "latencytuner trace --max-lost-share 100% on a machine with more events than its processors can analyse"),
        new(
            Traces, "etw-live-refusals", "a full machine, a provider with eight sessions, and security software answer with the documented error codes",
            "latencytuner trace with 64 sessions there (logman create trace N -ets), with eight that enable Microsoft-Windows-TCPIP, and beside your security "
            + "software"),
        new(
            Traces, "etw-live-file", "the file of a live trace wraps around at its cap and holds the state at its end",
            "latencytuner trace --output t.etl --max-file-size 16MiB for minutes on a busy server, then latencytuner analyze t.etl"),
        new(
            Traces, "etw-live-ends", "Ctrl-C, a closed window, logman stop and a killed process end a trace as described",
            "each of them, and 'logman query -ets' after it; after the kill, the next latencytuner trace"),

        new(
            System, "firewall-rule", "the printed New-NetFirewallRule line lets exactly one client in",
            "latencytuner serve --bind 0.0.0.0 --token-file token.txt, and the line it prints"),
        new(System, "scheduled-task", "the scheduled task of the manual starts, outlives its session and ends by --for", "that scheduled task"),
        new(
            System, "monitor-adapter", "a monitor goes on while an adapter is switched off and on, and tells it at the targets behind that adapter",
            "latencytuner monitor loopback tcp://HOST:443, and the adapter towards HOST off and on for a minute each"),
        new(System, "task-without-console", "the responder runs in session 0 without a console", "the scheduled task of the manual"),
        new(
            System, "output-replaces-open-file", "--output over an open file leaves it as it is, writes the report beside it and names it",
            "latencytuner measure loopback --output r.json while r.json is open in Excel"),
        new(System, "long-paths", "paths beyond 260 characters and UNC paths work", @"latencytuner measure loopback --output \\HOST\share\r.json"),
        new(
            System, "antivirus-delay", "a virus scanner that holds a new file does not make the last rename fail",
            "latencytuner measure loopback --output r.json, several hundred times with the scanner on"),
        new(System, "net8-on-windows", "the net8.0 build runs on the .NET 8, 9 and 10 runtimes", "latencytuner check on each"),
        new(
            System, "release-loads", "the program of a release loads code from its folder, System32 and the .NET Framework only, and extracts nothing",
            "latencytuner snapshot of a release, under Process Monitor"),
        new(System, "release-installs", "the command lines for installers, the manifests and the script that signs work", "the recipes of docs/deployment.md"),
    ];
}
