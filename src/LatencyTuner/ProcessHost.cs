using System.Text;
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
            ErrorIsTerminal = !Console.IsErrorRedirected && TakesEscapes(EscapeSequences.StandardError),
            Unicode = unicode,
            Width = terminal ? Math.Clamp(WindowWidth(), 60, 120) : 80,
            Program = ProgramPath.AsTyped(),
            IsWindows = OperatingSystem.IsWindows(),
            WindowsBuild = OperatingSystem.IsWindows() ? Environment.OSVersion.Version.Build : null,
            LiveSnapshot = OperatingSystem.IsWindows() ? HostInventory.TakeOfThisMachine : null,
            LiveTuning = OperatingSystem.IsWindows() ? LiveMachine.Open : null,
            EventLog = OperatingSystem.IsWindows() ? EventLogSource.Write : null,
            Setup = OperatingSystem.IsWindows() ? MachineSetup.Run : null,
            LiveTrace = OperatingSystem.IsWindows() ? LiveTraceRun.Run : null,
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

    private static int WindowWidth()
    {
        try
        {
            return Console.WindowWidth;
        }
        catch (IOException)
        {
            return 80;
        }
    }

    private static bool TakesEscapes(int stream) =>
        OperatingSystem.IsWindows() ? ConsoleEscapes.TryEnable(stream) : Environment.GetEnvironmentVariable("TERM") is not (null or "dumb");
}
