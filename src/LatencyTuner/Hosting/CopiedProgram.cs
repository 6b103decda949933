using System.Buffers.Binary;
using LatencyTuner.Core;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Hosting;

/// <summary>A build of this program that is to be copied to another host: its files, and the system that it is for.</summary>
internal sealed record CopiedProgram
{
    private const string Stem = "latencytuner";
    private const string Windows = "Windows";
    private const int HeaderBytes = 4096;

    /// <summary>The files with their names in the copy, in the order of these names.</summary>
    public required IReadOnlyList<(string Path, string Name)> Files { get; init; }

    /// <summary>The name of the file to start, in the copy.</summary>
    public required string Name { get; init; }

    /// <summary>True for Windows, false for Linux.</summary>
    public required bool IsWindows { get; init; }

    /// <summary>The system as <c>uname -s -m</c> says it, or <c>Windows</c>.</summary>
    public required string System { get; init; }

    /// <summary>The program that runs.</summary>
    /// <exception cref="ExpectedFailureException">It is not whole (<see cref="ExitCode.Platform"/>).</exception>
    public static CopiedProgram Running()
    {
        string beside = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? $"{Stem}.exe" : Stem);
        string? path = File.Exists(beside) ? beside : File.Exists(Path.ChangeExtension(beside, ".dll")) ? null : Environment.ProcessPath;
        return path is not null ? Of(path, "--via-copy")
            : throw new ExpectedFailureException(
                ExitCode.Platform, $"--via-copy needs the program itself, {beside}, which is not there: build or install it first.");
    }

    /// <summary>The program that a user names.</summary>
    /// <param name="path">The program, or the folder of a release.</param>
    /// <param name="option">The option that named it.</param>
    /// <exception cref="ExpectedFailureException">It cannot be read, or is no program that could be copied (<see cref="ExitCode.Input"/>).</exception>
    public static CopiedProgram Of(string path, string option)
    {
        string main = !Directory.Exists(path) ? path
            : new[] { $"{Stem}.exe", Stem }.Select(n => Path.Combine(path, n)).FirstOrDefault(File.Exists)
                ?? throw Bad(option, path, "the folder has no file latencytuner.exe or latencytuner");
        string? system = SystemOf(main, option);
        string folder = Path.GetDirectoryName(Path.GetFullPath(main))!;
        string name = system == Windows ? $"{Stem}.exe" : Stem;
        IEnumerable<string> files = File.Exists(Path.Combine(folder, $"{Stem}.dll"))
            ? Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Where(f => Path.GetExtension(f) is not (".pdb" or ".xml"))
            : [Path.GetFullPath(main)];
        return new CopiedProgram
        {
            Files =
            [
                .. files.Select(f => (f, f == Path.GetFullPath(main) ? name : Path.GetRelativePath(folder, f).Replace('\\', '/')))
                    .OrderBy(f => f.Item2, StringComparer.Ordinal),
            ],
            Name = name,
            IsWindows = system == Windows,
            System = system ?? throw Bad(option, path, "it is no program for Linux or Windows on x64 or arm64"),
        };
    }

    /// <summary>The system by the first bytes of a program: ELF (e_machine at 18), or PE (its offset at 60, the machine 4 bytes behind).</summary>
    private static string? SystemOf(string path, string option)
    {
        byte[] header = new byte[HeaderBytes];
        try
        {
            using FileStream file = File.OpenRead(path);
            int count = file.ReadAtLeast(header, header.Length, throwOnEndOfStream: false);
            Array.Clear(header, count, header.Length - count);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw Bad(option, path, e.Message.TrimEnd('.'));
        }

        if (header.AsSpan().StartsWith("\u007fELF"u8))
        {
            return BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(18)) switch { 62 => "Linux x86_64", 183 => "Linux aarch64", _ => null };
        }

        int at = header.AsSpan().StartsWith("MZ"u8) ? BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(60)) : -1;
        return at is >= 0 and < HeaderBytes - 6 && header.AsSpan(at).StartsWith("PE\0\0"u8)
            && BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(at + 4)) is 0x8664 or 0xAA64 ? Windows : null;
    }

    private static ExpectedFailureException Bad(string option, string path, string why) =>
        new(ExitCode.Input, $"{option} '{Quoting.Plain(path, 200)}' cannot be copied: {why}.");
}
