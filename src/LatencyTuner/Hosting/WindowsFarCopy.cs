using System.Globalization;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using LatencyTuner.Core.Measurement.FarEnds;

namespace LatencyTuner.Hosting;

/// <summary>
/// A copy on Windows. The command line starts Windows PowerShell in words that cmd, PowerShell and bash take alike, and PowerShell reads the rest from its
/// standard input: a script of one line, because it runs each line when that is whole, and the archive in lines of base64. The archive is kept in memory until
/// its SHA-256 was compared; then the folder is made, in one call with its owner and access list, and looked at before the first byte is written.
/// </summary>
internal sealed class WindowsFarCopy : FarCopy
{
    /// <summary>Begins the lines that the script prints of itself.</summary>
    internal const string Mark = "LATENCYTUNERCOPY";

    private const int Language = 86;
    private const int NotRun = 88;
    private const string Left = $"{Mark} left";
    private readonly byte[] _archive;

    /// <summary>Prepares a copy.</summary>
    /// <param name="program">A program for Windows.</param>
    /// <param name="randomBytes">Gives the random part of the folder's name.</param>
    public WindowsFarCopy(CopiedProgram program, Func<int, byte[]> randomBytes)
        : base(program, randomBytes)
    {
        using MemoryStream archive = new();
        using (ZipArchive zip = new(archive, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach ((string path, string name) in program.Files)
            {
                using Stream entry = zip.CreateEntry(name, CompressionLevel.Fastest).Open();
                using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete, Chunk, FileOptions.SequentialScan);
                file.CopyTo(entry);
            }
        }

        _archive = archive.ToArray();
        Bytes = _archive.Length;
        Sha256 = Convert.ToHexString(SHA256.HashData(_archive)).ToLowerInvariant();
    }

    public override string RemovalCommand => $"Remove-Item -Recurse $env:LOCALAPPDATA\\Temp\\{Folder}";

    public override string Line(IReadOnlyList<string> arguments) => "powershell -NoProfile -NonInteractive -Command -";

    public override void Feed(Stream to, IReadOnlyList<string> arguments)
    {
        to.Write(Encoding.ASCII.GetBytes($"{Script(arguments)}\n"));
        foreach (byte[] piece in _archive.Chunk(Chunk))
        {
            to.Write(Encoding.ASCII.GetBytes($"{Convert.ToBase64String(piece)}\n"));
            Count(piece.Length);
        }
    }

    // A terminal's escape codes may stand before it.
    public override bool IsOwn(string line) => line.Contains($"{Mark} ", StringComparison.Ordinal);

    public override bool IsLeft(IEnumerable<string> errors) => errors.Any(e => e.Contains(Left, StringComparison.Ordinal));

    public override string? Failure(FarEndEnding ending, IReadOnlyList<string> banner)
    {
        // Not by the exit code: a PowerShell around this one makes 1 of it.
        string[] words = banner.LastOrDefault(IsOwn) is { } own ? own[own.IndexOf(Mark, StringComparison.Ordinal)..].Split(' ', 3) : [];
        int? code = words.Length > 1 && int.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : null;
        string text = words.Length > 2 ? words[2] : "";
        return code switch
        {
            Language => "PowerShell at the far end is in constrained language mode, where --via-copy cannot work: install this program there, and name it with "
                + "--via-program.",
            NotRun => $"The copy of this program could not be started at the far end{Said(text)}. If a policy forbids it there, install the program, and name "
                + "it with --via-program.",
            _ => Sentence(code, text) ?? (ending is { ExitCode: not (null or 255), Problem: null }
                ? $"--via-copy needs Windows PowerShell at the far end, and '{ending.Command}' ended with exit code {ending.ExitCode} instead of running it"
                    + $"{Said(string.Join(' ', ending.Errors))}."
                : null),
        };
    }

    /// <summary>
    /// The script, one line for Windows PowerShell 5.1 of ASCII characters. It holds constants, numbers, digits of this run and the plain words of the
    /// arguments.
    /// </summary>
    /// <param name="arguments">The arguments of the program.</param>
    internal string Script(IReadOnlyList<string> arguments) => string.Join(
        "; ",
        "$ErrorActionPreference = 'Stop'",
        "$ProgressPreference = 'SilentlyContinue'",
        $"if ($ExecutionContext.SessionState.LanguageMode -ne 'FullLanguage') {{ '{Mark} {Language}'; exit {Language} }}",
        $"function Stop-Copy($code, $why) {{ [Console]::Out.WriteLine(('{Mark} ' + $code + ' ' + $why) -replace '[\\r\\n]+', ' '); exit $code }}",
        Receiving(),
        $"if ($hash -ne '{Sha256}') {{ Stop-Copy {Damaged} ([string]$bytes.Length + ' of {Bytes} bytes arrived') }}",
        Place(),
        $"try {{ {MakeFolder} }} catch {{ Stop-Copy {NoFolder} $_.Exception.GetBaseException().Message }}",
        "try { "
        + $"try {{ {Unpack} }} catch {{ Stop-Copy {NotUnpacked} $_.Exception.GetBaseException().Message }}; "
        + $"try {{ {Start(arguments)} }} catch {{ Stop-Copy {NotRun} $_.Exception.GetBaseException().Message }}; "
        + "$process.WaitForExit(); $code = $process.ExitCode "
        + $"}} finally {{ {Remove} }}",
        "exit $code");

    /// <summary>Nothing is on the disk while the archive arrives, so that a process which ends itself when it takes too long leaves nothing.</summary>
    private string Receiving() => string.Join(
        "; ",
        $"$watch = [PowerShell]::Create().AddScript('Start-Sleep {Patience.TotalSeconds:0}; [Diagnostics.Process]::GetCurrentProcess().Kill()')",
        "[void]$watch.BeginInvoke()",
        "$bytes = New-Object IO.MemoryStream",
        $"try {{ while ($bytes.Length -lt {Bytes}) {{ $line = [Console]::In.ReadLine(); if ($null -eq $line) {{ break }}; "
        + "$piece = [Convert]::FromBase64String($line); $bytes.Write($piece, 0, $piece.Length) } } catch { }",
        "$watch.Stop()",
        "$hash = [BitConverter]::ToString((New-Object Security.Cryptography.SHA256CryptoServiceProvider).ComputeHash($bytes.ToArray())).Replace('-', '')");

    /// <summary>
    /// Where the folder is made: in the user's own profile, where nobody else can write. Folders there that a shell left which was killed are removed, unless
    /// they are of this hour, or their program still runs, which Windows does not delete.
    /// </summary>
    private string Place() => string.Join(
        "; ",
        "$place = [Environment]::GetFolderPath('LocalApplicationData')",
        "if ($place) { $place = [IO.Path]::Combine($place, 'Temp') }",
        "if ($place -and [IO.Directory]::Exists($place)) { "
        + "foreach ($old in [IO.Directory]::GetDirectories($place, 'latencytuner-????????????????????????????????')) { "
        + "if ([IO.Directory]::GetCreationTimeUtc($old) -lt [DateTime]::UtcNow.AddHours(-1)) { "
        + $"try {{ [IO.File]::Delete([IO.Path]::Combine($old, '{Copied.Name}')); [IO.Directory]::Delete($old, $true) }} catch {{ }} }} }} "
        + "} else { $place = [IO.Path]::GetTempPath() }",
        $"$folder = [IO.Path]::Combine($place, '{Folder}')");

    /// <summary>Makes the folder for SYSTEM, Administrators and this user, who owns it, and reads that back.</summary>
    internal const string MakeFolder =
        "if ([IO.Directory]::Exists($folder)) { throw 'it exists' }; "
        + "$user = [Security.Principal.WindowsIdentity]::GetCurrent().User.Value; "
        + "$access = New-Object Security.AccessControl.DirectorySecurity; "
        + "$access.SetSecurityDescriptorSddlForm('O:' + $user + 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;' + $user + ')'); "
        + "[void][IO.Directory]::CreateDirectory($folder, $access); "
        + "$sid = [Security.Principal.SecurityIdentifier]; "
        + "$made = (New-Object IO.DirectoryInfo $folder).GetAccessControl(); "
        + "$others = @($made.GetAccessRules($true, $true, $sid) "
        + "| Where-Object { 'S-1-5-18', 'S-1-5-32-544', $user -notcontains $_.IdentityReference.Value }); "
        + "if ($made.GetOwner($sid).Value -ne $user -or -not $made.AreAccessRulesProtected -or $others.Count -gt 0) "
        + "{ throw 'the access list of the new folder is another one' }";

    /// <summary>Folders within the archive inherit the access list.</summary>
    private const string Unpack =
        "Add-Type -AssemblyName System.IO.Compression; "
        + "$archive = New-Object IO.Compression.ZipArchive $bytes; "
        + "foreach ($entry in $archive.Entries) { $path = [IO.Path]::Combine($folder, $entry.FullName); "
        + "[void][IO.Directory]::CreateDirectory([IO.Path]::GetDirectoryName($path)); "
        + "$from = $entry.Open(); $to = [IO.File]::Create($path); try { $from.CopyTo($to) } finally { $to.Close(); $from.Close() } }; "
        + "$archive.Dispose()";

    /// <summary>The program gets the streams of this PowerShell, which therefore never sees its token.</summary>
    internal string Start(IReadOnlyList<string> arguments) =>
        $"$start = New-Object Diagnostics.ProcessStartInfo; $start.FileName = [IO.Path]::Combine($folder, '{Copied.Name}'); "
        + $"$start.Arguments = '{string.Join(' ', arguments)}'; $start.UseShellExecute = $false; $process = [Diagnostics.Process]::Start($start)";

    private const string Remove =
        "for ($n = 0; $n -lt 40 -and [IO.Directory]::Exists($folder); $n++) "
        + "{ try { [IO.Directory]::Delete($folder, $true) } catch { Start-Sleep -Milliseconds 250 } }; "
        + $"if ([IO.Directory]::Exists($folder)) {{ [Console]::Error.WriteLine('{Left}') }}";
}
