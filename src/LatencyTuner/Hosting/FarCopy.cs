using System.Formats.Tar;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Hosting;

/// <summary>
/// A copy of this program at the far end for one run: sent through ssh's standard input into a new folder that only its user can enter, compared there by its
/// SHA-256, run, and removed by the same shell, also when the program or the connection dies.
/// </summary>
internal sealed class FarCopy
{
    /// <summary>How long the copying may take.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(10);

    private const string Name = "latencytuner";
    private const int NoFolder = 81;
    private const int OtherSystem = 83;
    private const int Damaged = 84;
    private const int NotUnpacked = 85;
    private const int FolderNameBytes = 16;
    private const int Chunk = 81_920;
    private static readonly DateTimeOffset AnyTime = DateTimeOffset.UnixEpoch;
    private readonly IReadOnlyList<(string Path, string Name)> _files;
    private readonly string _folder;

    private FarCopy(IReadOnlyList<(string Path, string Name)> files, string folder)
    {
        _files = files;
        _folder = folder;
        using HashingStream hash = new();
        WriteTo(hash);
        Sha256 = hash.Finish();
    }

    /// <summary>SHA-256 of the archive that is sent, in lower-case hexadecimal digits.</summary>
    public string Sha256 { get; }

    /// <summary>The program there.</summary>
    public string Program => $"{_folder}/{Name}";

    private static string System => $"Linux {(RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? "aarch64" : "x86_64")}";

    /// <summary>Prepares a copy of the running program.</summary>
    /// <param name="shell">The shell at the far end.</param>
    /// <param name="randomBytes">Gives the random part of the folder's name.</param>
    /// <exception cref="ExpectedFailureException">This program does not run there, or is not whole (<see cref="ExitCode.Platform"/>).</exception>
    public static FarCopy OfThisProgram(RemoteShell shell, Func<int, byte[]> randomBytes)
    {
        if (shell != RemoteShell.Sh || !OperatingSystem.IsLinux())
        {
            throw new ExpectedFailureException(
                ExitCode.Platform,
                "--via-copy copies this program from Linux to Linux only: put the release for the other system there with scp, and name its path with "
                + "--via-program.");
        }

        string folder = AppContext.BaseDirectory;
        string alone = Path.Combine(folder, Name);
        IEnumerable<string> paths = File.Exists(Path.Combine(folder, Name + ".dll"))
            ? Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Where(f => Path.GetExtension(f) is not (".pdb" or ".xml"))
            : [Environment.ProcessPath ?? alone];
        (string Path, string Name)[] files = [.. paths.Order(StringComparer.Ordinal).Select(f => (f, NameOf(folder, f)))];
        return files.Any(f => f.Name == Name) ? new FarCopy(files, $"{Name}-{Hex(randomBytes(FolderNameBytes))}")
            : throw new ExpectedFailureException(
                ExitCode.Platform, $"--via-copy needs the program itself, {alone}, which is not there: build or install it first.");
    }

    /// <summary>The command line for a shell of Unix; it holds nothing that came from a user, a file or the network.</summary>
    /// <param name="arguments">The arguments of the program.</param>
    public string Line(IReadOnlyList<string> arguments) =>
        $"sh -c 'umask 077; d=\"${{TMPDIR:-/tmp}}/{_folder}\"; mkdir -m 700 \"$d\" || exit {NoFolder}; "
        + "trap \"cd /; rm -rf \\\"\\$d\\\"\" EXIT; trap \"exit 82\" HUP INT TERM; cd \"$d\" && "
        + $"[ \"$(uname -s) $(uname -m)\" = \"{System}\" ] || {{ echo \"it is $(uname -s) $(uname -m)\" >&2; exit {OtherSystem}; }}; "
        + $"cat > p && echo \"{Sha256}  p\" | sha256sum -c > /dev/null || exit {Damaged}; tar -xf p && rm p || exit {NotUnpacked}; "
        + $"\"$d/{Name}\" {string.Join(' ', arguments)} < /dev/null'";

    /// <summary>Writes the archive.</summary>
    /// <param name="to">The standard input of the shell there.</param>
    public void WriteTo(Stream to)
    {
        using TarWriter archive = new(to, TarEntryFormat.Ustar, leaveOpen: true);
        foreach ((string path, string name) in _files)
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete, Chunk, FileOptions.SequentialScan);
            archive.WriteEntry(new UstarTarEntry(TarEntryType.RegularFile, name)
            {
                DataStream = file,
                ModificationTime = AnyTime,
                Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute,
            });
        }
    }

    /// <summary>A sentence for an exit code of the copying; null when it is none.</summary>
    /// <param name="code">The exit code of the command; null when it still runs.</param>
    /// <param name="errors">The last lines of its stderr.</param>
    public static string? Failure(int? code, IReadOnlyList<string> errors)
    {
        string said = errors.Count == 0 ? "" : $": {Quoting.Plain(string.Join(" ", errors), 200).TrimEnd('.')}";
        return code switch
        {
            NoFolder => $"--via-copy could not make a folder at the far end{said}.",
            OtherSystem => $"--via-copy cannot run this program, which is for {System}, at the far end{said}.",
            Damaged => $"--via-copy did not arrive whole at the far end: its SHA-256 differs, perhaps because the disk is full{said}.",
            NotUnpacked => $"--via-copy could not be unpacked at the far end{said}.",
            _ => null,
        };
    }

    private static string Hex(byte[] bytes) => Convert.ToHexString(bytes).ToLowerInvariant();

    private static string NameOf(string folder, string file)
    {
        string name = Path.GetRelativePath(folder, file).Replace('\\', '/');
        return Path.GetFileName(file) == Path.GetFileName(Environment.ProcessPath) && !name.Contains('/', StringComparison.Ordinal) ? Name : name;
    }

    /// <summary>Hashes what is written to it.</summary>
    private sealed class HashingStream : Stream
    {
        private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        private long _length;

        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => _length;

        public override long Position { get => _length; set => throw new NotSupportedException(); }

        public string Finish() => Hex(_hash.GetHashAndReset());

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            _hash.AppendData(buffer);
            _length += buffer.Length;
        }

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                _hash.Dispose();
            }

            base.Dispose(disposing);
        }
    }
}
