using System.Buffers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.FarEnds;

/// <summary>A command that runs a program on another host with its standard streams, such as <c>ssh db1</c> or <c>docker exec -i web</c>.</summary>
public sealed class ViaCommand
{
    /// <summary>The word that stands for the whole command line of the far end.</summary>
    public const string Placeholder = "{}";

    // The options of ssh that take a value, in the next word when they end theirs (ssh(1), OpenSSH 9).
    private static readonly SearchValues<char> SshOptionsWithValue = SearchValues.Create("BbcDEeFIiJLlmOopPQRSWw");
    private const string Unquoted = "._:/=-";
    private readonly IReadOnlyList<string> _words;
    private readonly string _tool;

    private ViaCommand(string text, IReadOnlyList<string> words)
    {
        Text = text;
        _words = words;
        string name = words[0][(words[0].LastIndexOfAny(['/', '\\']) + 1)..].ToLowerInvariant();
        _tool = name.EndsWith(".exe", StringComparison.Ordinal) ? name[..^4] : name;
    }

    /// <summary>The command as the user gave it.</summary>
    public string Text { get; }

    /// <summary>True for ssh: it has the defaults of this program, and it can copy.</summary>
    public bool IsSsh => _tool == "ssh";

    /// <summary>True when the target's host completes the command: it is ssh or plink without a destination of its own.</summary>
    public bool TakesHost => !_words.Contains(Placeholder) && (IsSsh ? !NamesDestination() : IsPlink && _words.Count == 1);

    private bool IsPlink => _tool == "plink";

    private bool JoinsWords => IsSsh || IsPlink;

    /// <summary>Reads a command.</summary>
    /// <param name="text">The value of --via.</param>
    /// <exception cref="ExpectedFailureException">It is no command (<see cref="ExitCode.Usage"/>).</exception>
    public static ViaCommand Parse(string text)
    {
        IReadOnlyList<string> words = ShellWords.Split(text, "--via");
        return words[0] == Placeholder || words[0].Length == 0 || words.Count(w => w == Placeholder) > 1
            ? throw new ExpectedFailureException(
                ExitCode.Usage, $"--via '{Quoting.Plain(text)}' is not a command: it begins with a program, and {Placeholder} stands once at most, behind it.")
            : new ViaCommand(text, words);
    }

    /// <summary>The words of the local process that runs a program at the far end.</summary>
    /// <param name="host">The host of the target, for ssh without a destination.</param>
    /// <param name="program">The program at the far end: its name or its path.</param>
    /// <param name="arguments">Its arguments, of letters, digits and <c>._:/=-</c> only.</param>
    /// <param name="shell">The shell at the far end.</param>
    /// <exception cref="ExpectedFailureException">The path cannot be quoted for that shell, or the host is no host (<see cref="ExitCode.Usage"/>).</exception>
    public IReadOnlyList<string> WordsFor(string host, string program, IReadOnlyList<string> arguments, RemoteShell shell)
    {
        bool placed = _words.Contains(Placeholder);
        if (!placed && !JoinsWords)
        {
            return IsPlain(program) ? [.. _words, program, .. arguments] : throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--via-program '{Quoting.Plain(program)}' needs quoting at the far end: write {Placeholder} where {_words[0]} takes a command line, and name "
                + "the shell that reads it with --via-shell.");
        }

        string line = string.Join(' ', arguments.Prepend(Quoted(program, shell)));
        return placed ? [.. _words.Select(w => w == Placeholder ? line : w)] : [.. Carrier(host), line];
    }

    /// <summary>The words of the local process that gives a script to the shell at the far end; for ssh only.</summary>
    /// <param name="host">The host of the target, for ssh without a destination.</param>
    /// <param name="line">The command line.</param>
    public IReadOnlyList<string> WordsForLine(string host, string line) => [.. Carrier(host), line];

    /// <summary>A path as a shell takes it.</summary>
    /// <exception cref="ExpectedFailureException">It has a character that cannot be quoted there (<see cref="ExitCode.Usage"/>).</exception>
    internal static string Quoted(string program, RemoteShell shell)
    {
        if (IsPlain(program) && !(shell == RemoteShell.Cmd && program.Contains('/', StringComparison.Ordinal)))
        {
            return program;
        }

        // cmd takes a slash for the start of an option, expands % within quotes as well, and drops the quotes around a path that has one of the others.
        string refused = shell == RemoteShell.Cmd ? "\"%!^&|<>()@" : "";
        if (program.FirstOrDefault(c => char.IsControl(c) || refused.Contains(c, StringComparison.Ordinal)) is var bad and not '\0')
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--via-program '{Quoting.Plain(program)}' cannot be quoted for {shell.ToString().ToLowerInvariant()} because of the character "
                + $"{(char.IsControl(bad) ? $"U+{(int)bad:X4}" : $"'{bad}'")}: use another path, or --via-copy.");
        }

        return shell switch
        {
            RemoteShell.Cmd => $"\"{program.Replace('/', '\\')}\"",
            RemoteShell.PowerShell => $"& {Quoting.ForPowerShell(program)}",
            _ => $"'{program.Replace("'", "'\\''", StringComparison.Ordinal)}'",
        };
    }

    private static bool IsPlain(string word) =>
        word.Length > 0 && word[0] != '-' && word.All(c => char.IsAsciiLetterOrDigit(c) || Unquoted.Contains(c, StringComparison.Ordinal));

    private IEnumerable<string> Carrier(string host)
    {
        if (TakesHost && host.StartsWith('-'))
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"Target '{Quoting.Plain(host)}' is not valid: {_words[0]} would take it for an option.");
        }

        // ssh obeys the first value of an option: a BatchMode of the user goes before ours.
        string[] batch = _words.Any(w => w.Contains("BatchMode", StringComparison.OrdinalIgnoreCase)) ? [] : ["-o", "BatchMode=yes"];
        string[] own = IsSsh ? ["-T", .. batch] : IsPlink ? ["-batch"] : [];
        return [_words[0], .. own, .. _words.Skip(1), .. TakesHost ? (string[])[host] : []];
    }

    /// <summary>True when a word of an ssh command is its destination: the first that is no option and no value of one.</summary>
    private bool NamesDestination()
    {
        for (int i = 1; i < _words.Count; i++)
        {
            string word = _words[i];
            if (word == "--")
            {
                return i + 1 < _words.Count;
            }

            if (!word.StartsWith('-') || word.Length == 1)
            {
                return true;
            }

            int value = word.AsSpan(1).IndexOfAny(SshOptionsWithValue);
            i += value >= 0 && value == word.Length - 2 ? 1 : 0;
        }

        return false;
    }
}
