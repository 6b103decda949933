using System.Net;
using LatencyTuner.Core.Measurement.Protocol;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.FarEnds;

/// <summary>What is known of a far end that printed no start line.</summary>
public sealed record FarEndEnding
{
    /// <summary>The command of --via, as the user gave it.</summary>
    public required string Command { get; init; }

    /// <summary>True when the command is ssh, whose own failures have exit code 255.</summary>
    public required bool IsSsh { get; init; }

    /// <summary>The program that was to start there.</summary>
    public required string Program { get; init; }

    /// <summary>The exit code of the command; null when it still runs.</summary>
    public required int? ExitCode { get; init; }

    /// <summary>The last lines that the command wrote to stderr, the last one last.</summary>
    public required IReadOnlyList<string> Errors { get; init; }

    /// <summary>Why no start line was found, a clause; null when the output just ended.</summary>
    public string? Problem { get; init; }

    /// <summary>How long the line was waited for.</summary>
    public required TimeSpan Waited { get; init; }
}

/// <summary>Tells the failures of a far end apart, a sentence for each.</summary>
public static class FarEndFailures
{
    private const int MostShown = 300;
    // What shells, docker and nsenter say of a program that is not there, in English; other languages are recognised by the exit code only.
    private static readonly string[] NotFoundWords =
        ["not found", "no such file or directory", "is not recognized", "cannot find the path", "cannot find the file"];

    /// <summary>Why the far end did not start.</summary>
    /// <param name="ending">What is known.</param>
    /// <param name="version">The version of this program.</param>
    public static string NotStarted(FarEndEnding ending, string version)
    {
        ArgumentNullException.ThrowIfNull(ending);
        string via = $"'{Quoting.Plain(ending.Command)}'";
        string errors = string.Join(" ", ending.Errors);
        string said = errors.Length == 0 ? "" : $": {Quoting.Plain(errors, MostShown).TrimEnd('.')}";
        string code = ending.ExitCode is { } number ? $"ended with exit code {number}" : "still runs";
        if (ending.Problem is { } problem)
        {
            return $"The far end through {via} is no 'latencytuner serve --once': {problem}.";
        }

        if (ending.ExitCode is null)
        {
            return $"The far end through {via} printed no start line within {ending.Waited.TotalSeconds:0} s{said}.";
        }

        if (ending.IsSsh && ending.ExitCode == 255)
        {
            return $"The remote shell failed: {via} {code}{said}.";
        }

        if (errors.Contains("--once", StringComparison.Ordinal))
        {
            return $"The latencytuner at the far end is of another version, which has no 'serve --once': install this version ({version}) there, or use "
                + "--via-copy.";
        }

        return ending.ExitCode is 126 or 127 or 9009 || NotFoundWords.Any(w => errors.Contains(w, StringComparison.OrdinalIgnoreCase))
            ? $"The program '{Quoting.Plain(ending.Program)}' was not found, or could not be run, at the far end ({via} {code}{said}): name its path with "
                + "--via-program, or use --via-copy."
            : $"The far end ended before its start line: {via} {code}{said}.";
    }

    /// <summary>Why the far end cannot be used although it started; null when it can.</summary>
    /// <param name="line">Its start line.</param>
    /// <param name="version">The version of this program.</param>
    public static string? OtherVersion(StartLine line, string version)
    {
        ArgumentNullException.ThrowIfNull(line);
        return line.Protocol == Wire.Version ? null
            : $"The far end is version {Quoting.Plain(line.Version)} and speaks protocol version {line.Protocol}; this program, {version}, speaks version "
                + $"{Wire.Version}: use the same release at both ends, or --via-copy.";
    }

    /// <summary>Why a far end that serves no HTTP cannot be used for it.</summary>
    /// <param name="line">Its start line.</param>
    /// <param name="version">The version of this program.</param>
    public static string WithoutHttp(StartLine line, string version)
    {
        ArgumentNullException.ThrowIfNull(line);
        return $"The far end, version {Quoting.Plain(line.Version)}, named no port for HTTP: install this version ({version}) there, or use --via-copy.";
    }

    /// <summary>Why no address of the far end answered.</summary>
    /// <param name="line">Its start line.</param>
    /// <param name="failures">What each address did.</param>
    /// <param name="rule">The firewall rule that opens the port there, a command line; null where the system has another firewall.</param>
    public static string Unreachable(StartLine line, IReadOnlyList<DialFailure> failures, string? rule)
    {
        ArgumentNullException.ThrowIfNull(line);
        ArgumentNullException.ThrowIfNull(failures);
        string where = failures.Count == 0 ? "no address was left to try" : string.Join(", ", failures.Select(f => $"{f.Endpoint} {Did(f.Kind)}"));
        string open = rule is null ? $"allow TCP port {line.Port} for this machine there" : $"open it there with \"{rule}\"";
        string cause = failures.Any(f => f.Kind == DialFailureKind.Silent) ? "a firewall blocks the port"
            : failures.Any(f => f.Kind == DialFailureKind.Refused) ? "a firewall rejects the port, or the name is that of another machine"
            : "another machine has that address";
        string listens = line.AllAddresses ? "all addresses" : string.Join(", ", line.Addresses);
        return $"The far end runs and listens on {listens}, port {line.Port}, but the direct path to it failed ({where}): {cause}; {open}, or choose an open "
            + "port with --via-port.";
    }

    /// <summary>Why the far end is gone in the middle of a measurement.</summary>
    /// <param name="name">The target.</param>
    /// <param name="endpoint">Where it answered.</param>
    /// <param name="command">The command of --via.</param>
    /// <param name="exitCode">The exit code of the command; null when it still runs.</param>
    /// <param name="errors">The last lines of its stderr.</param>
    public static string Lost(string name, IPEndPoint endpoint, string command, int? exitCode, IReadOnlyList<string> errors)
    {
        ArgumentNullException.ThrowIfNull(errors);
        string said = errors.Count == 0 ? "" : $": {Quoting.Plain(string.Join(" ", errors), MostShown).TrimEnd('.')}";
        return exitCode is { } code
            ? $"The far end of {name} ({endpoint}) ended in the middle of the measurement: '{Quoting.Plain(command)}' ended with exit code {code}{said}."
            : $"The far end of {name} ({endpoint}) no longer answers on the direct path, although '{Quoting.Plain(command)}' still runs: the network is cut, "
                + "or the far end hangs.";
    }

    private static string Did(DialFailureKind kind) => kind switch
    {
        DialFailureKind.Silent => "did not answer",
        DialFailureKind.Refused => "refused the connection",
        _ => "answered without this run's token",
    };
}
