using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Analysis.Selftest;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Measurement;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Hosting;

/// <summary>What the commands take from the process they run in; tests make their own.</summary>
internal sealed class CliHost
{
    public required TextWriter Out { get; init; }

    public required TextWriter Error { get; init; }

    public bool OutIsTerminal { get; init; }

    /// <summary>True when nobody redirected standard input: what reads it would wait for a person.</summary>
    public bool InputIsTerminal { get; init; }

    /// <summary>True when stderr is a terminal that can be drawn over: progress and live tables go there. False: lines only.</summary>
    public bool ErrorIsTerminal { get; init; }

    /// <summary>False: charts in plain ASCII, because the output's encoding has no block characters.</summary>
    public bool Unicode { get; init; }

    public int Width { get; init; } = 80;

    public bool Color { get; init; }

    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Resolves a name to addresses of one family, or of both when the family is unspecified.</summary>
    public Func<string, AddressFamily, CancellationToken, Task<IPAddress[]>> Resolve { get; init; } = Dns.GetHostAddressesAsync;

    /// <summary>Makes a file that only its owner and administrators can read; fails where it exists.</summary>
    public Action<string, byte[]> CreatePrivateFile { get; init; } = OwnerOnly;

    /// <summary>Opens standard input as bytes.</summary>
    public Func<Stream> OpenInput { get; init; } = Console.OpenStandardInput;

    /// <summary>Opens a file that may be large, or still be written.</summary>
    public Func<string, Stream> OpenFile { get; init; } =
        path => new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, 1 << 16, FileOptions.SequentialScan);

    /// <summary>Opens an input by its name, or standard input for <c>-</c>, which can be read only once.</summary>
    public Stream OpenNamed(string path)
    {
        if (path != StandardInput)
        {
            return OpenFile(path);
        }

        if (_inputIsOpen)
        {
            throw new ExpectedFailureException(ExitCode.Usage, "Standard input can be read only once, but '-' was given more than once.");
        }

        _inputIsOpen = true;
        return OpenInput();
    }

    private bool _inputIsOpen;

    /// <summary>The name of standard input on a command line.</summary>
    public const string StandardInput = "-";

    /// <summary>What messages call an input.</summary>
    public static string NameOf(string path) => path == StandardInput ? "standard input" : path;

    /// <summary>The build of this Windows; null elsewhere.</summary>
    public int? WindowsBuild { get; init; }

    /// <summary>Takes a snapshot of this machine; null where none can be taken.</summary>
    public Func<HostSnapshot>? LiveSnapshot { get; init; }

    /// <summary>Opens access to the settings of this machine; null where they cannot be changed.</summary>
    public Func<LiveTuning>? LiveTuning { get; init; }

    /// <summary>Writes an entry into the Event Log and returns null, or a sentence that says why it did not; null where there is no Event Log.</summary>
    public Func<EventEntry, string?>? EventLog { get; init; }

    /// <summary>Prepares this machine, or undoes that when true is given, and returns a sentence for each step; null where setup is not possible.</summary>
    public Func<SetupStep, IReadOnlyList<string>>? Setup { get; init; }

    /// <summary>Gives the random part of a batch id.</summary>
    public Func<int, byte[]> RandomBytes { get; init; } = RandomNumberGenerator.GetBytes;

    /// <summary>Reads what the probes of the selftest look at; null where there is nothing to probe.</summary>
    public Func<SelftestEvidence>? LiveEvidence { get; init; }

    /// <summary>Called before work that keeps most of the memory it allocates: the process may postpone garbage collections.</summary>
    public Action PostponeCollections { get; init; } = () => { };

    /// <summary>Traces the events of this machine; null where there are none.</summary>
    public Func<LiveTraceRequest, CancellationToken, RecordingResult>? LiveTrace { get; init; }

    /// <summary>Reads the TCP sockets of this machine with their processes; null where that is not possible.</summary>
    public Func<SocketSelection, SocketSnapshot>? LiveSockets { get; init; }

    /// <summary>Makes a file by its mode bits, 0600; Windows has access lists instead.</summary>
    public static void OwnerOnly(string path, byte[] bytes)
    {
        FileStreamOptions options = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        using FileStream file = new(path, options);
        file.Write(bytes);
    }

    public static ToolIdentity Tool { get; } = new(
        VersionText, RuntimeInformation.OSDescription.Trim(), RuntimeInformation.FrameworkDescription, Environment.ProcessorCount);

    public static string Software => $"latencytuner {VersionText}";

    /// <summary>The version, for example <c>0.1.0</c>.</summary>
    public static string VersionText => FullVersionText.Split('+')[0];

    /// <summary>The version with the commit that a release was built from, <c>0.1.0+</c> and 40 hexadecimal digits; other builds have no commit.</summary>
    public static string FullVersionText =>
        typeof(CliHost).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "unknown";

    /// <summary>How this program is called: its name, or its path where the shell would not find the name.</summary>
    public string Program { get; init; } = "latencytuner";

    /// <summary>SSH_CONNECTION: the ends of the ssh session that this process runs in; null without one.</summary>
    public string? SshConnection { get; init; }

    /// <summary>GITHUB_STEP_SUMMARY: the file that GitHub Actions shows as the summary of the step; null elsewhere.</summary>
    public string? StepSummary { get; init; }

    /// <summary>AGENT_TEMPDIRECTORY: the folder that an agent of Azure Pipelines empties after each job; null elsewhere.</summary>
    public string? AgentTempDirectory { get; init; }

    /// <summary>Name of this machine, for documents; null where it does not matter.</summary>
    public string? Machine { get; init; }

    /// <summary>True when the capture tools are those of Windows.</summary>
    public bool IsWindows { get; init; }

    /// <summary>True once a report was written: a failure after it is no document of its own.</summary>
    public bool HasReported { get; set; }

    /// <summary>What documents say of this program and of the way in which it was called.</summary>
    public DocumentSeal Seal(CommonValues common) => new(Time.GetUtcNow(), Software, new Caller
    {
        Program = Program,
        Arguments = common.Arguments,
        PathOptions = common.PathOptions,
        SavedAs = common.Format == ReportFormat.Json ? common.Output : null,
        IsWindows = IsWindows,
    })
    {
        Origin = common.Said with
        {
            Host = Machine,
            CommandLine = Kept(string.Join(' ', common.Arguments.Prepend("latencytuner").Select(w => ShellQuoting.Of(w, IsWindows)))),
        },
    };

    /// <summary>
    /// A command line as documents keep it. No option takes a token, only the file of one; an address may hold a user with a password. Names of thousands of
    /// files are cut.
    /// </summary>
    internal static string Kept(string line)
    {
        const int Most = 2000;
        string kept = UrlUsers.Hidden(line);
        return kept.Length <= Most ? kept : $"{kept[..Most]} ... ({kept.Length - Most:N0} more characters)";
    }

    public MeasuringContext Measuring => _measuring ??= new MeasuringContext(Time, SocketPlatform.Current, RandomNumberGenerator.Create());

    private MeasuringContext? _measuring;

    /// <summary>Possible reasons of a failed measurement, a sentence each: printed only when it fails.</summary>
    public SortedSet<string> Hints { get; } = new(StringComparer.Ordinal);

    /// <summary>DSC_TRACE_LEVEL: what DSC wants to know; null outside of it.</summary>
    public string? DscTraceLevel { get; init; }

    /// <summary>Where the commands of <c>dsc</c> say what DSC traces; null for other commands.</summary>
    public DscTraceLines? Traces { get; set; }

    /// <summary>Where <c>--progress jsonl</c> writes; null without it.</summary>
    public JsonProgress? Lines { get; set; }

    /// <summary>
    /// Prints one line on stderr, as a trace of <c>dsc</c>, or as a message of <c>--progress jsonl</c>; text from a peer or a file cannot break the line or
    /// reach the terminal as a control sequence.
    /// </summary>
    public void Complain(string sentence)
    {
        string line = string.Concat(sentence.Select(c => char.IsControl(c) ? ' ' : c));
        if (Lines is { } lines)
        {
            lines.Message(line);
            return;
        }

        if (Traces is { } traces)
        {
            traces.Write(Core.Tuning.Dsc.DscTraceLevel.Error, line);
            return;
        }

        lock (Error)
        {
            Error.WriteLine(line);
        }
    }
}
