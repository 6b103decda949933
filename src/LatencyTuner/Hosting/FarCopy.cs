using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Hosting;

/// <summary>
/// A copy of this program at the far end for one run: sent through ssh's standard input into a new folder that only its user can enter, compared there by its
/// SHA-256, run, and removed by the same shell, also when the program or the connection dies.
/// </summary>
internal abstract class FarCopy
{
    /// <summary>How long the copying may take.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(10);

    /// <summary>How long the shell there may take to remove the copy after the program has ended: a virus scanner may hold a file of it.</summary>
    public static readonly TimeSpan RemovalPatience = TimeSpan.FromSeconds(15);

    protected const int NoFolder = 81;
    protected const int OtherSystem = 83;
    protected const int Damaged = 84;
    protected const int NotUnpacked = 85;
    protected const int Chunk = 57 * 1024;
    private const int FolderNameBytes = 16;
    private long _sent;

    protected FarCopy(CopiedProgram program, Func<int, byte[]> randomBytes)
    {
        Copied = program;
        Folder = $"latencytuner-{Convert.ToHexString(randomBytes(FolderNameBytes)).ToLowerInvariant()}";
    }

    /// <summary>SHA-256 of the archive that is sent, in lower-case hexadecimal digits.</summary>
    public string Sha256 { get; protected init; } = "";

    /// <summary>The size of the archive, bytes.</summary>
    public long Bytes { get; protected init; }

    /// <summary>How much of the archive was sent, bytes.</summary>
    public long Sent => Interlocked.Read(ref _sent);

    /// <summary>The program there.</summary>
    public string Program => $"{Folder}/{Copied.Name}";

    /// <summary>A command that removes the copy there; it holds nothing that the far end said.</summary>
    public abstract string RemovalCommand { get; }

    protected CopiedProgram Copied { get; }

    /// <summary>The name of the new folder.</summary>
    protected string Folder { get; }

    /// <summary>Prepares a copy.</summary>
    /// <param name="from">The program to copy, or the folder of a release; null for the running program.</param>
    /// <param name="shell">The shell at the far end.</param>
    /// <param name="randomBytes">Gives the random part of the folder's name.</param>
    /// <exception cref="ExpectedFailureException">This program does not run there, or is not whole.</exception>
    public static FarCopy Of(string? from, RemoteShell shell, Func<int, byte[]> randomBytes)
    {
        CopiedProgram program = from is null ? CopiedProgram.Running() : CopiedProgram.Of(from, "--via-copy-from");
        return !program.IsWindows && shell != RemoteShell.Sh
            ? throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--via-shell {shell.ToString().ToLowerInvariant()} means a Windows host, and this program is for {program.System}: name latencytuner.exe of "
                + "the release for Windows with --via-copy-from.")
            : program.IsWindows ? new WindowsFarCopy(program, randomBytes) : new UnixFarCopy(program, randomBytes);
    }

    /// <summary>The command line for the far end; it holds nothing that came from a user, a file or the network.</summary>
    /// <param name="arguments">The arguments of the program.</param>
    public abstract string Line(IReadOnlyList<string> arguments);

    /// <summary>Writes what the shell there reads.</summary>
    /// <param name="to">The standard input of the shell there.</param>
    /// <param name="arguments">The arguments of the program.</param>
    public abstract void Feed(Stream to, IReadOnlyList<string> arguments);

    /// <summary>A sentence for what the copying said of itself; null when it said nothing.</summary>
    /// <param name="ending">How the command ended.</param>
    /// <param name="banner">The lines that came before the start line.</param>
    public abstract string? Failure(FarEndEnding ending, IReadOnlyList<string> banner);

    /// <summary>True for a line that the copying itself printed.</summary>
    public virtual bool IsOwn(string line) => false;

    /// <summary>True when the shell there said that it could not remove the copy.</summary>
    public virtual bool IsLeft(IEnumerable<string> errors) => false;

    /// <summary>Counts what was sent.</summary>
    protected void Count(long bytes) => Interlocked.Add(ref _sent, bytes);

    /// <summary>What a far end said, behind a colon; empty when it said nothing.</summary>
    protected static string Said(string text) => text.Length == 0 ? "" : $": {Quoting.Plain(text, 300).TrimEnd('.')}";

    /// <summary>A sentence for an exit code of the copying; null when it is none.</summary>
    protected string? Sentence(int? code, string text) => code switch
    {
        NoFolder => $"--via-copy could not make a folder at the far end{Said(text)}.",
        OtherSystem => $"--via-copy cannot run this program, which is for {Copied.System}, at the far end{Said(text)}.",
        Damaged => $"--via-copy did not arrive whole at the far end: its SHA-256 differs{Said(text)}.",
        NotUnpacked => $"--via-copy could not be unpacked at the far end{Said(text)}.",
        _ => null,
    };
}
