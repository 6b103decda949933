using System.Text;
using LatencyTuner.Core.Sockets.Linux;
using LatencyTuner.Hosting;
using LatencyTuner.Windows;

namespace LatencyTuner;

/// <summary>What the commands take from the real process; the one place where the parts of the program are put together.</summary>
internal static class ProcessHost
{
    /// <summary>The streams, console and machine of this process.</summary>
    public static CliHost Create()
    {
        bool terminal = !Console.IsOutputRedirected;
        bool unicode = Console.OutputEncoding.CodePage == 65001;
        return new CliHost
        {
            Out = terminal ? Console.Out : PlainOutput(),
            Error = Console.Error,
            OutIsTerminal = terminal,
            InputIsTerminal = !Console.IsInputRedirected,
            ErrorIsTerminal = !Console.IsErrorRedirected && TakesEscapes(EscapeSequences.StandardError),
            Unicode = unicode,
            Width = Math.Clamp((terminal ? WindowWidth() : null) ?? Columns() ?? 80, 40, 500),
            Program = ProgramPath.AsTyped(),
            SshConnection = Environment.GetEnvironmentVariable("SSH_CONNECTION"),
            DscTraceLevel = Variable("DSC_TRACE_LEVEL"),
            StepSummary = Variable("GITHUB_STEP_SUMMARY"),
            AgentTempDirectory = Variable("AGENT_TEMPDIRECTORY"),
            Machine = Environment.MachineName,
            IsWindows = OperatingSystem.IsWindows(),
            WindowsBuild = OperatingSystem.IsWindows() ? Environment.OSVersion.Version.Build : null,
            LiveSnapshot = OperatingSystem.IsWindows() ? HostInventory.TakeOfThisMachine : null,
            LiveTuning = OperatingSystem.IsWindows() ? LiveMachine.Open : null,
            EventLog = OperatingSystem.IsWindows() ? EventLogSource.Write : null,
            Setup = OperatingSystem.IsWindows() ? MachineSetup.Run : null,
            LiveTrace = OperatingSystem.IsWindows() ? LiveTraceRun.Run : null,
            LiveSockets = OperatingSystem.IsWindows() ? LiveSockets.Read : OperatingSystem.IsLinux() ? LinuxHostSockets.Read : null,
            LiveEvidence = OperatingSystem.IsWindows() ? HostInventory.ReadForSelftest : null,
            CreatePrivateFile = OperatingSystem.IsWindows() ? PrivateFile.Create : CliHost.OwnerOnly,
            PostponeCollections = UncollectedMemory.Reserve,
            Color = terminal && string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR")) && TakesEscapes(EscapeSequences.StandardOutput),
        };
    }

    /// <summary>The console's own writer passes on 256 bytes at a time, which is slow for a long document.</summary>
    private static TextWriter PlainOutput()
    {
        const int BufferSize = 16 * 1024;
        Encoding encoding = Console.OutputEncoding is UTF8Encoding ? new UTF8Encoding(encoderShouldEmitUTF8Identifier: false) : Console.OutputEncoding;
        return TextWriter.Synchronized(new StreamWriter(Console.OpenStandardOutput(), encoding, BufferSize) { AutoFlush = true });
    }

    /// <summary>The width of the terminal; null where it does not say.</summary>
    private static int? WindowWidth()
    {
        try
        {
            return Console.WindowWidth is > 0 and var width ? width : null;
        }
        catch (IOException)
        {
            return null;
        }
    }

    private static string? Variable(string name) => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : null;

    private static int? Columns() => int.TryParse(Environment.GetEnvironmentVariable("COLUMNS"), out int columns) && columns > 0 ? columns : null;

    private static bool TakesEscapes(int stream) =>
        OperatingSystem.IsWindows() ? ConsoleEscapes.TryEnable(stream) : Environment.GetEnvironmentVariable("TERM") is not (null or "dumb");
}
