using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using LatencyTuner.Core.Etw.Sessions;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Etw.Live;

/// <summary>
/// A machine with Event Tracing for Windows, as far as a live trace goes: a process of its own in which the stand-in of <c>tests/etw</c> takes
/// the place of advapi32, and a folder that is its sessions, what they replay, and every call that was made.
/// </summary>
internal sealed class TraceStand : IDisposable
{
    /// <summary>Processes that replay a million events may wait long for a busy machine.</summary>
    internal static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private const long Origin = 5_000_000_000;
    private static readonly Lazy<string?> Library = new(Compile);
    private readonly TempFolder _folder = new();

    internal TraceStand(params string[] scenario)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The stand-in takes the place of Windows' own libraries.");
        if (Library.Value is null)
        {
            Assert.False(Environment.GetEnvironmentVariable("CI") == "true", "The stand-in for the ETW API needs a C compiler (gcc).");
            Assert.Skip("The stand-in for the ETW API needs a C compiler (gcc).");
        }

        _folder.Write("scenario", string.Join('\n', scenario) + "\n");
        Directory.CreateDirectory(_folder["sessions"]);
        // TraceEvent tells Windows 8.1 and later by the version resource of this file; any assembly of .NET has a later one.
        File.Copy(typeof(object).Assembly.Location, _folder[@"system32\Kernel32.dll"]);
    }

    /// <summary>The calls that were made, a line each.</summary>
    internal string[] Calls => File.Exists(_folder["calls.log"]) ? File.ReadAllLines(_folder["calls.log"]) : [];

    /// <summary>Sessions that are there.</summary>
    internal string[] Sessions => [.. Directory.GetFiles(_folder["sessions"]).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal)];

    internal string this[string name] => _folder[name];

    /// <summary>What the session replays.</summary>
    internal TraceStand Events(params EtlRecord[] records) => Write("events.bin", records);

    /// <summary>What providers tell when they are asked for their state.</summary>
    internal TraceStand Rundown(params EtlRecord[] records) => Write("rundown.bin", records);

    /// <summary>What a session with a file writes.</summary>
    internal TraceStand Written(byte[] trace)
    {
        _folder.Write("file.etl", trace);
        return this;
    }

    internal TraceStand Session(string name)
    {
        File.WriteAllText(Path.Combine(_folder["sessions"], name), "");
        return this;
    }

    /// <summary>Name of a session that this process, which is alive, could have begun.</summary>
    internal static SessionName Ours(TimeSpan earlier = default)
    {
        using Process self = Process.GetCurrentProcess();
        return new SessionName(self.Id, new DateTimeOffset(self.StartTime.ToUniversalTime()) - earlier);
    }

    internal CliProcess Start(string[] before, params string[] args)
    {
        string stand = Path.Combine(AppContext.BaseDirectory, "LatencyTuner.TraceStand.dll");
        string[] all = [.. before, "dotnet", stand, .. args];
        ProcessStartInfo start = new(all[0], all[1..]);
        start.Environment["LATENCYTUNER_ETW_STAND"] = _folder.Path;
        start.Environment["LATENCYTUNER_ETW_LIBRARY"] = Library.Value;
        start.Environment["DOTNET_STARTUP_HOOKS"] = stand;
        start.Environment["WinDir"] = _folder.Path;
        return CliProcess.Of(start);
    }

    internal CliRun Run(params string[] args)
    {
        using CliProcess process = Start([], args);
        int code = process.WaitForExit(Patience);
        return new CliRun(code, process.Out, process.Error);
    }

    /// <summary>A run whose report is JSON.</summary>
    internal (int Code, JsonElement Report, string Error) Json(params string[] args)
    {
        CliRun run = Run([.. args, "--format", "json"]);
        Assert.True(run.Out.Length > 0, run.Error);
        using JsonDocument document = JsonDocument.Parse(run.Out);
        return (run.Code, document.RootElement.Clone(), run.Error);
    }

    /// <summary>Produced, filtered, delivered and lost, as the stand-in counted them.</summary>
    internal (long Produced, long Filtered, long Delivered, long Lost) Counted()
    {
        string line = Assert.Single(Calls, c => c.StartsWith("processed ", StringComparison.Ordinal));
        long Of(string name) => long.Parse(line.Split(name + "=")[1].Split(' ')[0], CultureInfo.InvariantCulture);
        return (Of("produced"), Of("filtered"), Of("delivered"), Of("lost"));
    }

    public void Dispose() => _folder.Dispose();

    private TraceStand Write(string name, EtlRecord[] records)
    {
        ByteWriter bytes = new();
        foreach (EtlRecord record in records)
        {
            ReadOnlySpan<byte> header = record.Bytes.AsSpan(0, 0x50);
            ReadOnlySpan<byte> payload = record.Bytes.AsSpan(0x50);
            bytes.U16((ushort)payload.Length).U8((byte)((header[2] & 1) == 0 ? 4 : 8)).U8(header[42]).Raw(header.Slice(40, 2)).U8(header[44]).U8(header[45])
                .Raw(header.Slice(12, 4)).Raw(header.Slice(8, 4)).Raw(header.Slice(48, 8))
                .I64((BinaryPrimitives.ReadInt64LittleEndian(header[16..]) - Origin) * 100).Raw(header.Slice(24, 16)).U8((byte)record.Processor).Zeros(7)
                .Raw(payload);
        }

        _folder.Write(name, bytes.ToArray());
        return this;
    }

    /// <summary>Once for each run of the tests, from the source beside them.</summary>
    private static string? Compile()
    {
        DirectoryInfo? root = new(AppContext.BaseDirectory);
        while (root is not null && !File.Exists(Path.Combine(root.FullName, "LatencyTuner.sln")))
        {
            root = root.Parent;
        }

        string library = Path.Combine(AppContext.BaseDirectory, $"etw-stand-{Environment.ProcessId}.so");
        AppDomain.CurrentDomain.ProcessExit += (_, _) => File.Delete(library);
        try
        {
            ProcessStartInfo start = new(
                "gcc", ["-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-pthread", "-o", library, Path.Combine(root!.FullName, "tests", "etw", "stand.c")])
            {
                RedirectStandardError = true,
            };
            using Process compiler = Process.Start(start)!;
            string said = compiler.StandardError.ReadToEnd();
            compiler.WaitForExit();
            return compiler.ExitCode == 0 ? library : throw new InvalidOperationException(said);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }
}
